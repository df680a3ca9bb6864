package dev.mainstay.core.health.judge;

/**
 * The rates of flakiness that are weighed against each other, the first being that of a healthy
 * test, and how common each is before anything is known: about one test in twenty-five is flaky,
 * and half of those fail in less than one run of a hundred.
 */
final class FlakeRates {
  static final double[] VALUES = {
    1e-8, 1e-4, 3e-4, 1e-3, 3e-3, 0.01, 0.03, 0.1, 0.2, 0.35, 0.55, 0.75, 0.9
  };

  private static final double FLAKY = 0.04;
  private static final double[] SHARES = {
    0.12, 0.10, 0.10, 0.12, 0.14, 0.10, 0.10, 0.07, 0.06, 0.05, 0.03, 0.01
  };

  private FlakeRates() {}

  static double logPrior(int index) {
    return Math.log(index == 0 ? 1 - FLAKY : FLAKY * SHARES[index - 1]);
  }

  /** The probability of each rate, from what the evidence says to each; they add up to one. */
  static double[] posterior(double[] logLikelihoods) {
    double[] log = new double[VALUES.length];
    double total = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < log.length; i++) {
      log[i] = logPrior(i) + logLikelihoods[i];
      total = Regimes.sum(total, log[i]);
    }
    for (int i = 0; i < log.length; i++) {
      log[i] = Math.exp(log[i] - total);
    }
    return log;
  }
}
