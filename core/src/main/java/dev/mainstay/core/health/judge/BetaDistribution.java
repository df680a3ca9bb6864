package dev.mainstay.core.health.judge;

/**
 * The beta distribution: what is known of a rate after {@code alpha} failures and {@code beta}
 * passes, a prior included.
 */
record BetaDistribution(double alpha, double beta) {
  private static final double STIRLING_FROM = 10;
  private static final double[] STIRLING = {
    1.0 / 12, -1.0 / 360, 1.0 / 1260, -1.0 / 1680, 1.0 / 1188, -691.0 / 360_360
  };

  private static final int MOST_STEPS = 10_000;
  private static final double PRECISION = 1e-15;
  private static final double TINY = 1e-300;

  BetaDistribution {
    if (!(alpha > 0 && beta > 0)) {
      throw new IllegalArgumentException("Both parameters are above 0.");
    }
  }

  double mean() {
    return alpha / (alpha + beta);
  }

  /** The probability that the rate is at most {@code x}: the regularized incomplete beta. */
  double cdf(double x) {
    if (x <= 0) {
      return 0;
    }
    if (x >= 1) {
      return 1;
    }
    double front = Math.exp(alpha * Math.log(x) + beta * Math.log1p(-x) - logBeta(alpha, beta));
    // The fraction converges fast only on this side of the mean.
    return x < (alpha + 1) / (alpha + beta + 2)
        ? front * fraction(alpha, beta, x) / alpha
        : 1 - front * fraction(beta, alpha, 1 - x) / beta;
  }

  static double logBeta(double a, double b) {
    return logGamma(a) + logGamma(b) - logGamma(a + b);
  }

  /** For x above 0: Stirling's series, reached from small arguments by the recurrence. */
  static double logGamma(double x) {
    double product = 1;
    double z = x;
    while (z < STIRLING_FROM) {
      product *= z;
      z++;
    }
    double series = 0;
    double power = 1 / z;
    for (double term : STIRLING) {
      series += term * power;
      power /= z * z;
    }
    return (z - 0.5) * Math.log(z) - z + 0.5 * Math.log(2 * Math.PI) + series - Math.log(product);
  }

  /** The continued fraction of the incomplete beta, from the front, by Lentz' method. */
  private static double fraction(double a, double b, double x) {
    double c = 1;
    double d = 1 / away(1 - (a + b) * x / (a + 1));
    double value = d;
    for (int m = 1; m <= MOST_STEPS; m++) {
      double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
      d = 1 / away(1 + even * d);
      c = away(1 + even / c);
      value *= d * c;
      double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
      d = 1 / away(1 + odd * d);
      c = away(1 + odd / c);
      double step = d * c;
      value *= step;
      if (Math.abs(step - 1) < PRECISION) {
        break;
      }
    }
    return value;
  }

  private static double away(double fromZero) {
    return Math.abs(fromZero) < TINY ? TINY : fromZero;
  }
}
