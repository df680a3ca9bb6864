package dev.mainstay.server.connection;

import dev.mainstay.core.code.RepoName;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** A connection as users see it. The address shows no password. */
public record ConnectionView(
    RepoName repo,
    String kind,
    String address,
    Optional<String> testCommand,
    Duration testTimeout,
    Instant connectedAt,
    Optional<Instant> lastSeenAt,
    Optional<String> fault) {
  static ConnectionView of(RepoName repo, ConnectionStore.Row how) {
    return new ConnectionView(
        repo,
        how.kind(),
        how.address(),
        how.testCommand(),
        how.testTimeout(),
        how.connectedAt(),
        how.seenAt(),
        how.fault().or(how::refusal));
  }
}
