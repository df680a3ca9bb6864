package dev.mainstay.server.health;

/** A tally as rows. */
final class Rows {
  private static final long HOUR_MILLIS = 3_600_000;

  private Rows() {}

  static void ofHours(Tally tally, CopyRows rows) {
    tally.forEach(
        (high, low, hour, passes, failures, skips, failedAt) -> {
          rows.row().uuid(high, low).time(hour * HOUR_MILLIS);
          (failedAt == Tally.NEVER ? rows.nothing() : rows.time(failedAt))
              .integer(passes)
              .integer(failures)
              .integer(skips);
        });
  }
}
