package dev.mainstay.core.health.judge;

import dev.mainstay.core.health.Evidence;
import dev.mainstay.core.health.MonitorRule.FailureCount;
import dev.mainstay.core.health.TestHistory;
import dev.mainstay.core.health.judge.BranchCounts.Sum;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Failure count: becomes active with enough failures in the window, and stays so until there was no
 * failure for the resolution hours.
 */
final class CountWatch {
  private CountWatch() {}

  static Finding look(TestHistory history, FailureCount rule, boolean wasActive, Instant now) {
    var counts = new BranchCounts(history, rule.branches());
    Sum sum = counts.sum(rule.windowHours(), now);
    Optional<Instant> resolvesAt =
        counts.lastFailedAt().map(last -> last.plus(Duration.ofHours(rule.resolutionHours())));
    boolean failedLately = resolvesAt.isPresent() && resolvesAt.get().isAfter(now);
    boolean active = failedLately && (wasActive || sum.failures() >= rule.count());
    String sentence =
        !active
            ? Phrases.countRecovered(rule)
            : sum.failures() >= rule.count() ? Phrases.count(sum, rule) : Phrases.countHolds(rule);
    return new Finding(
        active,
        rule.status(),
        evidence(sum, rule, now, sentence),
        active
            ? Optional.of(reviewAt(counts, rule, sum, resolvesAt.get(), now))
            : Optional.empty());
  }

  /** When it resolves, or before that when the count that is told changes. */
  private static Instant reviewAt(
      BranchCounts counts, FailureCount rule, Sum sum, Instant resolvesAt, Instant now) {
    if (sum.failures() < rule.count()) {
      return resolvesAt;
    }
    return counts
        .firstChange(rule.windowHours(), now, left -> left.failures() != sum.failures())
        .filter(at -> at.isAfter(now) && at.isBefore(resolvesAt))
        .orElse(resolvesAt);
  }

  private static Evidence evidence(Sum sum, FailureCount rule, Instant now, String sentence) {
    var numbers = new TreeMap<String, Double>();
    numbers.put("count", (double) rule.count());
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
