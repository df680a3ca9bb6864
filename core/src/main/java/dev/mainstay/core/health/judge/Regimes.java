package dev.mainstay.core.health.judge;

import java.util.List;

/**
 * Two regimes of a stable branch, commit after commit: working, in which a test fails with a rate
 * that flakiness gives it, and broken, in which it all but always fails. A commit begins or ends
 * the broken regime with a small probability, so a run of failures is explained once, by a change,
 * and a lone failure more cheaply by a rate.
 */
final class Regimes {
  /** The probability that one commit breaks one test on a stable branch. */
  static final double BREAKS = 2e-5;

  /** The probability that one commit mends what is broken. */
  static final double MENDS = 0.02;

  /** The probability that a history begins broken. */
  static final double BEGINS_BROKEN = 0.02;

  /** The probability that a broken test passes. */
  static final double PASSES_WHILE_BROKEN = 0.001;

  /** The probability that a working test fails on a commit whose uploads many tests failed in. */
  static final double FAILS_IN_A_CROWD = 0.3;

  private static final double LOG_BREAKS = Math.log(BREAKS);
  private static final double LOG_STAYS = Math.log1p(-BREAKS);
  private static final double LOG_MENDS = Math.log(MENDS);
  private static final double LOG_STAYS_BROKEN = Math.log1p(-MENDS);
  private static final double LOG_CROWD = Math.log(FAILS_IN_A_CROWD);
  private static final double LOG_PASSES_BROKEN = Math.log(PASSES_WHILE_BROKEN);
  private static final double LOG_FAILS_BROKEN = Math.log1p(-PASSES_WHILE_BROKEN);

  private Regimes() {}

  private static double working(CommitOutcome commit, double logRate, double logPass) {
    return commit.chances() * logRate
        + commit.passes() * logPass
        + (commit.crowded() > 0 ? LOG_CROWD : 0);
  }

  private static double broken(CommitOutcome commit) {
    return (commit.failures() + commit.crowded()) * LOG_FAILS_BROKEN
        + commit.passes() * LOG_PASSES_BROKEN;
  }

  /**
   * The log likelihood of the likeliest course under a rate of flakiness, each commit weighing as
   * much as said; which commits were broken in it goes into {@code course}, unless that is empty.
   * Weights that shrink alike shrink the log likelihood alike, and leave the course as it is.
   */
  static double likeliest(
      List<CommitOutcome> commits, double rate, double[] weights, boolean[] course) {
    int n = commits.size();
    boolean[] fromBroken = new boolean[n];
    boolean[] brokenFromBroken = new boolean[n];
    double logRate = Math.log(rate);
    double logPass = Math.log1p(-rate);
    double working = 0;
    double broken = Math.log(BEGINS_BROKEN) * (n == 0 ? 0 : weights[0]);
    for (int i = 0; i < n; i++) {
      CommitOutcome commit = commits.get(i);
      double w = weights[i];
      if (i > 0) {
        double mends = broken + w * LOG_MENDS;
        double stays = working + w * LOG_STAYS;
        double breaks = working + w * LOG_BREAKS;
        double stayed = broken + w * LOG_STAYS_BROKEN;
        fromBroken[i] = mends > stays;
        brokenFromBroken[i] = stayed > breaks;
        working = Math.max(mends, stays);
        broken = Math.max(stayed, breaks);
      }
      working += w * working(commit, logRate, logPass);
      broken += w * broken(commit);
    }
    boolean now = broken > working;
    for (int i = course.length - 1; i >= 0; i--) {
      course[i] = now;
      now = now ? brokenFromBroken[i] : fromBroken[i];
    }
    return Math.max(working, broken);
  }

  /** Log likelihoods of all courses that end working, and of all that end broken. */
  record Ends(double working, double broken) {}

  /** Sums over all courses, scaled as they grow small. */
  static Ends ends(List<CommitOutcome> commits, double rate) {
    double logRate = Math.log(rate);
    double logPass = Math.log1p(-rate);
    double working = 1 - BEGINS_BROKEN;
    double broken = BEGINS_BROKEN;
    double scale = 0;
    for (int i = 0; i < commits.size(); i++) {
      CommitOutcome commit = commits.get(i);
      if (i > 0) {
        double worked = working;
        working = working * (1 - BREAKS) + broken * MENDS;
        broken = worked * BREAKS + broken * (1 - MENDS);
      }
      double logWorking = working(commit, logRate, logPass);
      double logBroken = broken(commit);
      double larger = Math.max(logWorking, logBroken);
      working *= Math.exp(logWorking - larger);
      broken *= Math.exp(logBroken - larger);
      double total = working + broken;
      working /= total;
      broken /= total;
      scale += larger + Math.log(total);
    }
    return new Ends(scale + Math.log(working), scale + Math.log(broken));
  }

  /** The logarithm of the sum of what two logarithms stand for. */
  static double sum(double one, double other) {
    double larger = Math.max(one, other);
    return larger == Double.NEGATIVE_INFINITY
        ? larger
        : larger + Math.log1p(Math.exp(Math.min(one, other) - larger));
  }
}
