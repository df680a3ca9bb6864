package dev.mainstay.core.health.judge;

/**
 * Three regimes of a stable branch, commit after commit: working, in which a test fails with a rate
 * that flakiness gives it, and two broken ones, in which it all but always fails. A slip is mended
 * by one of the next commits, a lasting breakage is not. A commit begins or ends a broken regime
 * with a small probability, so a run of failures is explained once, by a change; a lone failure is
 * explained by a slip about as well as by a rate, and several more cheaply by a rate.
 */
final class Regimes {
  /** The probability that one commit breaks one test on a stable branch for long. */
  static final double BREAKS = 5e-5;

  /**
   * The same of a commit from which on many tests fail together: something happened to them, and
   * all that is left to know is what.
   */
  static final double BREAKS_A_GROUP = 1e-3;

  /** The probability that it does so until one of the next commits. */
  static final double SLIPS = 1e-5;

  /** The probability that one commit mends what is broken for long. */
  static final double MENDS = 0.02;

  /** The probability that one commit mends a slip. */
  static final double MENDS_A_SLIP = 0.7;

  /** The probability that a history begins broken. */
  static final double BEGINS_BROKEN = 0.02;

  /** The probability that a broken test passes. */
  static final double PASSES_WHILE_BROKEN = 0.001;

  /** The probability that a working test fails on a commit whose uploads many tests failed in. */
  static final double FAILS_IN_A_MASS = 0.3;

  /**
   * The probability that it fails in one run of such a commit where many failed, but less than a
   * tenth of all tests: three such runs are a breakage.
   */
  static final double FAILS_IN_A_GROUP = 0.02;

  private static final int WORKING = 0;
  private static final int SLIP = 1;
  private static final int BROKEN = 2;
  private static final int COUNT = 3;

  private static final double[] BEGINS = {1 - BEGINS_BROKEN, 0, BEGINS_BROKEN};

  /** The probability to go from the regime of the row to that of the column. */
  private static final double[][] MOVES = {
    {1 - BREAKS - SLIPS, SLIPS, BREAKS},
    {MENDS_A_SLIP, 1 - MENDS_A_SLIP, 0},
    {MENDS, 0, 1 - MENDS}
  };

  private static final double[][] LOG_MOVES = new double[COUNT][COUNT];

  static {
    for (int from = 0; from < COUNT; from++) {
      for (int to = 0; to < COUNT; to++) {
        LOG_MOVES[from][to] = Math.log(MOVES[from][to]);
      }
    }
  }

  private static final double LOG_BREAKS = Math.log(BREAKS);
  private static final double LOG_BREAKS_A_GROUP = Math.log(BREAKS_A_GROUP);
  private static final double LOG_MASS = Math.log(FAILS_IN_A_MASS);
  private static final double LOG_GROUP = Math.log(FAILS_IN_A_GROUP);
  private static final double LOG_PASSES_BROKEN = Math.log(PASSES_WHILE_BROKEN);
  private static final double LOG_FAILS_BROKEN = Math.log1p(-PASSES_WHILE_BROKEN);

  private Regimes() {}

  private static boolean isGroup(CommitOutcome commit) {
    return commit.grouped() > 0;
  }

  private static double working(CommitOutcome commit, double logRate, double logPass) {
    if (!commit.hasFailed()) {
      return commit.passes() * logPass;
    }
    return commit.chances() * logRate
        + commit.passes() * logPass
        + commit.groupChances() * Math.max(LOG_GROUP, logRate)
        + (commit.crowded() > 0 ? Math.max(LOG_MASS, logRate) : 0);
  }

  private static double broken(CommitOutcome commit) {
    return commit.allFailures() * LOG_FAILS_BROKEN + commit.passes() * LOG_PASSES_BROKEN;
  }

