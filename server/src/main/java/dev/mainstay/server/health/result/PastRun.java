package dev.mainstay.server.health.result;

import dev.mainstay.core.health.Outcome;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** A run of a test, with the upload it came by unless that is forgotten. */
public record PastRun(
    Instant at,
    Outcome outcome,
    int attempt,
    Optional<Integer> durationMillis,
    Optional<String> message,
    Optional<Source> source) {

  /** The upload of a run, as much of it as tells where the run was. */
  public record Source(
      UUID uploadId,
      String branch,
      String commit,
      Optional<Integer> pullRequest,
      String job,
      Optional<String> ciUrl) {}
}
