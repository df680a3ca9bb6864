package dev.mainstay.server.health;

import dev.mainstay.server.health.TestDayStore.Counts;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/**
 * How often tests failed in the 7 days and the 24 hours that end now. Whole hours are read from
 * roll-ups; the hour in which a stretch begins is counted run by run, to the millisecond.
 */
final class Rates {
  static final Duration WEEK = Duration.ofDays(7);
  static final Duration DAY = Duration.ofDays(1);

  /** Fractions from 0 to 1; 0 where nothing ran. */
  record Rate(double week, double day) {
    static final Rate NONE = new Rate(0, 0);
  }

  private final Instant week;
  private final Instant day;
  private final Map<UUID, long[]> sums = new HashMap<>();

  private Rates(Instant now) {
    week = now.minus(WEEK);
    day = now.minus(DAY);
  }

  static Map<UUID, Rate> of(
      Handle handle,
      long repositoryId,
      Collection<UUID> tests,
      Optional<Instant> unfoldedFrom,
      Instant now) {
    var rates = new Rates(now);
    LocalDate firstDay = LocalDate.ofInstant(rates.week, ZoneOffset.UTC);
    LocalDate secondDay = LocalDate.ofInstant(rates.day, ZoneOffset.UTC);
    TestDayStore.days(handle, repositoryId, tests, firstDay, List.of(firstDay, secondDay))
        .forEach(rates::addWholeHours);
    unfoldedFrom.ifPresent(
        from ->
            TestDayStore.hours(
                    handle, repositoryId, tests, from.isAfter(rates.week) ? from : rates.week)
                .forEach(rates::addWholeHours));
    TestDayStore.edges(handle, repositoryId, tests, rates.week, rates.day).forEach(rates::addEdge);
    var result = new HashMap<UUID, Rate>();
    rates.sums.forEach((test, s) -> result.put(test, new Rate(rate(s[0], s[1]), rate(s[2], s[3]))));
    return result;
  }

  private void addWholeHours(Counts counts) {
    long[] sum = sums.computeIfAbsent(counts.test(), t -> new long[4]);
    Instant weekFrom = TestDayStore.hourAfter(week);
    Instant dayFrom = TestDayStore.hourAfter(day);
    Instant hour = counts.from();
    for (int i = 0; i < counts.passes().length; i++) {
      if (!hour.isBefore(weekFrom)) {
        sum[0] += counts.passes()[i];
        sum[1] += counts.failures()[i];
      }
      if (!hour.isBefore(dayFrom)) {
        sum[2] += counts.passes()[i];
        sum[3] += counts.failures()[i];
      }
      hour = hour.plusSeconds(3600);
    }
  }

  private void addEdge(Counts counts) {
    long[] sum = sums.computeIfAbsent(counts.test(), t -> new long[4]);
    int at = counts.from().equals(week) ? 0 : 2;
    sum[at] += counts.passes()[0];
    sum[at + 1] += counts.failures()[0];
  }

  private static double rate(long passes, long failures) {
    return passes + failures == 0 ? 0 : (double) failures / (passes + failures);
  }
}
