package dev.mainstay.server.health.list;

import dev.mainstay.server.health.result.DayCounts;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/** A day of a test or of a repository in the words of the API. */
record DayRecord(String day, long runs, long failures) {

  /** Every day up to the last, in order, whether anything ran or not. */
  static List<DayRecord> of(Map<LocalDate, DayCounts> counts, LocalDate last, int days) {
    return first(last, days)
        .datesUntil(last.plusDays(1))
        .map(
            day -> {
              var of = counts.getOrDefault(day, DayCounts.NONE);
              return new DayRecord(day.toString(), of.runs(), of.failures());
            })
        .toList();
  }

  static LocalDate first(LocalDate last, int days) {
    return last.minusDays(days - 1L);
  }
}