  /**
   * The log likelihood of the likeliest course under a rate of flakiness, each commit weighing as
   * much as said; which commits were broken in it goes into {@code course}, unless that is empty.
   * Weights that shrink alike shrink the log likelihood alike, and leave the course as it is.
   */
  static double likeliest(Track track, double rate, boolean[] course) {
    int n = track.size();
    // Whoever is not looked at works, and came from working.
    byte[][] cameFrom = new byte[course.length][COUNT];
    double logRate = Math.log(rate);
    double logPass = Math.log1p(-rate);
    double working = 0;
    double slip = Double.NEGATIVE_INFINITY;
    double broken = Math.log(BEGINS_BROKEN) * (n == 0 ? 0 : track.weights[0]);
    for (int i = 0; i < n; i = track.next(i)) {
      CommitOutcome commit = track.commits.get(i);
      double w = track.weights[i];
      if (i > 0) {
        double stays = working + w * LOG_MOVES[WORKING][WORKING];
        double slipMends = slip + w * LOG_MOVES[SLIP][WORKING];
        double mends = broken + w * LOG_MOVES[BROKEN][WORKING];
        double slips = working + w * LOG_MOVES[WORKING][SLIP];
        double slipLasts = slip + w * LOG_MOVES[SLIP][SLIP];
        double breaks = working + w * (isGroup(commit) ? LOG_BREAKS_A_GROUP : LOG_BREAKS);
        double lasts = broken + w * LOG_MOVES[BROKEN][BROKEN];
        if (course.length > 0) {
          cameFrom[i][WORKING] =
              (byte)
                  (mends > Math.max(stays, slipMends)
                      ? BROKEN
                      : slipMends > stays ? SLIP : WORKING);
          cameFrom[i][SLIP] = (byte) (slipLasts > slips ? SLIP : WORKING);
          cameFrom[i][BROKEN] = (byte) (lasts > breaks ? BROKEN : WORKING);
        }
        working = Math.max(mends, Math.max(stays, slipMends));
        slip = Math.max(slips, slipLasts);
        broken = Math.max(breaks, lasts);
      }
      double failing = w * broken(commit);
      working += w * working(commit, logRate, logPass);
      slip += failing;
      broken += failing;
      int next = track.next(i);
      if (next > i + 1) {
        working +=
            track.weighed(i, next) * LOG_MOVES[WORKING][WORKING] + track.passed(i, next) * logPass;
        slip = Double.NEGATIVE_INFINITY;
        broken = Double.NEGATIVE_INFINITY;
      }
    }
    int now = Math.max(slip, broken) > working ? (broken >= slip ? BROKEN : SLIP) : WORKING;
    for (int i = course.length - 1; i >= 0; i--) {
      course[i] = now != WORKING;
      now = cameFrom[i][now];
    }
    return Math.max(working, Math.max(slip, broken));
  }

  /** Log likelihoods of all courses that end working, and of all that end broken. */
  record Ends(double working, double broken) {}

  /** Sums over all courses, scaled as they grow small; all commits weigh the same. */
  static Ends ends(Track track, double rate) {
    double logRate = Math.log(rate);
    double logPass = Math.log1p(-rate);
    double working = BEGINS[WORKING];
    double slip = BEGINS[SLIP];
    double broken = BEGINS[BROKEN];
    double scale = 0;
    for (int i = 0; i < track.size(); i = track.next(i)) {
      CommitOutcome commit = track.commits.get(i);
      if (i > 0) {
        double worked = working;
        working =
            working * MOVES[WORKING][WORKING]
                + slip * MOVES[SLIP][WORKING]
                + broken * MOVES[BROKEN][WORKING];
        slip = worked * MOVES[WORKING][SLIP] + slip * MOVES[SLIP][SLIP];
        broken =
            worked * (isGroup(commit) ? BREAKS_A_GROUP : BREAKS) + broken * MOVES[BROKEN][BROKEN];
      }
      double logWorking = working(commit, logRate, logPass);
      double logBroken = broken(commit);
      double larger = Math.max(logWorking, logBroken);
      double fails = Math.exp(logBroken - larger);
      working *= Math.exp(logWorking - larger);
      slip *= fails;
      broken *= fails;
      double total = working + slip + broken;
      working /= total;
      slip /= total;
      broken /= total;
      scale += larger + Math.log(total);
      int next = track.next(i);
      scale +=
          track.weighed(i, next) * LOG_MOVES[WORKING][WORKING] + track.passed(i, next) * logPass;
    }
    return new Ends(scale + Math.log(working), scale + Math.log(slip + broken));
  }

  /** The logarithm of the sum of what two logarithms stand for. */
  static double sum(double one, double other) {
    double larger = Math.max(one, other);
    return larger == Double.NEGATIVE_INFINITY
        ? larger
        : larger + Math.log1p(Math.exp(Math.min(one, other) - larger));
  }
}
