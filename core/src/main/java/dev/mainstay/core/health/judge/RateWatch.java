package dev.mainstay.core.health.judge;

import dev.mainstay.core.health.Evidence;
import dev.mainstay.core.health.MonitorRule.FailureRate;
import dev.mainstay.core.health.TestHistory;
import dev.mainstay.core.health.judge.BranchCounts.Sum;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Failure rate: becomes active when enough of enough runs failed, and then stays so until the rate
 * is below the lower threshold, or nothing has run for too long to tell.
 */
final class RateWatch {
  private RateWatch() {}

  static Finding look(TestHistory history, FailureRate rule, boolean wasActive, Instant now) {
    var counts = new BranchCounts(history, rule.branches());
    Sum sum = counts.sum(rule.windowHours(), now);
    Optional<Instant> staleAt =
        counts.lastRanAt().map(last -> last.plus(Duration.ofHours(rule.staleHours())));
    boolean stale = staleAt.isEmpty() || !staleAt.get().isAfter(now);
    boolean active = !stale && isActive(rule, sum, wasActive);
    String sentence =
        active
            ? Phrases.rate(sum, rule)
            : stale ? Phrases.stale(rule) : Phrases.rateRecovered(sum, rule);
    Optional<Instant> next =
        stale
            ? Optional.empty()
            : earliest(
                nextChange(counts, rule, sum, active, now), active ? staleAt : Optional.empty());
    return new Finding(active, rule.status(), evidence(sum, rule, now, sentence), next);
  }

  private static boolean isActive(FailureRate rule, Sum sum, boolean wasActive) {
    if (wasActive) {
      return sum.runs() == 0 || sum.rate() >= rule.resolution();
    }
    return sum.runs() >= rule.minRuns() && sum.rate() >= rule.activation();
  }

  /** While it is active the counts are told, so any change of them is one. */
  private static Optional<Instant> nextChange(
      BranchCounts counts, FailureRate rule, Sum sum, boolean active, Instant now) {
    return counts
        .firstChange(
            rule.windowHours(),
            now,
            left -> active ? !left.equals(sum) : isActive(rule, left, false))
        .filter(at -> at.isAfter(now));
  }

  private static Optional<Instant> earliest(Optional<Instant> one, Optional<Instant> other) {
    if (one.isEmpty() || other.isEmpty()) {
      return one.or(() -> other);
    }
    return one.get().isBefore(other.get()) ? one : other;
  }

  private static Evidence evidence(Sum sum, FailureRate rule, Instant now, String sentence) {
    var numbers = new TreeMap<String, Double>();
    numbers.put("rate", sum.rate());
    numbers.put("activation", rule.activation());
    numbers.put("resolution", rule.resolution());
    return new Evidence(
        sentence,
        now.minus(Duration.ofHours(rule.windowHours())),
        now,
        sum.runs(),
        sum.failures(),
        List.of(),
        numbers);
  }
}
