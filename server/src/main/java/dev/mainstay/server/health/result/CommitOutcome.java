package dev.mainstay.server.health.result;

import java.util.UUID;

/**
 * What a test did in one upload: how often it failed and passed, the beginning of its last hour,
 * and times in milliseconds, {@link #NEVER} for what never was.
 */
public record CommitOutcome(
    UUID test,
    int failures,
    int passes,
    long hour,
    long firstFailedAt,
    long lastFailedAt,
    long firstPassedAt) {
  /** The time of something that never was. */
  public static final long NEVER = Long.MIN_VALUE;
}
