package dev.mainstay.core.health.judge;

import static dev.mainstay.core.health.judge.Past.NOON;
import static dev.mainstay.core.health.judge.Past.monitor;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.core.health.Glob;
import dev.mainstay.core.health.MonitorRule.FailureRate;
import dev.mainstay.core.health.Standing;
import dev.mainstay.core.health.TestStatus;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class FailureRateTest {
  private static final FailureRate RULE = rule("main");

  private static FailureRate rule(String... globs) {
    var branches = Arrays.stream(globs).map(Glob::new).toList();
    return new FailureRate(TestStatus.BROKEN, 0.3, 0.1, 10, 24, 48, branches);
  }

  @Test
  void it_is_active_exactly_at_the_activation_rate() {
    var judgement = new Past().ran("main", 1, 7, 3).judge(RULE);
    assertThat(judgement.after().status()).isEqualTo(TestStatus.BROKEN);
    assertThat(judgement.after().reason())
        .isEqualTo("Failed in 30 % of runs (3 of 10) in the last 24 hours on main.");
    assertThat(judgement.decidedBy().orElseThrow().evidence().numbers()).containsEntry("rate", 0.3);
  }

  @Test
  void just_below_the_activation_rate_it_is_not() {
    assertThat(status(new Past().ran("main", 1, 71, 29))).isEqualTo(TestStatus.HEALTHY);
  }

  @Test
  void fewer_runs_than_asked_for_say_nothing() {
    assertThat(status(new Past().ran("main", 1, 0, 9))).isEqualTo(TestStatus.HEALTHY);
    assertThat(status(new Past().ran("main", 1, 0, 10))).isEqualTo(TestStatus.BROKEN);
  }

  @Test
  void the_status_is_the_one_that_was_chosen() {
    var flaky = new FailureRate(TestStatus.FLAKY, 0.3, 0.1, 10, 24, 48, List.of());
    assertThat(new Past().ran("x", 1, 0, 10).judge(flaky).after().status())
        .isEqualTo(TestStatus.FLAKY);
  }

  @Test
  void only_branches_that_match_count_and_a_star_takes_in_slashes() {
    var past = new Past().ran("release/2026/1", 1, 0, 10).ran("feature/a", 1, 90, 0);
    assertThat(past.judge(rule("release/*")).after().status()).isEqualTo(TestStatus.BROKEN);
    assertThat(past.judge(rule("release/*", "feature/?")).after().status())
        .isEqualTo(TestStatus.HEALTHY);
    assertThat(past.judge(rule("main")).after().status()).isEqualTo(TestStatus.HEALTHY);
    assertThat(past.judge(rule()).after().status()).isEqualTo(TestStatus.HEALTHY);
  }

  @Test
  void a_branch_is_known_by_its_short_name() {
    var past = new Past().ran("refs/heads/main", 1, 0, 10);
    assertThat(past.judge(RULE).after().status()).isEqualTo(TestStatus.BROKEN);
  }

  @Test
  void an_hour_counts_until_all_of_it_has_left_the_window() {
    var past = new Past().ran("main", 24, 0, 10);
    var monitor = monitor("m", RULE);
    assertThat(past.judge(NOON.plusMillis(3_599_999), monitor).after().status())
        .isEqualTo(TestStatus.BROKEN);
    assertThat(past.judge(NOON.plusMillis(3_600_000), monitor).after().status())
        .isEqualTo(TestStatus.HEALTHY);
  }

  @Test
  void once_active_it_stays_so_until_the_rate_is_below_resolution() {
    var monitor = monitor("m", RULE);
    Standing active = new Past().ran("main", 1, 7, 3).judge(NOON, monitor).after();
    Judgement between = new Past().ran("main", 1, 90, 10).judge(active, NOON, monitor);
    assertThat(between.after().status()).isEqualTo(TestStatus.BROKEN);
    Judgement below = new Past().ran("main", 1, 91, 10).judge(active, NOON, monitor);
    assertThat(below.after().status()).isEqualTo(TestStatus.HEALTHY);
    assertThat(below.after().reason())
        .isEqualTo("Recovered: 9.9 % of runs on main failed (10 of 101) in the 24 hours before.");
  }

  @Test
  void what_is_between_the_thresholds_does_not_activate_it() {
    assertThat(status(new Past().ran("main", 1, 80, 20))).isEqualTo(TestStatus.HEALTHY);
  }

  @Test
  void to_resolve_it_needs_no_least_number_of_runs() {
    var monitor = monitor("m", RULE);
    Standing active = new Past().ran("main", 1, 7, 3).judge(NOON, monitor).after();
    assertThat(new Past().ran("main", 1, 1, 0).judge(active, NOON, monitor).after().status())
        .isEqualTo(TestStatus.HEALTHY);
  }

  @Test
  void it_resolves_when_nothing_ran_for_the_stale_hours_counted_from_the_end_of_the_last_hour() {
    var past = new Past().ran("main", 1, 0, 10);
    var monitor = monitor("m", RULE);
    Standing active = past.judge(NOON, monitor).after();
    var staleAt = NOON.plus(Duration.ofDays(2));
    Judgement before = past.judge(active, staleAt.minusMillis(1), monitor);
    assertThat(before.after().status()).isEqualTo(TestStatus.BROKEN);
    assertThat(before.nextReviewAt()).contains(staleAt);
    Judgement after = past.judge(active, staleAt, monitor);
    assertThat(after.after().status()).isEqualTo(TestStatus.HEALTHY);
    assertThat(after.after().reason())
        .isEqualTo("Recovered: nothing had run for 48 hours on main.");
  }

  @Test
  void runs_on_other_branches_do_not_keep_it_from_growing_stale() {
    var monitor = monitor("m", RULE);
    Standing active = new Past().ran("main", 1, 0, 10).judge(NOON, monitor).after();
    var past = new Past().ran("main", 72, 0, 10).ran("other", 1, 5, 0);
    assertThat(past.judge(active, NOON, monitor).after().status()).isEqualTo(TestStatus.HEALTHY);
  }

  @Test
  void old_passes_that_leave_the_window_can_activate_it_and_the_review_is_due_then() {
    var past = new Past().ran("main", 20, 90, 0).ran("main", 2, 0, 10);
    var monitor = monitor("m", RULE);
    Judgement now = past.judge(NOON, monitor);
    assertThat(now.after().status()).isEqualTo(TestStatus.HEALTHY);
    var due = NOON.plus(Duration.ofHours(5));
    assertThat(now.nextReviewAt()).contains(due);
    assertThat(past.judge(due.minusMillis(1), monitor).after().status())
        .isEqualTo(TestStatus.HEALTHY);
    assertThat(past.judge(due, monitor).after().status()).isEqualTo(TestStatus.BROKEN);
  }

  private static TestStatus status(Past past) {
    return past.judge(RULE).after().status();
  }
}
