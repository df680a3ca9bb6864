package dev.mainstay.core.health.judge;

/**
 * Counts runs that failed and passed, old ones weighing less, and says what they tell of the rate.
 * Weights must not make less of the data than there is: so many runs that all weigh the same tell
 * as much as these, and their number is what the distribution is given.
 */
final class RateCount {
  /** The ends of a 90 % interval. */
  static final double LOW = 0.05;

  static final double HIGH = 0.95;

  private static final int ENOUGH = 10;

  private long failures;
  private long runs;
  private double weighedFailures;
  private double weighed;
  private double weighedTwice;

  /** Adds runs of one weight. */
  void add(double weight, int failed, int passed) {
    int count = failed + passed;
    failures += failed;
    runs += count;
    weighedFailures += weight * failed;
    weighed += weight * count;
    weighedTwice += weight * weight * count;
  }

  RateCount and(RateCount other) {
    var both = new RateCount();
    both.failures = failures + other.failures;
    both.runs = runs + other.runs;
    both.weighedFailures = weighedFailures + other.weighedFailures;
    both.weighed = weighed + other.weighed;
    both.weighedTwice = weighedTwice + other.weighedTwice;
    return both;
  }

  long failures() {
    return failures;
  }

  long runs() {
    return runs;
  }

  /** So many that nothing else is asked. */
  boolean isEnough() {
    return runs >= ENOUGH;
  }

  RateDistribution rate() {
    double alike = weighed == 0 ? 0 : weighed * weighed / weighedTwice;
    double failed = weighed == 0 ? 0 : alike * weighedFailures / weighed;
    return new RateDistribution(failed, Math.max(0, alike - failed));
  }
}
