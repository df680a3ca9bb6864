package dev.mainstay.core.health.judge;

import dev.mainstay.core.health.BranchClass;
import dev.mainstay.core.health.TestHistory;
import dev.mainstay.core.health.TestHistory.RecentRun;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A test's runs on one commit of a stable branch in one job. The order of its runs says nothing:
 * the code was the same.
 *
 * @param failures those in which few other tests failed
 * @param crowded those in which many failed together, as in an outage
 * @param last when it last ran
 */
record CommitOutcome(
    Line line, String commit, int failures, int crowded, int passes, Instant first, Instant last) {
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

  /** One job on a stable branch: what breaks in one need not break in another. */
  record Line(String branch, String job) implements Comparable<Line> {
    @Override
    public int compareTo(Line other) {
      int byBranch = branch.compareTo(other.branch);
      return byBranch != 0 ? byBranch : job.compareTo(other.job);
    }
  }

  Build build() {
    return new Build(commit, line.job());
  }

  /** By stable branch and job, the commits in the order in which they were first run. */
  static Map<Line, List<CommitOutcome>> byLine(TestHistory history, Crowd crowd) {
    var lines = new TreeMap<Line, Map<String, CommitOutcome>>();
    Set<Long> shared = shared(history);
    history.runs().stream()
        .filter(run -> run.branchClass() == BranchClass.STABLE)
        .filter(run -> run.failed() || !shared.contains(run.upload()))
        .sorted(IN_ORDER)
        .forEach(
            run -> {
              var commits = lines.computeIfAbsent(line(run), b -> new LinkedHashMap<>());
              // Runs of an unknown commit are not of the same one.
              String key = run.commit().isEmpty() ? " " + commits.size() : run.commit();
              commits.merge(key, of(run, crowd), CommitOutcome::and);
            });
    var lists = new TreeMap<Line, List<CommitOutcome>>();
    lines.forEach((line, commits) -> lists.put(line, new ArrayList<>(commits.values())));
    return lists;
  }

  /**
   * Uploads in which several cases share the test's identity and one of them failed: the passes of
   * the others are not its own.
   */
  private static Set<Long> shared(TestHistory history) {
    var cases = new HashMap<Long, Integer>();
    var failed = new HashSet<Long>();
    for (RecentRun run : history.runs()) {
      if (run.decides()) {
        cases.merge(run.upload(), 1, Integer::sum);
        if (run.failed()) {
          failed.add(run.upload());
        }
      }
    }
    failed.removeIf(upload -> cases.getOrDefault(upload, 0) < 2);
    return failed;
  }

  private static Line line(RecentRun run) {
    return new Line(run.branch(), run.job());
  }

  private static CommitOutcome of(RecentRun run, Crowd crowd) {
    boolean crowded = run.failed() && crowd.explains(run);
    return new CommitOutcome(
        line(run),
        run.commit(),
        run.failed() && !crowded ? 1 : 0,
        crowded ? 1 : 0,
        run.failed() ? 0 : 1,
        run.at(),
        run.at());
  }

  private CommitOutcome and(CommitOutcome later) {
    return new CommitOutcome(
        line,
        commit,
        failures + later.failures,
        crowded + later.crowded,
        passes + later.passes,
        first,
        later.last);
  }
}
