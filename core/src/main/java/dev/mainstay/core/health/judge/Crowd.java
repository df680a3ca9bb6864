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
 * same commit have nothing to do with each other.
 *
 * @param usual how many tests fail in most uploads of stable branches: the lower quartile
 * @param splitTogether how many tests went both ways, by the job on a commit
 */
record Crowd(int usual, Map<Build, Integer> splitTogether) {
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
    var split = new HashMap<Build, Integer>();
    history.splits().forEach(commit -> split.put(Build.of(commit), commit.splitTogether()));
    return new Crowd(together.length < LEAST_UPLOADS ? 0 : together[together.length / 4], split);
  }

  boolean explains(RecentRun failed) {
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
