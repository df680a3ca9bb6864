package dev.mainstay.server.platform.http;

import java.util.Set;
import java.util.UUID;

/** Who sends a request: a key, and the one organization it belongs to. */
public record Caller(long organizationId, String organization, UUID keyId, Set<Scope> scopes) {

  public Caller {
    scopes = Set.copyOf(scopes);
  }

  public boolean may(Scope scope) {
    return scopes.contains(scope) || scopes.contains(Scope.ADMIN);
  }
}
