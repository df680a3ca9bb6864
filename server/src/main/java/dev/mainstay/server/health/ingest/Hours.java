package dev.mainstay.server.health.ingest;

import dev.mainstay.server.health.result.DayCounts;
import dev.mainstay.server.health.result.HourRows;
import dev.mainstay.server.repository.Repository;
import java.time.Instant;
import java.time.LocalDate;
import java.util.SortedMap;
import java.util.TreeMap;

/** What a tally counted: as rows of hours, and by the day. */
final class Hours {
  private Hours() {}

  /** The rows of the hours in a stretch of them. */
  static HourRows rows(Tally tally, Repository repository, Instant from, Instant to) {
    var rows = new HourRows(repository);
    tally.forEachInOrderOfIds(
        (high, low, hour, passes, failures, skips) -> {
          Instant start = Tally.start(hour);
          if (!start.isBefore(from) && start.isBefore(to)) {
            rows.add(high, low, start.toEpochMilli(), passes, failures, skips);
          }
        });
    return rows;
  }

  /** The counts of all tests together. */
  static SortedMap<LocalDate, DayCounts> byDay(Tally tally) {
    var days = new TreeMap<LocalDate, DayCounts>();
    tally.forEach(
        (high, low, hour, passes, failures, skips) ->
            days.merge(
                LocalDate.ofEpochDay(Math.floorDiv(hour, 24)),
                new DayCounts(passes, failures, skips),
                DayCounts::plus));
    return days;
  }
}
