package dev.mainstay.core.health.judge;

import dev.mainstay.core.health.Evidence;
import dev.mainstay.core.health.MonitorRule.PassOnRetry;
import dev.mainstay.core.health.TestHistory;
import dev.mainstay.core.health.TestHistory.SplitCommit;
import dev.mainstay.core.health.TestStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Pass on retry: active while some commit was seen to go both ways less than the recovery days ago.
 * A commit on which many tests did says nothing of each: something outside of the code failed.
 */
final class RetryWatch {
  private RetryWatch() {}

  static Finding look(TestHistory history, PassOnRetry rule, Instant now) {
    Duration recovery = Duration.ofDays(rule.recoveryDays());
    List<SplitCommit> recent =
        history.splitsAfter(now.minus(recovery)).stream()
            .filter(split -> split.splitTogether() < Crowd.LEAST)
            .toList();
    if (recent.isEmpty()) {
      var evidence = evidence(recent, recovery, now, Phrases.noSplit(rule.recoveryDays()));
      return new Finding(false, TestStatus.FLAKY, evidence, Optional.empty());
    }
    String sentence = Phrases.splits(recent, rule.recoveryDays());
    // Each commit that leaves the window changes what is to be said, the last one also the status.
    return new Finding(
        true,
        TestStatus.FLAKY,
        evidence(recent, recovery, now, sentence),
        Optional.of(recent.getLast().provenAt().plus(recovery)));
  }

  private static Evidence evidence(
      List<SplitCommit> recent, Duration recovery, Instant now, String sentence) {
    long failures = recent.stream().mapToLong(SplitCommit::failures).sum();
    long passes = recent.stream().mapToLong(SplitCommit::passes).sum();
    var numbers = new TreeMap<String, Double>();
    numbers.put("commits", (double) recent.size());
    return new Evidence(
        sentence,
        now.minus(recovery),
        now,
        failures + passes,
        failures,
        recent.stream().map(SplitCommit::commit).toList(),
        numbers);
  }
}
