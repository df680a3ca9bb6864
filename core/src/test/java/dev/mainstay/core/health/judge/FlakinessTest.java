package dev.mainstay.core.health.judge;

import static dev.mainstay.core.health.judge.Past.NOON;
import static dev.mainstay.core.health.judge.Past.hoursAgo;
import static dev.mainstay.core.health.judge.Past.monitor;
import static dev.mainstay.core.health.judge.Past.pullRequest;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.core.health.BranchClass;
import dev.mainstay.core.health.Monitor;
import dev.mainstay.core.health.MonitorRule;
import dev.mainstay.core.health.MonitorRule.Bayesian;
import dev.mainstay.core.health.Standing;
import dev.mainstay.core.health.TestHistory;
import dev.mainstay.core.health.TestStatus;
import dev.mainstay.core.health.judge.Flakiness.Phase;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FlakinessTest {
  private static final Monitor BAYESIAN = monitor("bayesian", Bayesian.DEFAULT);

  private static Flakiness of(Past past) {
    return Estimate.of(past.history(), Bayesian.DEFAULT, NOON);
  }

  private static String passes(int count) {
    return "P".repeat(count);
  }

  @Test
  void a_test_that_always_passed_is_hardly_flaky() {
    Flakiness seen = of(Past.main(passes(200)));
    assertThat(seen.probability()).isLessThan(0.04);
    assertThat(seen.high()).isLessThan(0.02);
    assertThat(seen.phases()).hasSize(1);
    assertThat(seen.brokenNow()).isEmpty();
  }

  @Test
  void failures_from_one_commit_on_are_a_regression_between_two_commits() {
    Flakiness seen = of(Past.main(passes(50) + "FFF"));
    assertThat(seen.probabilityBroken()).isGreaterThan(0.99);
    assertThat(seen.probability()).isLessThan(0.5);
    Phase phase = seen.brokenNow().orElseThrow();
    assertThat(phase.firstCommit()).isEqualTo("c50");
    assertThat(phase.commitBefore()).contains("c49");
    Judgement judgement = Past.main(passes(50) + "FFF").judge(NOON, BAYESIAN);
    assertThat(judgement.after().status()).isEqualTo(TestStatus.BROKEN);
    assertThat(judgement.after().reason())
        .isEqualTo("Fails on main since commit c50, the first after c49: in 3 of 3 runs.");
    assertThat(judgement.decidedBy().orElseThrow().evidence().commits())
        .containsExactly("c50", "c49");
  }

  @Test
  void a_first_failure_is_neither_until_the_next_commit_tells() {
    assertThat(status(Past.main(passes(100) + "F"))).isEqualTo(TestStatus.HEALTHY);
    assertThat(status(Past.main(passes(100) + "FF"))).isEqualTo(TestStatus.BROKEN);
  }

  private static TestStatus status(Past past) {
    return past.judge(NOON, BAYESIAN).after().status();
  }

  @Test
  void lone_failures_among_passes_are_flakiness() {
    var past = Past.main(passes(30) + "F" + passes(25) + "F" + passes(30) + "F" + passes(12));
    Judgement judgement = past.judge(NOON, BAYESIAN);
    assertThat(judgement.after().status()).isEqualTo(TestStatus.FLAKY);
    assertThat(judgement.after().reason())
        .matches(
            "Fails now and then, in about .* % of runs \\(.* % to .* %\\): failed alone on 3 stable"
                + " commits in the last 28 days\\.");
    Flakiness seen = of(past);
    assertThat(seen.low()).isLessThan(seen.rate());
    assertThat(seen.rate()).isBetween(0.01, 0.06);
    assertThat(seen.high()).isGreaterThan(seen.rate());
  }

  @Test
  void as_many_failures_in_a_row_that_ended_were_a_regression() {
    Flakiness seen = of(Past.main(passes(30) + "FFFFFF" + passes(30)));
    assertThat(seen.probability()).isLessThan(0.5);
    assertThat(seen.phases()).extracting(Phase::broken).containsExactly(false, true, false);
    assertThat(seen.phases()).extracting(Phase::firstCommit).containsExactly("c0", "c30", "c36");
    assertThat(seen.failures()).isZero();
  }

  @Test
  void what_was_broken_recovers_when_it_passes_again() {
    Standing broken = Past.main(passes(50) + "FFFF").judge(NOON, BAYESIAN).after();
    var mended = Past.main(passes(50) + "FFFFP").judge(broken, NOON.plusSeconds(1), BAYESIAN);
    assertThat(mended.after().status()).isEqualTo(TestStatus.HEALTHY);
    assertThat(mended.after().reason())
        .isEqualTo("Recovered: passes again on main since commit c54.");
  }

  @Test
  void one_commit_that_went_both_ways_is_proof_enough() {
    var past =
        Past.main(passes(80))
            .run("x", BranchClass.PULL_REQUEST, "p1", hoursAgo(2), true, 1, 1000)
            .split("p1", "x", hoursAgo(2));
    assertThat(past.judge(NOON, BAYESIAN).after().status()).isEqualTo(TestStatus.FLAKY);
    assertThat(past.judge(NOON, BAYESIAN).after().reason())
        .contains("both failed and passed on 1 commit");
    assertThat(
            Past.main(passes(80))
                .run("c79", hoursAgo(1), true)
                .judge(NOON, BAYESIAN)
                .after()
                .status())
        .isEqualTo(TestStatus.FLAKY);
  }

  @Test
  void that_a_rare_one_failed_twice_before_it_passed_does_not_hide_it() {
    var past = Past.main(passes(400)).run("c399", hoursAgo(1), true).run("c399", hoursAgo(1), true);
    assertThat(past.judge(NOON, BAYESIAN).after().status()).isEqualTo(TestStatus.FLAKY);
  }

  @Test
  void but_not_where_many_tests_failed_together() {
    var outage =
        Past.main(passes(80))
            .run("x", BranchClass.PULL_REQUEST, "p1", hoursAgo(2), true, 300, 1000)
            .split("p1", "x", hoursAgo(2))
            .run("main", BranchClass.STABLE, "c79", hoursAgo(1), true, 300, 1000);
    assertThat(outage.judge(NOON, BAYESIAN).after().status()).isEqualTo(TestStatus.HEALTHY);
    assertThat(outage.judge(NOON, monitor("r", MonitorRule.PassOnRetry.DEFAULT)).after().status())
        .isEqualTo(TestStatus.FLAKY);
  }

  /**
   * A pull request on whose commit twelve tests failed, so many of which passed when it was
   * retried.
   */
  private static TestStatus retriedWithTwelve(int splitTogether) {
    return Past.main(passes(80))
        .run("x", BranchClass.PULL_REQUEST, "p1", hoursAgo(2), true, 12, 1000)
        .split("p1", "x", hoursAgo(2), splitTogether)
        .judge(NOON, BAYESIAN)
        .after()
        .status();
  }

  @Test
  void what_a_change_broke_fails_again_and_does_not_hide_the_one_that_passes() {
    assertThat(retriedWithTwelve(1)).isEqualTo(TestStatus.FLAKY);
    assertThat(retriedWithTwelve(3)).isEqualTo(TestStatus.FLAKY);
    assertThat(retriedWithTwelve(4)).isEqualTo(TestStatus.HEALTHY);
    assertThat(retriedWithTwelve(12)).isEqualTo(TestStatus.HEALTHY);
  }

  @Test
  void a_split_whose_failure_is_not_known_any_more_counts_unless_many_share_it() {
    var few = Past.main(passes(80)).split("p1", "x", hoursAgo(2), 9);
    assertThat(few.judge(NOON, BAYESIAN).after().status()).isEqualTo(TestStatus.FLAKY);
    var many = Past.main(passes(80)).split("p1", "x", hoursAgo(2), 10);
    assertThat(many.judge(NOON, BAYESIAN).after().status()).isEqualTo(TestStatus.HEALTHY);
  }

  @Test
  void not_even_where_the_history_begins_with_an_outage() {
    var outage = new Past();
    for (int i = 0; i < 3; i++) {
      outage.run(
          "main", BranchClass.STABLE, "c" + i, hoursAgo(3 - i), i < 2, i < 2 ? 300 : 2, 1000);
      outage.run("main", BranchClass.STABLE, "c" + i, hoursAgo(2.5 - i), i == 0, 300, 1000);
    }
    assertThat(outage.judge(NOON, BAYESIAN).after().status()).isEqualTo(TestStatus.HEALTHY);
  }

  @Test
  void failures_on_one_pull_request_are_its_own_doing() {
    var past = Past.main(passes(80));
    for (int i = 0; i < 6; i++) {
      past.run("x", BranchClass.PULL_REQUEST, "p" + i, hoursAgo(i), true, 1, 1000);
    }
    assertThat(past.judge(NOON, BAYESIAN).after().status()).isEqualTo(TestStatus.HEALTHY);
  }

  @Test
  void failures_on_many_branches_that_contain_one_pull_request_are_its_own_doing() {
    var own = new Past();
    var others = new Past();
    for (int i = 0; i < 40; i++) {
      own.run(pullRequest("queue/" + i, 7, 100 + i), "c" + i, "ci", i, hoursAgo(i), true, 1, 1000);
      others.run(pullRequest("queue/" + i, 100 + i), "c" + i, "ci", i, hoursAgo(i), true, 1, 1000);
    }
    assertThat(own.judge(NOON, BAYESIAN).after().status()).isEqualTo(TestStatus.HEALTHY);
    assertThat(others.judge(NOON, BAYESIAN).after().status()).isEqualTo(TestStatus.FLAKY);
  }

  @Test
  void failures_on_pull_requests_alone_say_little_until_there_are_many() {
    var past = Past.main(passes(80));
    for (int i = 0; i < 9; i++) {
      past.run("x" + i, BranchClass.PULL_REQUEST, "p" + i, hoursAgo(i), true, 1, 1000);
      assertThat(status(past)).isEqualTo(TestStatus.HEALTHY);
    }
    past.run("x9", BranchClass.PULL_REQUEST, "p9", hoursAgo(9), true, 1, 1000);
    assertThat(past.judge(NOON, BAYESIAN).after().reason())
        .contains("failed on 10 unrelated pull requests in the last 28 days");
  }

  /** Four tests that failed and passed on one commit, in an upload of so many. */
  private static TestStatus retriedWithFour(int ranTogether) {
    return Past.main(passes(80))
        .run("x", BranchClass.PULL_REQUEST, "p1", hoursAgo(2), true, 4, ranTogether)
        .split("p1", "x", hoursAgo(2), 4)
        .judge(NOON, BAYESIAN)
        .after()
        .status();
  }

  @Test
  void half_of_a_small_upload_is_many() {
    assertThat(retriedWithFour(8)).isEqualTo(TestStatus.HEALTHY);
    assertThat(retriedWithFour(9)).isEqualTo(TestStatus.FLAKY);
  }

  @Test
  void what_has_not_run_for_a_half_life_is_not_called_broken() {
    TestHistory history = Past.main(passes(50) + "FFF").history();
    Instant last = hoursAgo(1);
    assertThat(brokenAt(history, last.plus(Duration.ofDays(7).minusHours(1)))).isGreaterThan(0.9);
    assertThat(brokenAt(history, last.plus(Duration.ofDays(7).plusHours(1)))).isZero();
  }

  private static double brokenAt(TestHistory history, Instant now) {
    return Estimate.of(history, Bayesian.DEFAULT, now).probabilityBroken();
  }

  @Test
  void after_four_half_lives_nothing_counts() {
    double without = of(Past.main(passes(80))).probability();
    assertThat(of(Past.main(passes(80)).split("p1", "x", Past.daysAgo(29))).probability())
        .isEqualTo(without);
    assertThat(of(Past.main(passes(80)).split("p1", "x", Past.daysAgo(27))).probability())
        .isGreaterThan(without);
  }

  @Test
  void a_test_that_fails_every_other_time_is_flaky_and_not_broken() {
    var outcomes = new StringBuilder();
    var random = new Random(3);
    for (int i = 0; i < 120; i++) {
      outcomes.append(random.nextBoolean() ? 'F' : 'P');
    }
    assertThat(Past.main(outcomes + "FFF").judge(NOON, BAYESIAN).after().status())
        .isEqualTo(TestStatus.FLAKY);
    assertThat(of(Past.main(outcomes + "P")).rate()).isBetween(0.3, 0.6);
  }

  @Test
  void evidence_fades_until_the_test_has_recovered() {
    var past = Past.main(passes(80)).split("p1", "x", hoursAgo(2));
    Judgement judgement = past.judge(NOON, BAYESIAN);
    Instant at = NOON;
    for (int i = 0; judgement.after().status() == TestStatus.FLAKY && i < 100; i++) {
      assertThat(judgement.nextReviewAt().orElseThrow()).isAfter(at);
      at = judgement.nextReviewAt().orElseThrow();
      judgement = past.judge(judgement.after(), at, BAYESIAN);
    }
    assertThat(Duration.between(NOON, at).toDays()).isBetween(5L, 28L);
    assertThat(judgement.after().reason())
        .isEqualTo(
            "Recovered: its last failure without a reason in the code was on 2026-03-10, and 1 run"
                + " had passed since.");
  }

  @Test
  void a_probability_between_the_thresholds_keeps_what_is_and_starts_nothing() {
    var past = Past.main(passes(80)).split("p1", "x", hoursAgo(2));
    Instant later = NOON.plus(Duration.ofDays(9));
    double then = Estimate.of(past.history(), Bayesian.DEFAULT, later).probability();
    assertThat(then).isBetween(0.5, 0.95);
    assertThat(past.judge(later, BAYESIAN).after().status()).isEqualTo(TestStatus.HEALTHY);
    Standing flaky = past.judge(NOON, BAYESIAN).after();
    assertThat(past.judge(flaky, later, BAYESIAN).after().status()).isEqualTo(TestStatus.FLAKY);
  }

  @Test
  void figures_stay_figures_whatever_the_history() {
    for (int seed = 0; seed < 60; seed++) {
      var random = new Random(seed);
      var past = new Past();
      double failing = Math.pow(random.nextDouble(), 3);
      for (int i = random.nextInt(500); i > 0; i--) {
        past.run(
            "c" + random.nextInt(400),
            hoursAgo(random.nextDouble() * 900),
            random.nextDouble() < failing);
      }
      Flakiness seen = of(past);
      assertThat(seen.probability()).isBetween(0.0, 1.0);
      assertThat(seen.probabilityBroken()).isBetween(0.0, 1.0);
      assertThat(seen.low()).isBetween(0.0, seen.rate());
      assertThat(seen.high()).isBetween(seen.rate(), 1.0);
    }
  }
}
