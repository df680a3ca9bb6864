package dev.mainstay.server.health.ingest;

import dev.mainstay.server.repository.Repository;

/** A tally as rows. */
final class Rows {
  private static final long HOUR_MILLIS = 3_600_000;

  private Rows() {}

  /** Rows of {@code test_hour}. */
  static CopyRows ofHours(Tally tally, Repository repository) {
    var rows = new CopyRows(8);
    tally.forEach(
        (high, low, hour, passes, failures, skips, failedAt, passedAt) -> {
          rows.row().number(repository.id()).uuid(high, low).time(hour * HOUR_MILLIS);
          timeOrNothing(rows, failedAt)
              .integer(passes)
              .integer(failures)
              .integer(skips)
              .small(repository.retentionDays());
        });
    return rows;
  }

  /** Rows of the outcomes on a commit: of all tests, or of those that failed. */
  static CopyRows ofCommit(Tally tally, boolean all) {
    var rows = new CopyRows(6);
    Tally.EntryVisitor visitor =
        (high, low, hour, passes, failures, skips, failedAt, passedAt) -> {
          rows.row().uuid(high, low).time(hour * HOUR_MILLIS);
          timeOrNothing(rows, failedAt);
          timeOrNothing(rows, passedAt).integer(passes).integer(failures);
        };
    if (all) {
      tally.forEach(visitor);
    } else {
      tally.forEachOfFailed(visitor);
    }
    return rows;
  }

  private static CopyRows timeOrNothing(CopyRows rows, long millis) {
    return millis == Tally.NEVER ? rows.nothing() : rows.time(millis);
  }
}
