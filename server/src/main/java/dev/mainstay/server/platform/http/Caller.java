package dev.mainstay.server.platform.http;

import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Who sends a request: a key, and the one organization it belongs to. A caller on an errand may use
 * only the routes that are open to it, and only for its errand.
 */
public record Caller(
    long organizationId,
    String organization,
    UUID keyId,
    Set<Scope> scopes,
    Optional<Errand> errand) {

  /** The errand of a test command of ours: to send the results of this commit of a repository. */
  public record Errand(String repo, String branch, String commit, Optional<Integer> pullRequest) {}

  public static final int MAX_SLUG_LENGTH = 500;

  public Caller {
    scopes = Set.copyOf(scopes);
  }

  public Caller(long organizationId, String organization, UUID keyId, Set<Scope> scopes) {
    this(organizationId, organization, keyId, scopes, Optional.empty());
  }

  /** Whether a slug, in whatever case, is that of the caller's organization. */
  public boolean isOf(String slug) {
    return organization.equalsIgnoreCase(slug);
  }

  public boolean may(Scope scope) {
    return scopes.contains(scope) || scopes.contains(Scope.ADMIN);
  }
}
