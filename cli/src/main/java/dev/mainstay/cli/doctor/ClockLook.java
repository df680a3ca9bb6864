package dev.mainstay.cli.doctor;

import dev.mainstay.server.forge.Finding;
import dev.mainstay.server.platform.Database;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** The machine's clock against the database's, by which everything is timed. */
final class ClockLook {
  private static final Duration ALIKE = Duration.ofSeconds(2);

  private ClockLook() {}

  static List<Finding> findings(Database database) {
    Instant before = Instant.now();
    Instant there = database.time();
    Duration took = Duration.between(before, Instant.now());
    Duration ahead = Duration.between(before.plus(took.dividedBy(2)), there);
    return List.of(
        ahead.abs().minus(took).compareTo(ALIKE) > 0
            ? Finding.advice(
                "The database's clock is %d s %s this machine's."
                    .formatted(ahead.abs().toSeconds(), ahead.isNegative() ? "behind" : "ahead of"),
                "Nodes go by the database's clock: set the wrong one of the two, best by NTP.")
            : Finding.good("This machine and the database have the same time."));
  }
}
