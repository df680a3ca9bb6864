package dev.mainstay.server.platform.http;

import java.util.Set;
import java.util.UUID;

/** Who sends a request: a key, and the one organization it belongs to. */
public record Caller(long organizationId, String organization, UUID keyId, Set<Scope> scopes) {

  public static final int MAX_SLUG_LENGTH = 500;

  public Caller {
    scopes = Set.copyOf(scopes);
  }

  /** Whether a slug, in whatever case, is that of the caller's organization. */
  public boolean isOf(String slug) {
    return organization.equalsIgnoreCase(slug);
  }

  public boolean may(Scope scope) {
    return scopes.contains(scope) || scopes.contains(Scope.ADMIN);
  }
}
