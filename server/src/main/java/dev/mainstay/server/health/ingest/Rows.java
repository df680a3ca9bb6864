package dev.mainstay.server.health.ingest;

import dev.mainstay.server.health.result.HourRows;
import dev.mainstay.server.repository.Repository;

/** A tally as rows of hours. */
final class Rows {
  private static final long HOUR_MILLIS = 3_600_000;

  private Rows() {}

  static HourRows ofHours(Tally tally, Repository repository) {
    var rows = new HourRows(repository);
    tally.forEach(
        (high, low, hour, passes, failures, skips, failedAt) ->
            rows.add(high, low, hour * HOUR_MILLIS, failedAt, passes, failures, skips));
    return rows;
  }
}
