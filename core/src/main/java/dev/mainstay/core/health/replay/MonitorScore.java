package dev.mainstay.core.health.replay;

import java.util.ArrayList;
import java.util.List;

/**
 * The score of a set of monitors. A flag is a change from healthy to something else; it is right
 * when the test is flaky, or is broken on the stable branch or was in the day before.
 *
 * @param failedFlaky those flaky tests that failed for no reason at least once
 * @param foundFlaky those that were flagged when or after they first did
 * @param flakyAsFlaky those of them that were called flaky and not broken
 * @param healthy tests that are neither flaky nor ever broken on the stable branch
 * @param spared those of them that were never flagged
 * @param brokenAsBroken regressions that were called broken while they lasted
 * @param changes of status, of tests that were flagged at all
 */
public record MonitorScore(
    int flags,
    int rightFlags,
    int flaky,
    int failedFlaky,
    int foundFlaky,
    int flakyAsFlaky,
    int regressions,
    int foundRegressions,
    int brokenAsBroken,
    int healthy,
    int spared,
    int flaggedTests,
    int changes,
    List<Double> hoursToFlaky,
    List<Double> runsToFlaky,
    List<Double> failuresToFlaky,
    List<Double> hoursToBroken,
    List<Double> runsToBroken) {
  public double precision() {
    return share(rightFlags, flags);
  }

  public double recall() {
    return share(foundFlaky, flaky);
  }

  public double recallOfFailed() {
    return share(foundFlaky, failedFlaky);
  }

  public double sparedShare() {
    return share(spared, healthy);
  }

  /** The share of regressions that were called broken while they lasted. */
  public double recallOfBroken() {
    return share(brokenAsBroken, regressions);
  }

  public double changesPerFlagged() {
    return (double) changes / Math.max(1, flaggedTests);
  }

  private static double share(int part, int whole) {
    return whole == 0 ? 1 : (double) part / whole;
  }

  /** Both together, as if they were one longer measurement. */
  public MonitorScore plus(MonitorScore other) {
    return new MonitorScore(
        flags + other.flags,
        rightFlags + other.rightFlags,
        flaky + other.flaky,
        failedFlaky + other.failedFlaky,
        foundFlaky + other.foundFlaky,
        flakyAsFlaky + other.flakyAsFlaky,
        regressions + other.regressions,
        foundRegressions + other.foundRegressions,
        brokenAsBroken + other.brokenAsBroken,
        healthy + other.healthy,
        spared + other.spared,
        flaggedTests + other.flaggedTests,
        changes + other.changes,
        both(hoursToFlaky, other.hoursToFlaky),
        both(runsToFlaky, other.runsToFlaky),
        both(failuresToFlaky, other.failuresToFlaky),
        both(hoursToBroken, other.hoursToBroken),
        both(runsToBroken, other.runsToBroken));
  }

  private static List<Double> both(List<Double> one, List<Double> other) {
    var all = new ArrayList<>(one);
    all.addAll(other);
    return all;
  }

  /** The middle one, or not a number where there is none. */
  public static double median(List<Double> values) {
    return values.isEmpty()
        ? Double.NaN
        : values.stream().sorted().toList().get((values.size() - 1) / 2);
  }
}
