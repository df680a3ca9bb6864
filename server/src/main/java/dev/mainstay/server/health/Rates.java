package dev.mainstay.server.health;

import dev.mainstay.server.health.NumbersStore.Counts;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/**
 * How often tests failed in the 7 days and the 24 hours that end now, and in how many pull
 * requests. Whole hours are read from roll-ups; the hour in which a stretch begins is counted run
 * by run, to the millisecond.
 */
final class Rates {
  static final Duration WEEK = Duration.ofDays(7);
  static final Duration DAY = Duration.ofDays(1);

  /** Rates are fractions from 0 to 1; 0 where nothing ran. */
  record Numbers(double week, double day, int pullRequests) {
    static final Numbers NONE = new Numbers(0, 0, 0);
  }

  private final Instant week;
  private final Instant day;
  private final Map<UUID, Sum> sums = new HashMap<>();

  /** What is known of one test so far. */
  private static final class Sum {
    private long weekPasses;
    private long weekFailures;
    private long dayPasses;
    private long dayFailures;
    private int pullRequests;

    Numbers numbers() {
      return new Numbers(
          rate(weekPasses, weekFailures), rate(dayPasses, dayFailures), pullRequests);
    }
  }

  private Rates(Instant now) {
    week = now.minus(WEEK);
    day = now.minus(DAY);
  }

  static Map<UUID, Numbers> of(
      Handle handle,
      long repositoryId,
      Collection<UUID> tests,
      Optional<Instant> unfoldedFrom,
      Instant now) {
    var rates = new Rates(now);
    NumbersStore.read(handle, repositoryId, tests, unfoldedFrom, rates.week, rates.day)
        .forEach(rates::add);
    var numbers = new HashMap<UUID, Numbers>();
    rates.sums.forEach((test, sum) -> numbers.put(test, sum.numbers()));
    return numbers;
  }

  private void add(Counts counts) {
    Sum sum = sums.computeIfAbsent(counts.test(), t -> new Sum());
    switch (counts.kind()) {
      case HOURS -> addHours(sum, counts);
      case EDGE_OF_WEEK -> {
        sum.weekPasses += counts.passes()[0];
        sum.weekFailures += counts.failures()[0];
      }
      case EDGE_OF_DAY -> {
        sum.dayPasses += counts.passes()[0];
        sum.dayFailures += counts.failures()[0];
      }
      case PULL_REQUESTS -> sum.pullRequests = counts.failures()[0];
    }
  }

  private void addHours(Sum sum, Counts counts) {
    Instant weekFrom = NumbersStore.hourAfter(week);
    Instant dayFrom = NumbersStore.hourAfter(day);
    Instant hour = counts.from();
    for (int i = 0; i < counts.passes().length; i++) {
      if (!hour.isBefore(weekFrom)) {
        sum.weekPasses += counts.passes()[i];
        sum.weekFailures += counts.failures()[i];
      }
      if (!hour.isBefore(dayFrom)) {
        sum.dayPasses += counts.passes()[i];
        sum.dayFailures += counts.failures()[i];
      }
      hour = hour.plusSeconds(3600);
    }
  }

  private static double rate(long passes, long failures) {
    return passes + failures == 0 ? 0 : (double) failures / (passes + failures);
  }
}
