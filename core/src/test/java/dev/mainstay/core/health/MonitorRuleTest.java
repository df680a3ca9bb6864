package dev.mainstay.core.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.core.health.MonitorRule.Bayesian;
import dev.mainstay.core.health.MonitorRule.FailureCount;
import dev.mainstay.core.health.MonitorRule.FailureRate;
import dev.mainstay.core.health.MonitorRule.PassOnRetry;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class MonitorRuleTest {
  private static final List<Glob> TEN = Collections.nCopies(10, new Glob("release/*"));

  @Test
  void recovery_takes_1_to_15_days() {
    assertThat(PassOnRetry.DEFAULT.recoveryDays()).isEqualTo(7);
    accepts(() -> new PassOnRetry(1));
    accepts(() -> new PassOnRetry(15));
    refuses("recovery_days is from 1 to 15.", () -> new PassOnRetry(0));
    refuses("recovery_days is from 1 to 15.", () -> new PassOnRetry(16));
  }

  @Test
  void a_rate_resolves_at_or_below_where_it_activates() {
    accepts(() -> rate(0.2, 0.2, TEN));
    accepts(() -> rate(1, 0, List.of()));
    refuses("resolution is at most activation.", () -> rate(0.2, 0.21, TEN));
    refuses("activation is above 0 and at most 1.", () -> rate(0, 0, TEN));
    refuses("activation is above 0 and at most 1.", () -> rate(1.01, 0, TEN));
    refuses("activation is above 0 and at most 1.", () -> rate(Double.NaN, 0, TEN));
    refuses("resolution is from 0 to 1.", () -> rate(0.5, Double.NaN, TEN));
    refuses("resolution is from 0 to 1.", () -> rate(0.5, -0.1, TEN));
  }

  @Test
  void a_rule_looks_at_up_to_ten_patterns_of_branches() {
    var eleven = Collections.nCopies(11, new Glob("x"));
    refuses("branches are at most 10 patterns.", () -> rate(0.2, 0.1, eleven));
    refuses(
        "each pattern of branches has 1 to 200 characters.",
        () -> rate(0.2, 0.1, List.of(new Glob(""))));
    refuses(
        "each pattern of branches has 1 to 200 characters.",
        () -> rate(0.2, 0.1, List.of(new Glob("x".repeat(201)))));
  }

  @Test
  void a_count_resolves_no_sooner_than_its_window_ends() {
    accepts(() -> new FailureCount(TestStatus.BROKEN, 1, 24, 24, List.of()));
    refuses(
        "resolution_hours is at least window_hours.",
        () -> new FailureCount(TestStatus.BROKEN, 1, 24, 23, List.of()));
    refuses(
        "count is from 1 to 1000000.",
        () -> new FailureCount(TestStatus.BROKEN, 0, 24, 24, List.of()));
  }

  @Test
  void windows_are_at_most_30_days() {
    accepts(() -> new FailureCount(TestStatus.BROKEN, 1, 720, 720, List.of()));
    refuses(
        "resolution_hours is from 1 to 720.",
        () -> new FailureCount(TestStatus.BROKEN, 1, 24, 721, List.of()));
    refuses(
        "window_hours is from 1 to 720.",
        () -> new FailureRate(TestStatus.BROKEN, 0.5, 0.5, 1, 0, 1, List.of()));
    refuses(
        "stale_hours is from 1 to 720.",
        () -> new FailureRate(TestStatus.BROKEN, 0.5, 0.5, 1, 1, 721, List.of()));
  }

  @Test
  void no_monitor_makes_a_test_healthy() {
    refuses(
        "status is flaky or broken.",
        () -> new FailureCount(TestStatus.HEALTHY, 1, 24, 24, List.of()));
  }

  @Test
  void every_fault_is_named_at_once() {
    refuses(
        "status is flaky or broken. count is from 1 to 1000000. window_hours is from 1 to 720.",
        () -> new FailureCount(TestStatus.HEALTHY, 0, 0, 24, List.of()));
  }

  @Test
  void a_probability_is_neither_certain_nor_below_even() {
    accepts(() -> new Bayesian(0.5, 0.5, 1));
    refuses("activation is at least 0.5 and below 1.", () -> new Bayesian(1, 0.5, 7));
    refuses("activation is at least 0.5 and below 1.", () -> new Bayesian(0.4, 0.3, 7));
    refuses("resolution is above 0 and below 1.", () -> new Bayesian(0.9, 0, 7));
    refuses("half_life_days is from 1 to 15.", () -> new Bayesian(0.9, 0.5, 16));
  }

  @Test
  void a_monitor_has_a_name() {
    var id = new MonitorId(new UUID(0, 1));
    refuses(
        "The name of a monitor has 1 to 100 characters.",
        () -> new Monitor(id, " ", true, PassOnRetry.DEFAULT));
    refuses(
        "The name of a monitor has 1 to 100 characters.",
        () -> new Monitor(id, "x".repeat(101), true, PassOnRetry.DEFAULT));
  }

  @Test
  void no_more_of_the_past_is_needed_than_the_monitors_that_are_on_look_at() {
    var noon = Instant.parse("2026-03-01T12:00:00Z");
    var id = new MonitorId(new UUID(0, 1));
    var retry = new Monitor(id, "retry", true, PassOnRetry.DEFAULT);
    var failures = new FailureCount(TestStatus.BROKEN, 1, 6, 12, List.of());
    var count = new Monitor(id, "count", true, failures);
    var off = new Monitor(id, "off", false, rate(0.2, 0.1, List.of()));
    var need = HistoryNeed.of(List.of(retry, count, off), noon);
    assertThat(need.splitsSince()).contains(noon.minus(Duration.ofDays(7)));
    assertThat(need.hoursSince()).contains(noon.minus(Duration.ofHours(13)));
    assertThat(need.runsSince()).isEqualTo(Optional.empty());
  }

  private static FailureRate rate(double activation, double resolution, List<Glob> branches) {
    return new FailureRate(TestStatus.BROKEN, activation, resolution, 10, 24, 48, branches);
  }

  private static void accepts(ThrowingCallable maker) {
    assertThatCode(maker).doesNotThrowAnyException();
  }

  private static void refuses(String sentence, ThrowingCallable maker) {
    assertThatThrownBy(maker)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(sentence);
  }
}
