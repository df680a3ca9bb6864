package dev.mainstay.core.health.judge;

import static dev.mainstay.core.health.judge.Past.NOON;
import static dev.mainstay.core.health.judge.Past.hoursAgo;
import static dev.mainstay.core.health.judge.Past.monitor;
import static dev.mainstay.core.health.judge.Past.pullRequest;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.core.health.Glob;
import dev.mainstay.core.health.MonitorRule.FailureCount;
import dev.mainstay.core.health.Standing;
import dev.mainstay.core.health.TestStatus;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class FailureCountTest {
  private static final FailureCount RULE =
      new FailureCount(TestStatus.FLAKY, 3, 6, 24, List.of(new Glob("release/*")));

  @Test
  void it_is_active_with_exactly_the_count_of_failures_in_the_window() {
    var past = new Past().ran("release/a/b", 1, 1000, 2);
    assertThat(past.judge(RULE).after().status()).isEqualTo(TestStatus.HEALTHY);
    var judgement = past.ran("release/1", 6, 0, 1).judge(RULE);
    assertThat(judgement.after().status()).isEqualTo(TestStatus.FLAKY);
    assertThat(judgement.after().reason())
        .isEqualTo("Failed 3 times in the last 6 hours on release/*.");
  }

  @Test
  void failures_before_the_window_or_on_other_branches_do_not_count() {
    var past = new Past().ran("release/1", 1, 0, 2).ran("release/1", 7, 0, 9).ran("main", 1, 0, 9);
    assertThat(past.judge(RULE).after().status()).isEqualTo(TestStatus.HEALTHY);
  }

  @Test
  void it_resolves_after_exactly_the_resolution_hours_without_a_failure() {
    var monitor = monitor("m", RULE);
    Standing active = new Past().ran("release/1", 1, 0, 3).judge(NOON, monitor).after();
    var past = new Past().failedAt("release/1", hoursAgo(23.5)).ran("release/1", 0, 50, 0);
    Judgement before = past.judge(active, NOON.plusMillis(1_799_999), monitor);
    assertThat(before.after().status()).isEqualTo(TestStatus.FLAKY);
    assertThat(before.after().reason())
        .isEqualTo(
            "Failed 3 times or more within 6 hours on release/*, and again in the last 24 hours.");
    assertThat(before.nextReviewAt()).contains(NOON.plusSeconds(1800));
    Judgement after = past.judge(active, NOON.plusSeconds(1800), monitor);
    assertThat(after.after().status()).isEqualTo(TestStatus.HEALTHY);
    assertThat(after.after().reason())
        .isEqualTo("Recovered: nothing had failed for 24 hours on release/*.");
  }

  @Test
  void one_more_failure_keeps_it_active_though_it_would_not_make_it_so() {
    var monitor = monitor("m", RULE);
    var past = new Past().failedAt("release/1", hoursAgo(10));
    assertThat(past.judge(NOON, monitor).after().status()).isEqualTo(TestStatus.HEALTHY);
    Standing active = new Past().ran("release/1", 1, 0, 3).judge(NOON, monitor).after();
    assertThat(past.judge(active, NOON, monitor).after().status()).isEqualTo(TestStatus.FLAKY);
  }

  @Test
  void it_does_not_flap_where_window_and_resolution_are_the_same() {
    var tight = new FailureCount(TestStatus.FLAKY, 1, 1, 1, List.of());
    var monitor = monitor("m", tight);
    var past = new Past().failedAt("x", hoursAgo(0.75));
    Standing active = past.judge(NOON, monitor).after();
    assertThat(active.status()).isEqualTo(TestStatus.FLAKY);
    Standing resolved = past.judge(active, NOON.plusSeconds(900), monitor).after();
    assertThat(resolved.status()).isEqualTo(TestStatus.HEALTHY);
    assertThat(past.judge(resolved, NOON.plusSeconds(901), monitor).after().status())
        .isEqualTo(TestStatus.HEALTHY);
  }

  @Test
  void failures_that_contain_one_and_the_same_pull_request_do_not_count() {
    var every = new FailureCount(TestStatus.FLAKY, 3, 6, 24, List.of(new Glob("*")));
    var past =
        new Past()
            .ran(pullRequest("feature", 7), 1, 0, 5, 0)
            .ran(pullRequest("queue/1", 6, 7), 2, 0, 5, 0)
            .ran(pullRequest("queue/2", 7, 8), 2, 0, 5, 0);
    assertThat(past.judge(every).after().status()).isEqualTo(TestStatus.HEALTHY);
    past.ran(pullRequest("queue/3", 8), 6, 0, 1, 0);
    var judgement = past.judge(every);
    assertThat(judgement.after().reason()).isEqualTo("Failed 16 times in the last 6 hours.");
    assertThat(judgement.nextReviewAt()).contains(NOON.plus(Duration.ofHours(1)));
  }

  @Test
  void of_ones_own_failures_those_count_that_passed_on_retry() {
    var every = new FailureCount(TestStatus.FLAKY, 3, 6, 24, List.of(new Glob("*")));
    var past = new Past().ran(pullRequest("feature"), 1, 0, 9, 2);
    assertThat(past.judge(every).after().status()).isEqualTo(TestStatus.HEALTHY);
    past.ran(pullRequest("feature"), 2, 0, 1, 1);
    assertThat(past.judge(every).after().reason()).isEqualTo("Failed 3 times in the last 6 hours.");
  }

  @Test
  void a_retry_elsewhere_does_not_make_ones_own_failures_count() {
    var every = new FailureCount(TestStatus.FLAKY, 3, 6, 24, List.of(new Glob("*")));
    var past = new Past().ran(pullRequest("a", 7), 1, 0, 5, 0).ran(pullRequest("b", 8), 2, 1, 2, 2);
    assertThat(past.judge(every).after().status()).isEqualTo(TestStatus.HEALTHY);
    past.ran(pullRequest("b", 8), 3, 0, 1, 0);
    assertThat(past.judge(every).after().status()).isEqualTo(TestStatus.FLAKY);
  }

  @Test
  void without_patterns_it_looks_at_stable_branches() {
    var stable = new FailureCount(TestStatus.FLAKY, 3, 6, 24, List.of());
    var past = new Past().ran(pullRequest("a", 1), 1, 0, 9, 9).ran(pullRequest("b", 2), 1, 0, 9, 9);
    assertThat(past.judge(stable).after().status()).isEqualTo(TestStatus.HEALTHY);
    assertThat(past.ran("release/1", 1, 0, 3).judge(stable).after().reason())
        .isEqualTo("Failed 3 times in the last 6 hours on stable branches.");
  }

  @Test
  void a_test_that_is_not_flagged_needs_no_review_without_new_results() {
    assertThat(new Past().ran("release/1", 1, 0, 2).judge(RULE).nextReviewAt()).isEmpty();
  }
}
