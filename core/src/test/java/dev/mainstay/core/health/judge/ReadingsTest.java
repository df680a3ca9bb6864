package dev.mainstay.core.health.judge;

import static dev.mainstay.core.health.judge.Past.NOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import dev.mainstay.core.health.MonitorRule.Bayesian;
import java.util.Random;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;

/** What is known of a rate, where it is not clear which failures were a breakage. */
class ReadingsTest {
  private static Flakiness of(String outcomes) {
    return Estimate.of(Past.main(outcomes).history(), Bayesian.DEFAULT, NOON);
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
