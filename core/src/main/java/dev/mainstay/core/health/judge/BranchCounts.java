package dev.mainstay.core.health.judge;

import dev.mainstay.core.health.Branches;
import dev.mainstay.core.health.Glob;
import dev.mainstay.core.health.TestHistory;
import dev.mainstay.core.health.TestHistory.BranchHour;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Runs on the branches that match, by the clock hour. A window reaches back to the beginning of the
 * hour it begins in: an hour counts as a whole until it has left the window as a whole.
 */
final class BranchCounts {
  private static final Duration HOUR = Duration.ofHours(1);

  /** The runs of one hour, over all branches that match. */
  private static final class Bucket {
    private long passes;
    private long failures;
  }

  private final TreeMap<Instant, Bucket> hours = new TreeMap<>();
  private Optional<Instant> lastFailedAt = Optional.empty();

  BranchCounts(TestHistory history, List<Glob> branches) {
    for (BranchHour hour : history.hours()) {
      if (hour.runs() > 0 && matches(branches, hour.branch())) {
        add(hour);
      }
    }
  }

  private void add(BranchHour hour) {
    Bucket bucket = hours.computeIfAbsent(hour.hour(), h -> new Bucket());
    bucket.passes += hour.passes();
    bucket.failures += hour.failures();
    if (hour.failures() > 0) {
      Instant failedAt = hour.lastFailedAt().orElse(hour.hour());
      lastFailedAt =
          lastFailedAt.filter(at -> at.isAfter(failedAt)).or(() -> Optional.of(failedAt));
    }
  }

  private static boolean matches(List<Glob> branches, String branch) {
    String name = Branches.shortName(branch);
    return branches.isEmpty() || branches.stream().anyMatch(glob -> glob.matches(name));
  }

  /** Passes and failures in a window. */
  record Sum(long runs, long failures) {
    double rate() {
      return runs == 0 ? 0 : (double) failures / runs;
    }
  }

  Sum sum(int windowHours, Instant now) {
    return add(hours.tailMap(now.minus(Duration.ofHours(windowHours)).minus(HOUR), false));
  }

  private static Sum add(Map<Instant, Bucket> window) {
    long passes = 0;
    long failures = 0;
    for (Bucket bucket : window.values()) {
      passes += bucket.passes;
      failures += bucket.failures;
    }
    return new Sum(passes + failures, failures);
  }

  /** A question about a window as time goes by and no run comes. */
  interface Slide {
    boolean isNews(Sum sum);
  }

  /**
   * The time at which the window, sliding on without new runs, first holds something that is news.
   */
  Optional<Instant> firstChange(int windowHours, Instant now, Slide slide) {
    var inWindow = hours.tailMap(now.minus(Duration.ofHours(windowHours)).minus(HOUR), false);
    Sum left = add(inWindow);
    for (var hour : inWindow.entrySet()) {
      Bucket gone = hour.getValue();
      left = new Sum(left.runs() - gone.passes - gone.failures, left.failures() - gone.failures);
      if (slide.isNews(left)) {
        return Optional.of(hour.getKey().plus(HOUR).plus(Duration.ofHours(windowHours)));
      }
    }
    return Optional.empty();
  }

  /** The end of the last hour in which anything ran. */
  Optional<Instant> lastRanAt() {
    return hours.isEmpty() ? Optional.empty() : Optional.of(hours.lastKey().plus(HOUR));
  }

  Optional<Instant> lastFailedAt() {
    return lastFailedAt;
  }
}
