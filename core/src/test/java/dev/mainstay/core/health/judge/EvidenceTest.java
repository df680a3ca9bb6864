package dev.mainstay.core.health.judge;

import static dev.mainstay.core.health.judge.Past.NOON;
import static dev.mainstay.core.health.judge.Past.hoursAgo;
import static dev.mainstay.core.health.judge.Past.monitor;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import dev.mainstay.core.health.BranchClass;
import dev.mainstay.core.health.Monitor;
import dev.mainstay.core.health.MonitorRule.Bayesian;
import dev.mainstay.core.health.TestStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * What histories of others have shown: mended regressions, groups, and rates that are what they
 * are.
 */
class EvidenceTest {
  private static final Monitor BAYESIAN = monitor("bayesian", Bayesian.DEFAULT);

  private static Flakiness of(Past past) {
    return Estimate.of(past.history(), Bayesian.DEFAULT, NOON);
  }

  private static String passes(int count) {
    return "P".repeat(count);
  }

  private static TestStatus status(Past past) {
    return past.judge(NOON, BAYESIAN).after().status();
  }

  @Test
  void a_breakage_that_the_next_commit_mended_waits_for_a_second_sign() {
    for (int before : new int[] {10, 30, 100, 400}) {
      assertThat(status(Past.main(passes(before) + "FPP"))).isEqualTo(TestStatus.HEALTHY);
      assertThat(status(Past.main(passes(before) + "F" + passes(40))))
          .isEqualTo(TestStatus.HEALTHY);
    }
    Judgement again = Past.main(passes(100) + "F" + passes(20) + "FP").judge(NOON, BAYESIAN);
    assertThat(again.after().status()).isEqualTo(TestStatus.FLAKY);
    assertThat(again.after().reason()).contains("failed alone on 2 stable commits");
    assertThat(status(Past.main(passes(100) + "FPP").split("p1", "x", hoursAgo(5))))
        .isEqualTo(TestStatus.FLAKY);
  }

  @Test
  void pull_requests_that_stood_on_a_broken_target_do_not_make_a_mended_test_flaky() {
    for (String broken : new String[] {"F", "FFFFFF", "F".repeat(40)}) {
      var past = Past.main(passes(60) + broken + passes(30));
      for (int i = 0; i < 12; i++) {
        Instant at = hoursAgo(30 + broken.length() - 0.5 - 2.5 * i);
        past.run("x" + i, BranchClass.PULL_REQUEST, "p" + i, at, true, 1, 1000);
      }
      assertThat(status(past)).isEqualTo(TestStatus.HEALTHY);
      assertThat(of(past).signs().elsewhere()).isZero();
    }
  }

  /** Main, and pull requests that failed once each, long before and after what is on main. */
  private static Past onPullRequests(int count, String main) {
    var past = Past.main(main);
    for (int i = 0; i < count; i++) {
      past.run("x" + i, BranchClass.PULL_REQUEST, "p" + i, hoursAgo(2 + i), true, 1, 1000);
    }
    return past;
  }

  @Test
  void pull_requests_that_nobody_retried_count_from_ten_on_or_from_three_beside_a_lone_failure() {
    assertThat(status(onPullRequests(9, passes(60)))).isEqualTo(TestStatus.HEALTHY);
    Judgement ten = onPullRequests(10, passes(60)).judge(NOON, BAYESIAN);
    assertThat(ten.after().status()).isEqualTo(TestStatus.FLAKY);
    assertThat(ten.after().reason()).contains("failed on 10 unrelated pull requests");
    String lone = passes(10) + "F" + passes(100);
    assertThat(status(onPullRequests(2, lone))).isEqualTo(TestStatus.HEALTHY);
    assertThat(status(onPullRequests(3, lone))).isEqualTo(TestStatus.FLAKY);
  }

  @Test
  void what_was_flaky_before_a_regression_is_flaky_after_it() {
    var past = Past.main(passes(30) + "FPPPPPPFPPPPP" + "FFFFFF" + passes(30));
    assertThat(status(past)).isEqualTo(TestStatus.FLAKY);
  }

  /** Main, and times at which the test failed and passed on a commit among so many others. */
  private static Past inGroups(int together, int ranTogether, double... hoursAgo) {
    var past = Past.main(passes(80));
    for (double at : hoursAgo) {
      past.run("x", BranchClass.PULL_REQUEST, "p" + at, hoursAgo(at), true, together, ranTogether)
          .split("p" + at, "x", hoursAgo(at), together);
    }
    return past;
  }

  @Test
  void a_group_that_fails_together_again_and_again_is_flaky() {
    assertThat(status(inGroups(12, 500, 2, 12))).isEqualTo(TestStatus.HEALTHY);
    Judgement thrice = inGroups(12, 500, 2, 12, 30).judge(NOON, BAYESIAN);
    assertThat(thrice.after().status()).isEqualTo(TestStatus.FLAKY);
    assertThat(thrice.after().reason())
        .contains("both failed and passed on 3 commits in the last 28 days")
        .endsWith(", mostly together with many other tests.");
  }

