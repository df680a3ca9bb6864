package dev.mainstay.server.health.test;

import dev.mainstay.core.code.RepoName;
import dev.mainstay.core.health.Quarantine;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * A repository as lists of its tests see it.
 *
 * @param stamp of the latest upload, 0 where there is none
 * @param unfoldedFrom everything before is folded into days
 */
public record RepoView(
    long repositoryId,
    String organization,
    RepoName name,
    Set<String> features,
    Optional<String> ticketUrl,
    long stamp,
    Optional<Instant> unfoldedFrom,
    Quarantine.Switches switches,
    Optional<Instant> quarantiningSince,
    Optional<Instant> automaticSince) {
  public static final String COMMON_FAILURES = "most-common-failures";

  /** The time since which automatic quarantining can have been on. */
  Instant automaticFrom() {
    Instant enabled = quarantiningSince.orElse(Instant.EPOCH);
    return automaticSince.filter(enabled::isBefore).orElse(enabled);
  }
}
