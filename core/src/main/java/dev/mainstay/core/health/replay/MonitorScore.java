package dev.mainstay.core.health.replay;

import java.util.ArrayList;
import java.util.List;

/**
 * The score of a set of monitors. Flaky tests that a regression broke too are left out: what is
 * found is not clear.
 *
 * @param failed flaky tests that failed for no reason
 * @param failedTwice those that did so twice or more
 * @param missedAlike those of them that were missed and looked as some healthy test did, of all
 *     that were missed: no observer could tell them apart
 * @param falseAlarms what was flagged though nothing was wrong with it
 * @param flaps changes of mind about flaky tests after they were found
 * @param broken regressions, and what was said of them
 * @param gates pull requests that broke something of their own
 * @param intervals true rates that lay within the interval that was given for them
 */
public record MonitorScore(
    Share failed,
    Share failedTwice,
    Share missedAlike,
    Share falseAlarms,
    int flaps,
    List<Double> hoursToFlaky,
    List<Double> failuresToFlaky,
    Broken broken,
    Share gates,
    Intervals intervals) {

  /** So many of all. */
  public record Share(int part, int whole) {
    static final Share NONE = new Share(0, 0);

    Share count(boolean in) {
      return new Share(part + (in ? 1 : 0), whole + 1);
    }

    Share plus(Share other) {
      return new Share(part + other.part, whole + other.whole);
    }

    /** Not a number where there was nothing to count. */
    public double value() {
      return (double) part / whole;
    }
  }

  /**
   * Tests that a commit of the stable branch broke.
   *
   * @param soon those called broken by their third failure on the stable branch, of those that
   *     failed so often there
   * @param named verdicts that named the commit and the one before it, of those that named any
   * @param calledFlaky those that were called flaky at some time
   */
  public record Broken(Share soon, Share named, Share calledFlaky, List<Double> targetRuns) {
    Broken plus(Broken other) {
      return new Broken(
          soon.plus(other.soon),
          named.plus(other.named),
          calledFlaky.plus(other.calledFlaky),
          both(targetRuns, other.targetRuns));
    }
  }

  /**
   * Intervals by the true rate, after about ten runs of the stable branch and at the end; of one
   * test they count once each.
   */
  public record Intervals(Share early, Share rare, Share middling, Share often) {
    static final Intervals NONE = new Intervals(Share.NONE, Share.NONE, Share.NONE, Share.NONE);

    Intervals plus(Intervals other) {
      return new Intervals(
          early.plus(other.early),
          rare.plus(other.rare),
          middling.plus(other.middling),
          often.plus(other.often));
    }

    public Share all() {
      return early.plus(rare).plus(middling).plus(often);
    }
  }

  /** Both together, as if they were one longer measurement. */
  public MonitorScore plus(MonitorScore other) {
    return new MonitorScore(
        failed.plus(other.failed),
        failedTwice.plus(other.failedTwice),
        missedAlike.plus(other.missedAlike),
        falseAlarms.plus(other.falseAlarms),
        flaps + other.flaps,
        both(hoursToFlaky, other.hoursToFlaky),
        both(failuresToFlaky, other.failuresToFlaky),
        broken.plus(other.broken),
        gates.plus(other.gates),
        intervals.plus(other.intervals));
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
