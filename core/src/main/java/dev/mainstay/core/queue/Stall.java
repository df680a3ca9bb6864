package dev.mainstay.core.queue;

import java.time.Instant;

/** A queue in which nothing has moved for longer than its history explains, since when and why. */
public record Stall(Instant since, Cause cause, String sentence) {
  /** What keeps a queue from moving. */
  public enum Cause {
    PAUSED,
    FORGE_UNREACHABLE,
    CHECK_MISSING,
    NO_SLOTS,
    TESTS_RUNNING
  }
}
