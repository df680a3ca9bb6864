package dev.mainstay.server.access;

import dev.mainstay.server.platform.http.Caller;
import dev.mainstay.server.platform.http.Scope;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** A key as it is stored: everything but the token. */
public record ApiKey(
    UUID id,
    long organizationId,
    String organization,
    String name,
    Set<Scope> scopes,
    Instant createdAt,
    Optional<Instant> expiresAt,
    Optional<Instant> revokedAt,
    Optional<Instant> lastUsedAt) {

  public static final int MAX_NAME_LENGTH = 100;

  /** True where the key opens the door at this moment. */
  public boolean isValidAt(Instant now) {
    return revokedAt.isEmpty() && expiresAt.map(now::isBefore).orElse(true);
  }

  Caller caller() {
    return new Caller(organizationId, organization, id, scopes);
  }
}
