package dev.mainstay.core.health.judge;

import dev.mainstay.core.health.BranchClass;
import dev.mainstay.core.health.TestHistory;
import dev.mainstay.core.health.TestHistory.RecentRun;
import dev.mainstay.core.health.TestHistory.SplitCommit;
import java.util.HashMap;
import java.util.Map;

/**
 * Tells failures that many tests shared, as in an outage, from those of a test's own. Many is at
 * least ten and three times as many as usually fail together, or half of a small upload. Up to
 * twice that many may also be a change's doing: then they fail again, and the few that pass on the
 * same commit have nothing to do with each other. Some tests that fail together for no reason again
 * and again are no outage but a group, each of them flaky.
 *
 * @param usual how many tests fail in most uploads of stable branches: the lower quartile
 * @param splitTogether how many tests went both ways, by the job on a commit
 * @param recurs groups that the test failed with came back
 */
record Crowd(int usual, Map<Build, Integer> splitTogether, boolean recurs) {
  /** The company in which a test failed. */
  enum Company {
    /** Its own failure, whoever else failed. */
    ALONE,
    /** Many, but less than a tenth of all tests: a change may have broken them. */
    GROUP,
    /** So many that something outside of the code is likelier. */
    MASS
  }

  /** So many tests at once are never a matter of each. */
  static final int LEAST = 10;

  private static final int LEAST_OF_FEW = 3;
  private static final int TIMES_THE_USUAL = 3;

  /** Of fewer nothing is usual: the first of them may all lie in an outage. */
  private static final int LEAST_UPLOADS = 20;

  private static final int GROUP_OF_ALL = 10;

  static Crowd of(TestHistory history) {
    int[] together =
        history.runs().stream()
            .filter(run -> run.branchClass() == BranchClass.STABLE)
            .mapToInt(RecentRun::failedTogether)
            .sorted()
            .toArray();
    var split = new HashMap<Build, Integer>();
    history.splits().forEach(commit -> split.put(Build.of(commit), commit.splitTogether()));
    return new Crowd(
        together.length < LEAST_UPLOADS ? 0 : together[together.length / 4], split, false);
  }

  /** The same, knowing whether groups came back. */
  Crowd knowing(boolean itRecurs) {
    return new Crowd(usual, splitTogether, itRecurs);
  }

  Company companyOf(RecentRun failed) {
    if (!isMany(failed)) {
      return Company.ALONE;
    }
    if ((long) failed.failedTogether() * GROUP_OF_ALL >= failed.ranTogether()) {
      return Company.MASS;
    }
    return recurs ? Company.ALONE : Company.GROUP;
  }

  boolean explains(RecentRun failed) {
    return companyOf(failed) != Company.ALONE;
  }

  private boolean isMany(RecentRun failed) {
    int failedTogether = failed.failedTogether();
    int together = splitTogether.getOrDefault(Build.of(failed), failedTogether);
    return failedTogether >= 2 * many()
        || (failedTogether >= many() && together > few())
        || (together >= LEAST_OF_FEW && together * 2L >= failed.ranTogether());
  }

  /** The crowd explains a split commit none of whose failures is known any more. */
  boolean explains(SplitCommit split) {
    return split.splitTogether() >= many();
  }

  private int many() {
    return Math.max(LEAST, TIMES_THE_USUAL * usual);
  }

  private int few() {
    return Math.max(LEAST_OF_FEW, 2 * usual);
  }
}
