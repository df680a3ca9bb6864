package dev.mainstay.core.health;

import dev.mainstay.core.health.TestHistory.RecentRun;

/**
 * Tells failures that many tests shared, as in an outage, from those of a test's own. Many is at
 * least ten and three times as many as usually fail together, or half of a small upload.
 *
 * @param usual how many tests fail in most uploads of stable branches: the lower quartile
 */
record Crowd(int usual) {
  private static final int LEAST = 10;
  private static final int LEAST_OF_FEW = 3;
  private static final int TIMES_THE_USUAL = 3;

  /** Of fewer nothing is usual: the first of them may all lie in an outage. */
  private static final int LEAST_UPLOADS = 20;

  static Crowd of(TestHistory history) {
    int[] together =
        history.runs().stream()
            .filter(run -> run.branchClass() == BranchClass.STABLE)
            .mapToInt(RecentRun::failedTogether)
            .sorted()
            .toArray();
    return new Crowd(together.length < LEAST_UPLOADS ? 0 : together[together.length / 4]);
  }

  boolean explains(RecentRun failed) {
    int together = failed.failedTogether();
    return together >= Math.max(LEAST, TIMES_THE_USUAL * usual)
        || (together >= LEAST_OF_FEW && together * 2L >= failed.ranTogether());
  }
}
