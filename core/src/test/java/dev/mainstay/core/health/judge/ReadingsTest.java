package dev.mainstay.core.health.judge;

import static dev.mainstay.core.health.judge.Past.NOON;
import static dev.mainstay.core.health.judge.Past.hoursAgo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import dev.mainstay.core.health.BranchClass;
import dev.mainstay.core.health.MonitorRule.Bayesian;
import java.util.Random;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;

/** What is known of a rate, where it is not clear which failures were a breakage. */
class ReadingsTest {
  private static Flakiness of(String outcomes) {
    return of(Past.main(outcomes));
  }

  private static String outcomes(Random random, int runs, double rate) {
    var outcomes = new StringBuilder();
    for (int i = 0; i < runs; i++) {
      outcomes.append(random.nextDouble() < rate ? 'F' : 'P');
    }
    return outcomes.toString();
  }

  @Test
  void ninety_percent_intervals_hold_the_rate_as_often_as_they_say() {
    var random = new Random(11);
    var all = new SoftAssertions();
    for (double rate : new double[] {0.001, 0.003, 0.01, 0.03, 0.1, 0.2, 0.35, 0.5, 0.7, 0.9}) {
      int held = 0;
      int histories = 0;
      for (int runs : new int[] {10, 20, 50, 120, 300}) {
        for (int i = 0; i < 20; i++) {
          Flakiness seen = of(outcomes(random, runs, rate));
          held += seen.low() <= rate && rate <= seen.high() ? 1 : 0;
          histories++;
        }
      }
      // Of a test that has hardly run no interval is short enough to miss its rate.
      all.assertThat((double) held / histories).as("rate " + rate).isBetween(0.82, 1.0);
    }
    all.assertAll();
  }

  @Test
  void a_row_of_failures_counts_where_failing_is_usual_and_not_where_it_is_a_breakage() {
    Flakiness often = of("FFFFFPFPPFFPFFPF");
    assertThat(often.failures()).isEqualTo(11);
    assertThat(often.runs()).isEqualTo(16);
    assertThat(often.rate()).isCloseTo(11.0 / 16, offset(0.05));
    Flakiness mended = of("P".repeat(40) + "FFFFFF" + "P".repeat(40));
    assertThat(mended.failures()).isZero();
    assertThat(mended.runs()).isEqualTo(80);
    assertThat(mended.high()).isLessThan(0.05);
  }

  @Test
  void one_failure_that_may_have_been_mended_counts_since_nobody_can_tell() {
    Flakiness seen = of("P".repeat(60) + "F" + "P".repeat(39));
    assertThat(seen.failures()).isEqualTo(1);
    assertThat(seen.high()).isBetween(0.03, 0.06);
  }

  @Test
  void what_never_passed_may_be_broken_or_fail_often_and_the_interval_says_so() {
    Flakiness seen = of("F".repeat(12));
    assertThat(seen.low()).isLessThan(0.1);
    assertThat(seen.high()).isGreaterThan(0.9);
    Flakiness broken = of("F".repeat(400));
    assertThat(broken.high()).isLessThanOrEqualTo(RateDistribution.MOST);
    assertThat(broken.low()).isLessThan(0.1);
  }

  /** Passes of pull requests, an hour apart, the last an hour ago. */
  private static Past elsewhere(String main, int passes) {
    var past = Past.main(main);
    for (int i = 0; i < passes; i++) {
      past.run("x" + i, BranchClass.PULL_REQUEST, "p" + i, hoursAgo(1 + i), false, 0, 1000);
    }
    return past;
  }

  private static Flakiness of(Past past) {
    return Estimate.of(past.history(), Bayesian.DEFAULT, NOON);
  }

  @Test
  void where_the_stable_branch_hardly_ran_passes_and_retries_elsewhere_count() {
    Flakiness few =
        of(
            elsewhere("PPP", 37)
                .run("y", BranchClass.PULL_REQUEST, "q", hoursAgo(3), true, 1, 1000)
                .split("q", "y", hoursAgo(3)));
    assertThat(few.runs()).isEqualTo(41);
    assertThat(few.failures()).isEqualTo(1);
    assertThat(few.rate()).isCloseTo(1.5 / 42, offset(0.002));
    Flakiness enough =
        of(
            elsewhere("PPPPPPPPPP", 37)
                .run("y", BranchClass.PULL_REQUEST, "q", hoursAgo(3), true, 1, 1000)
                .split("q", "y", hoursAgo(3)));
    assertThat(enough.runs()).isEqualTo(10);
  }

  @Test
  void failures_that_nobody_retried_count_as_far_as_flakiness_explains_them() {
    Past past = elsewhere("PPP", 37);
    for (int i = 0; i < 10; i++) {
      past.run("y" + i, BranchClass.PULL_REQUEST, "q" + i, hoursAgo(3 * i + 2), true, 1, 1000);
    }
    assertThat(of(past).rate()).isCloseTo(10.5 / 51, offset(0.02));
    Past one =
        elsewhere("PPP", 37).run("y", BranchClass.PULL_REQUEST, "q", hoursAgo(3), true, 1, 1000);
    one.run("z", BranchClass.PULL_REQUEST, "r", hoursAgo(9), true, 1, 1000);
    assertThat(of(one).rate()).isLessThan(2.0 / 42);
  }

  @Test
  void what_pull_requests_inherit_from_a_broken_branch_says_nothing_of_the_rate() {
    Past past = elsewhere("PPPPP" + "F".repeat(30), 37).split("s", "w", hoursAgo(50));
    for (int i = 0; i < 6; i++) {
      past.run("y" + i, BranchClass.PULL_REQUEST, "q" + i, hoursAgo(i + 0.5), true, 1, 1000);
    }
    assertThat(of(past).low()).isLessThan(0.01);
    assertThat(of(past).rate()).isLessThan(0.1);
  }

  @Test
  void old_runs_weigh_less_and_the_interval_is_that_of_all_of_them() {
    Flakiness seen = of("PPPPFPPPPP".repeat(30));
    assertThat(seen.high() - seen.low()).isBetween(0.054, 0.067);
    Flakiness lately = of("P".repeat(150) + "PPFPP".repeat(30));
    assertThat(lately.rate()).isGreaterThan(30.0 / 300 + 0.01);
  }

  @Test
  void a_distribution_ends_where_failing_is_the_rule() {
    var known = new RateDistribution(30, 0);
    assertThat(known.below(RateDistribution.MOST)).isEqualTo(1);
    assertThat(known.below(0.93)).isBetween(0.1, 0.9);
    assertThat(known.mean()).isBetween(0.85, RateDistribution.MOST);
    assertThat(new RateDistribution(1e7, 0).mean()).isNotNaN();
  }

  @Test
  void probabilities_of_all_outcomes_add_up_to_one() {
    double sum = 0;
    double ways = 1;
    for (int failures = 0; failures <= 12; failures++) {
      sum += ways * Math.exp(RateDistribution.logProbability(failures, 12 - failures));
      ways = ways * (12 - failures) / (failures + 1);
    }
    assertThat(sum).isCloseTo(1, offset(1e-9));
  }
}
