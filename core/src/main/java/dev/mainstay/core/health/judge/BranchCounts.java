package dev.mainstay.core.health.judge;

import dev.mainstay.core.health.BranchClass;
import dev.mainstay.core.health.Branches;
import dev.mainstay.core.health.Glob;
import dev.mainstay.core.health.TestHistory;
import dev.mainstay.core.health.TestHistory.BranchHour;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Runs on the branches that match, by the clock hour. A window reaches back to the beginning of the
 * hour it begins in: an hour counts as a whole until it has left the window as a whole. Failures of
 * one pull request alone do not count, but for those that were retried with success.
 */
final class BranchCounts {
  private static final Duration HOUR = Duration.ofHours(1);

  private final NavigableMap<Instant, List<BranchHour>> hours = new TreeMap<>();

  BranchCounts(TestHistory history, List<Glob> branches) {
    for (BranchHour hour : history.hours()) {
      if (hour.runs() > 0 && matches(branches, hour)) {
        hours.computeIfAbsent(hour.hour(), h -> new ArrayList<>()).add(hour);
      }
    }
  }

  private static boolean matches(List<Glob> branches, BranchHour hour) {
    String name = Branches.shortName(hour.branch());
    return branches.isEmpty()
        ? hour.branchClass() == BranchClass.STABLE
        : branches.stream().anyMatch(glob -> glob.matches(name));
  }

  /** Adds up runs, and whose failures they were. */
  private static final class Adding {
    private final Suspects suspects = new Suspects();
    private long passes;
    private long failures;
    private long retried;

    private Adding add(BranchHour hour) {
      passes += hour.passes();
      failures += hour.failures();
      retried += hour.retried();
      if (hour.failures() > hour.retried()) {
        suspects.add(hour.origin().pullRequests());
      }
      return this;
    }

    private Sum sum() {
      long counted = suspects.haveOne() ? retried : failures;
      return new Sum(passes + counted, counted);
    }
  }

  /** Passes and failures in a window. */
  record Sum(long runs, long failures) {
    double rate() {
      return runs == 0 ? 0 : (double) failures / runs;
    }
  }

  Sum sum(int windowHours, Instant now) {
    var adding = new Adding();
    window(windowHours, now).values().forEach(hour -> hour.forEach(adding::add));
    return adding.sum();
  }

  private NavigableMap<Instant, List<BranchHour>> window(int windowHours, Instant now) {
    return hours.tailMap(now.minus(Duration.ofHours(windowHours)).minus(HOUR), false);
  }

  /** A question about a window as time goes by and no run comes. */
  interface Slide {
    boolean isNews(Sum sum);
  }

  /**
   * The time at which the window, sliding on without new runs, first holds something that is news.
   */
  Optional<Instant> firstChange(int windowHours, Instant now, Slide slide) {
    Optional<Instant> first = Optional.empty();
    var left = new Adding();
    for (var hour : window(windowHours, now).descendingMap().entrySet()) {
      if (slide.isNews(left.sum())) {
        first = Optional.of(hour.getKey().plus(HOUR).plus(Duration.ofHours(windowHours)));
      }
      hour.getValue().forEach(left::add);
    }
    return first;
  }

  /** The end of the last hour in which anything ran. */
  Optional<Instant> lastRanAt() {
    return hours.isEmpty() ? Optional.empty() : Optional.of(hours.lastKey().plus(HOUR));
  }

  /** The last failure that counts beside those after it. */
  Optional<Instant> lastFailedAt() {
    var later = new Adding();
    return hours.values().stream()
        .flatMap(List::stream)
        .filter(hour -> hour.failures() > 0)
        .sorted(Comparator.comparing(BranchCounts::failedAt).reversed())
        .filter(hour -> later.add(hour).sum().failures() > 0)
        .map(BranchCounts::failedAt)
        .findFirst();
  }

  private static Instant failedAt(BranchHour hour) {
    return hour.lastFailedAt().orElse(hour.hour());
  }
}
