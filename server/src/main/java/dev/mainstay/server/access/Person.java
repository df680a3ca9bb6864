package dev.mainstay.server.access;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** Somebody whom an identity provider has signed in, with the role of the last time. */
public record Person(
    UUID id,
    long organizationId,
    String organization,
    Identity identity,
    Role role,
    Instant firstSeenAt,
    Instant lastSeenAt) {

  /** What a provider says of somebody; the issuer and the subject never change. */
  public record Identity(String issuer, String subject, String name, Optional<String> email) {
    public static final int MAX_SUBJECT_LENGTH = 255;
    public static final int MAX_NAME_LENGTH = 100;
    public static final int MAX_EMAIL_LENGTH = 254;
  }
}