  @Test
  void a_larger_group_takes_one_return_more_and_a_tenth_of_all_tests_is_none() {
    assertThat(status(inGroups(30, 500, 2, 12, 30))).isEqualTo(TestStatus.HEALTHY);
    assertThat(status(inGroups(30, 500, 2, 12, 30, 50))).isEqualTo(TestStatus.FLAKY);
    assertThat(status(inGroups(50, 500, 2, 12, 30, 50, 70))).isEqualTo(TestStatus.HEALTHY);
  }

  @Test
  void one_incident_is_no_group_however_many_commits_it_hit() {
    assertThat(status(inGroups(12, 500, 2, 3, 4, 5, 6, 7))).isEqualTo(TestStatus.HEALTHY);
  }

  @Test
  void a_group_that_failed_alone_on_stable_commits_needs_no_retry() {
    assertThat(status(inGroupsOnMain(Set.of(20, 40, 60)))).isEqualTo(TestStatus.FLAKY);
  }

  @Test
  void a_group_that_failed_on_two_commits_each_time_may_have_been_broken_each_time() {
    assertThat(status(inGroupsOnMain(Set.of(20, 21, 40, 41, 60, 61))))
        .isEqualTo(TestStatus.HEALTHY);
  }

  private static Past inGroupsOnMain(Set<Integer> commits) {
    var past = new Past();
    for (int i = 0; i < 90; i++) {
      boolean failed = commits.contains(i);
      past.run("main", BranchClass.STABLE, "c" + i, hoursAgo(90 - i), failed, failed ? 12 : 1, 500);
    }
    return past;
  }

  /** Main, on whose last commits so many tests failed together. */
  private static Past brokenWith(int together, int commits) {
    var past = new Past();
    for (int i = 0; i < 60 + commits; i++) {
      boolean failed = i >= 60;
      Instant at = hoursAgo(60 + commits - i);
      past.run("main", BranchClass.STABLE, "c" + i, at, failed, failed ? together : 1, 500);
    }
    return past;
  }

  @Test
  void fifteen_tests_broken_at_once_are_broken_after_three_runs() {
    assertThat(status(brokenWith(15, 2))).isEqualTo(TestStatus.HEALTHY);
    Judgement third = brokenWith(15, 3).judge(NOON, BAYESIAN);
    assertThat(third.after().status()).isEqualTo(TestStatus.BROKEN);
    assertThat(third.after().reason())
        .isEqualTo("Fails on main since commit c60, the first after c59: in 3 of 3 runs.");
  }

  @Test
  void a_judgement_is_looked_at_again_when_a_failure_that_it_counts_leaves_the_window() {
    Duration window = Bayesian.DEFAULT.lookBack();
    var past =
        Past.main(passes(60))
            .split("p1", "x", hoursAgo(5))
            .split("p2", "y", hoursAgo(6))
            .split("p3", "z", NOON.minus(window).plus(Duration.ofHours(2)));
    Judgement now = past.judge(NOON, BAYESIAN);
    assertThat(now.after().reason()).contains("on 3 commits");
    assertThat(now.nextReviewAt()).contains(NOON.plus(Duration.ofHours(2)));
  }

  @Test
  void so_many_as_in_an_outage_take_longer() {
    assertThat(status(brokenWith(200, 3))).isEqualTo(TestStatus.HEALTHY);
    assertThat(status(brokenWith(200, 15))).isEqualTo(TestStatus.BROKEN);
  }

  @Test
  void what_is_broken_is_counted_by_jobs_and_not_by_attempts() {
    var past = Past.main(passes(50));
    for (int i = 0; i < 3; i++) {
      for (int attempt = 0; attempt < 3; attempt++) {
        past.run("b" + i, "test", 1000 + i, hoursAgo(0.9 - 0.2 * i), true);
      }
    }
    Judgement broken = past.judge(NOON, BAYESIAN);
    assertThat(broken.after().reason())
        .isEqualTo("Fails on main since commit b0, the first after c49: in 3 of 3 runs.");
    assertThat(broken.decidedBy().orElseThrow().evidence().runs()).isEqualTo(3);
    assertThat(broken.decidedBy().orElseThrow().evidence().failures()).isEqualTo(3);
  }

  @Test
  void a_history_that_begins_broken_does_not_name_what_broke_it() {
    assertThat(Past.main("F".repeat(40)).judge(NOON, BAYESIAN).after().reason())
        .isEqualTo("Fails on main at least since commit c0: in 40 of 40 runs.");
  }

  @Test
  void the_estimate_yields_to_data() {
    var outcomes = new StringBuilder();
    for (int i = 0; i < 50; i++) {
      outcomes.append("FPFPFPFPFFPPFPFFPPFPFPPF".charAt(i % 24));
    }
    Flakiness seen = of(Past.main(outcomes.toString()));
    assertThat(seen.runs()).isEqualTo(50);
    assertThat(seen.failures())
        .isEqualTo(outcomes.chars().filter(outcome -> outcome == 'F').count());
    assertThat(seen.rate()).isCloseTo(seen.failures() / 50.0, offset(0.02));
    assertThat(seen.low()).isLessThan(0.42);
    assertThat(seen.high()).isGreaterThan(0.58);
  }
}
