package dev.mainstay.core.health.judge;

import static dev.mainstay.core.health.judge.Past.NOON;
import static dev.mainstay.core.health.judge.Past.daysAgo;
import static dev.mainstay.core.health.judge.Past.monitor;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.core.health.MonitorRule.PassOnRetry;
import dev.mainstay.core.health.TestHistory;
import dev.mainstay.core.health.TestHistory.SplitCommit;
import dev.mainstay.core.health.TestStatus;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PassOnRetryTest {
  private static final PassOnRetry RULE = PassOnRetry.DEFAULT;
  private static final String COMMIT = "1a2b3c4d5e6f7a8b9c0d1e2f3a4b5c6d7e8f9a0b";

  @Test
  void a_commit_with_both_a_failure_and_a_pass_makes_a_test_flaky() {
    var judgement = new Past().split(COMMIT, "main", daysAgo(1)).judge(RULE);
    assertThat(judgement.after().status()).isEqualTo(TestStatus.FLAKY);
    assertThat(judgement.changed()).isTrue();
    assertThat(judgement.after().since()).isEqualTo(NOON);
    assertThat(judgement.after().reason())
        .isEqualTo("Failed and passed on the same commit, 1a2b3c4 (main), in the last 7 days.");
  }

  @Test
  void several_such_commits_are_counted_and_the_last_is_named() {
    var judgement =
        new Past()
            .split("a", "main", daysAgo(2))
            .split("b", "feature/x", daysAgo(0.5))
            .split("c", "main", daysAgo(6))
            .judge(RULE);
    assertThat(judgement.after().reason())
        .isEqualTo(
            "Failed and passed on the same commit 3 times in the last 7 days, last on b (feature/x).");
    var evidence = judgement.decidedBy().orElseThrow().evidence();
    assertThat(evidence.commits()).containsExactly("b", "a", "c");
    assertThat(evidence.failures()).isEqualTo(3);
    assertThat(evidence.runs()).isEqualTo(6);
  }

  @Test
  void a_commit_with_only_failures_or_only_passes_proves_nothing() {
    var history =
        new TestHistory(
            List.of(),
            List.of(
                new SplitCommit("a", "", "main", 5, 0, daysAgo(1), 1),
                new SplitCommit("b", "", "main", 0, 5, daysAgo(1), 1)),
            List.of());
    var judgement = Judgement.preview(history, monitor("m", RULE), NOON);
    assertThat(judgement.after().status()).isEqualTo(TestStatus.HEALTHY);
    assertThat(judgement.after().reason()).isEqualTo("No monitor has flagged this test.");
  }

  @Test
  void it_resolves_when_no_such_commit_was_seen_for_exactly_the_recovery_days() {
    var past = new Past().split(COMMIT, "main", daysAgo(7));
    var monitor = monitor("m", RULE);
    Judgement before = past.judge(NOON.minusMillis(1), monitor);
    assertThat(before.after().status()).isEqualTo(TestStatus.FLAKY);
    assertThat(before.nextReviewAt()).contains(NOON);
    Judgement after = past.judge(before.after(), NOON, monitor);
    assertThat(after.after().status()).isEqualTo(TestStatus.HEALTHY);
    assertThat(after.after().reason())
        .isEqualTo("Recovered: no commit had both a failure and a pass for 7 days.");
    assertThat(after.nextReviewAt()).isEmpty();
  }

  @Test
  void the_recovery_days_are_the_monitors_own() {
    var past = new Past().split(COMMIT, "main", daysAgo(3));
    assertThat(past.judge(new PassOnRetry(3)).after().status()).isEqualTo(TestStatus.HEALTHY);
    assertThat(past.judge(new PassOnRetry(4)).after().status()).isEqualTo(TestStatus.FLAKY);
    assertThat(past.judge(new PassOnRetry(4)).nextReviewAt()).contains(daysAgo(-1));
  }

  @Test
  void another_such_commit_starts_the_recovery_anew_and_the_reason_follows_its_window() {
    var past = new Past().split("a", "main", daysAgo(6)).split("b", "main", daysAgo(2));
    var monitor = monitor("m", RULE);
    Judgement both = past.judge(NOON, monitor);
    assertThat(both.after().reason()).contains("2 times in the last 7 days, last on b");
    assertThat(both.nextReviewAt()).contains(daysAgo(-1));
    Judgement one = past.judge(both.after(), daysAgo(-1), monitor);
    assertThat(one.after().reason())
        .isEqualTo("Failed and passed on the same commit, b (main), in the last 7 days.");
    assertThat(one.nextReviewAt()).contains(daysAgo(-5));
    assertThat(past.judge(one.after(), daysAgo(-5), monitor).after().status())
        .isEqualTo(TestStatus.HEALTHY);
  }

  @Test
  void a_commit_on_which_many_tests_went_both_ways_is_an_outage_and_no_evidence() {
    assertThat(new Past().split("a", "main", daysAgo(1), 9).judge(RULE).after().status())
        .isEqualTo(TestStatus.FLAKY);
    assertThat(new Past().split("a", "main", daysAgo(1), 10).judge(RULE).after().status())
        .isEqualTo(TestStatus.HEALTHY);
    var own = new Past().split("a", "main", daysAgo(1), 300).split("b", "main", daysAgo(2), 2);
    assertThat(own.judge(RULE).after().reason())
        .isEqualTo("Failed and passed on the same commit, b (main), in the last 7 days.");
  }

  @Test
  void a_hostile_branch_name_stays_one_short_line() {
    var judgement =
        new Past().split("x".repeat(500), "a\n\u0007" + "b".repeat(500), NOON).judge(RULE);
    assertThat(judgement.after().reason()).hasSizeLessThan(250).doesNotContain("\n", "\u0007");
  }

  @Test
  void the_status_was_changed_once_however_often_it_is_judged() {
    var past = new Past().split(COMMIT, "main", daysAgo(1));
    var monitor = monitor("m", RULE);
    Judgement first = past.judge(NOON, monitor);
    Judgement second =
        Judgement.of(
            past.history(), List.of(monitor), Map.of(), first.after(), NOON.plusSeconds(60));
    assertThat(second.changed()).isFalse();
    assertThat(second.after().since()).isEqualTo(NOON);
    assertThat(second.after().monitors().getFirst().since()).isEqualTo(NOON);
  }
}
