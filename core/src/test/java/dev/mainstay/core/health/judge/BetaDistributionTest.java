package dev.mainstay.core.health.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class BetaDistributionTest {
  private static final Offset<Double> CLOSE = within(1e-12);

  @Test
  void the_logarithm_of_gamma_is_that_of_the_factorials_and_known_values() {
    double factorial = 1;
    for (int n = 1; n <= 20; n++) {
      assertThat(BetaDistribution.logGamma(n)).isCloseTo(Math.log(factorial), CLOSE);
      factorial *= n;
    }
    assertThat(BetaDistribution.logGamma(0.5)).isCloseTo(Math.log(Math.PI) / 2, CLOSE);
    assertThat(BetaDistribution.logGamma(100)).isCloseTo(359.1342053695754, CLOSE);
    assertThat(BetaDistribution.logGamma(0.001)).isCloseTo(6.907178885383854, CLOSE);
  }

  @Test
  void the_distribution_is_that_of_its_closed_forms() {
    for (double x : new double[] {1e-9, 0.01, 0.3, 0.5, 0.77, 0.999}) {
      assertThat(new BetaDistribution(1, 1).cdf(x)).isCloseTo(x, CLOSE);
      assertThat(new BetaDistribution(0.25, 1).cdf(x)).isCloseTo(Math.pow(x, 0.25), CLOSE);
      assertThat(new BetaDistribution(1, 30).cdf(x)).isCloseTo(1 - Math.pow(1 - x, 30), CLOSE);
      assertThat(new BetaDistribution(0.5, 0.5).cdf(x))
          .isCloseTo(2 / Math.PI * Math.asin(Math.sqrt(x)), CLOSE);
    }
    assertThat(new BetaDistribution(2, 3).cdf(0.5)).isCloseTo(0.6875, CLOSE);
  }

  @Test
  void it_is_the_tail_of_a_binomial() {
    int n = 40;
    double p = 0.15;
    for (int k = 1; k <= n; k++) {
      double tail = 0;
      for (int i = k; i <= n; i++) {
        double ways =
            BetaDistribution.logGamma(n + 1)
                - BetaDistribution.logGamma(i + 1)
                - BetaDistribution.logGamma(n - i + 1);
        tail += Math.exp(ways + i * Math.log(p) + (n - i) * Math.log(1 - p));
      }
      assertThat(new BetaDistribution(k, n - k + 1).cdf(p)).isCloseTo(tail, CLOSE);
    }
  }

  @Test
  void outside_of_zero_and_one_there_is_nothing() {
    assertThat(new BetaDistribution(2, 3).cdf(-1)).isZero();
    assertThat(new BetaDistribution(2, 3).cdf(2)).isEqualTo(1);
  }
}
