package dev.mainstay.core.health;

import dev.mainstay.core.health.TestHistory.RecentRun;

/**
 * Tells failures that many tests shared, as in an outage, from those of a test's own. Many is at
 * least ten and three times as many as usually fail together, or half of a small upload.
 *
 * @param usual how many tests fail in the uploads of stable branches, the median
 */
record Crowd(int usual) {
  private static final int LEAST = 10;
  private static final int LEAST_OF_FEW = 3;
  private static final int TIMES_THE_USUAL = 3;

  static Crowd of(TestHistory history) {
    int[] together =
        history.runs().stream()
            .filter(run -> run.branchClass() == BranchClass.STABLE)
            .mapToInt(RecentRun::failedTogether)
            .sorted()
            .toArray();
    return new Crowd(together.length == 0 ? 0 : together[together.length / 2]);
  }

  boolean explains(RecentRun failed) {
    int together = failed.failedTogether();
    return together >= Math.max(LEAST, TIMES_THE_USUAL * usual)
        || (together >= LEAST_OF_FEW && together * 2L >= failed.ranTogether());
  }
}
