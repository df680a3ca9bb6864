package dev.mainstay.core.health.judge;

import dev.mainstay.core.health.BranchClass;
import dev.mainstay.core.health.TestHistory;
import dev.mainstay.core.health.TestHistory.RecentRun;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A test's runs on one commit of a stable branch. The order of its runs says nothing: the code was
 * the same.
 *
 * @param failures those in which few other tests failed
 * @param crowded those in which many failed together, as in an outage
 * @param last when it last ran
 */
record CommitOutcome(
    String branch,
    String commit,
    int failures,
    int crowded,
    int passes,
    Instant first,
    Instant last) {
  private static final Comparator<RecentRun> IN_ORDER =
      Comparator.comparing(RecentRun::at)
          .thenComparing(RecentRun::commit)
          .thenComparingInt(RecentRun::attempt)
          .thenComparing(RecentRun::failed)
          .thenComparingInt(RecentRun::failedTogether)
          .thenComparingInt(RecentRun::ranTogether);

  boolean isSplit() {
    return failures > 0 && passes > 0;
  }

  /** Failures of one commit that also passed are not independent: together they count as one. */
  int chances() {
    return isSplit() ? 1 : failures;
  }

  int runs() {
    return failures + crowded + passes;
  }

  /** By stable branch, the commits in the order in which they were first run. */
  static Map<String, List<CommitOutcome>> byBranch(TestHistory history, Crowd crowd) {
    var branches = new TreeMap<String, Map<String, CommitOutcome>>();
    history.runs().stream()
        .filter(run -> run.branchClass() == BranchClass.STABLE)
        .sorted(IN_ORDER)
        .forEach(
            run -> {
              var commits = branches.computeIfAbsent(run.branch(), b -> new LinkedHashMap<>());
              // Runs of an unknown commit are not of the same one.
              String key = run.commit().isEmpty() ? " " + commits.size() : run.commit();
              commits.merge(key, of(run, crowd), CommitOutcome::and);
            });
    var lists = new TreeMap<String, List<CommitOutcome>>();
    branches.forEach((branch, commits) -> lists.put(branch, new ArrayList<>(commits.values())));
    return lists;
  }

  private static CommitOutcome of(RecentRun run, Crowd crowd) {
    boolean crowded = run.failed() && crowd.explains(run);
    return new CommitOutcome(
        run.branch(),
        run.commit(),
        run.failed() && !crowded ? 1 : 0,
        crowded ? 1 : 0,
        run.failed() ? 0 : 1,
        run.at(),
        run.at());
  }

  private CommitOutcome and(CommitOutcome later) {
    return new CommitOutcome(
        branch,
        commit,
        failures + later.failures,
        crowded + later.crowded,
        passes + later.passes,
        first,
        later.last);
  }
}
