package dev.mainstay.core.health.judge;

/**
 * What is known of a rate of flakiness after some runs: a beta distribution that ends where failing
 * becomes the rule. What fails more often than that is broken.
 */
final class RateDistribution {
  /** No flaky test fails more often. */
  static final double MOST = 0.95;

  /**
   * What is believed before any run, as if one had been seen that half failed: Jeffreys' prior.
   * Intervals by it hold the rate about as often as they say for small rates and large ones; priors
   * that expect small rates are too sure after some passes.
   */
  private static final BetaDistribution PRIOR = new BetaDistribution(0.5, 0.5);

  private static final double LOG_PRIOR =
      BetaDistribution.logBeta(PRIOR.alpha(), PRIOR.beta()) + Math.log(PRIOR.cdf(MOST));

  private final BetaDistribution whole;
  private final double kept;

  RateDistribution(double failures, double passes) {
    whole = new BetaDistribution(PRIOR.alpha() + failures, PRIOR.beta() + passes);
    kept = Math.max(whole.cdf(MOST), Double.MIN_NORMAL);
  }

  double mean() {
    double more = new BetaDistribution(whole.alpha() + 1, whole.beta()).cdf(MOST);
    return whole.mean() * more / kept;
  }

  /** The probability that the rate is at most {@code x}. */
  double below(double x) {
    return x >= MOST ? 1 : whole.cdf(x) / kept;
  }

  /** How probable these runs are, in one order, if nothing but the prior is known of the rate. */
  static double logProbability(double failures, double passes) {
    var after = new RateDistribution(failures, passes);
    return BetaDistribution.logBeta(after.whole.alpha(), after.whole.beta())
        + Math.log(after.kept)
        - LOG_PRIOR;
  }
}
