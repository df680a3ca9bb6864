package dev.mainstay.core.health.judge;

import dev.mainstay.core.health.TestHistory;
import dev.mainstay.core.health.TestHistory.RecentRun;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Tells a group of tests that fail together for no reason from one incident: it comes back. An
 * incident counts where the test failed in a group and passed, on the same commit or on the stable
 * ones before and after it.
 */
final class GroupReturns {
  private static final int LEAST = 3;

  /** A group that is a larger part of all tests takes one return more. */
  private static final int SMALL_PART = 25;

  /** Failures closer together than that are of one incident. */
  private static final Duration BETWEEN_INCIDENTS = Duration.ofHours(6);

  private GroupReturns() {}

  static boolean areEnough(
      TestHistory history, Crowd crowd, Map<CommitOutcome.Line, List<CommitOutcome>> stable) {
    Set<Build> passing = new HashSet<>(crowd.splitTogether().keySet());
    stable.values().forEach(commits -> addLone(commits, passing));
    var times = new ArrayList<Instant>();
    int least = LEAST;
    for (RecentRun run : history.runs()) {
      if (run.failed()
          && passing.contains(Build.of(run))
          && crowd.companyOf(run) == Crowd.Company.GROUP) {
        times.add(run.at());
        if ((long) run.failedTogether() * SMALL_PART > run.ranTogether()) {
          least = LEAST + 1;
        }
      }
    }
    return incidents(times) >= least;
  }

  private static void addLone(List<CommitOutcome> commits, Set<Build> passing) {
    for (int i = 1; i < commits.size() - 1; i++) {
      if (commits.get(i).hasFailed()
          && !commits.get(i - 1).hasFailed()
          && !commits.get(i + 1).hasFailed()) {
        passing.add(commits.get(i).build());
      }
    }
  }

  private static int incidents(List<Instant> times) {
    times.sort(Comparator.naturalOrder());
    int incidents = 0;
    for (int i = 0; i < times.size(); i++) {
      if (i == 0
          || Duration.between(times.get(i - 1), times.get(i)).compareTo(BETWEEN_INCIDENTS) > 0) {
        incidents++;
      }
    }
    return incidents;
  }
}
