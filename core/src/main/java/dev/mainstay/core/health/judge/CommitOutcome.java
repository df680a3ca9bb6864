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
import java.util.stream.Stream;

/**
 * A test's runs on one commit of a stable branch in one job. The order of its runs says nothing:
 * the code was the same.
 *
 * @param failures those in which few other tests failed
 * @param grouped those in which many failed together, but less than a tenth of all
 * @param crowded those in which so many failed together as in an outage
 * @param jobs how many uploads it was in, and in how many of them it ended by a failure
 * @param last when it last ran
 */
record CommitOutcome(
    Line line,
    String commit,
    int failures,
    int grouped,
    int crowded,
    int passes,
    int jobs,
    int failedJobs,
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

  /** The same of those that failed in a group. */
  int groupChances() {
    return grouped > 0 && passes > 0 ? 1 : grouped;
  }

  int allFailures() {
    return failures + grouped + crowded;
  }

  boolean hasFailed() {
    return allFailures() > 0;
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
    var lines = new TreeMap<Line, Map<String, List<RecentRun>>>();
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
              commits.computeIfAbsent(key, c -> new ArrayList<>(1)).add(run);
            });
    var lists = new TreeMap<Line, List<CommitOutcome>>();
    lines.forEach(
        (line, commits) ->
            lists.put(line, commits.values().stream().map(runs -> of(line, runs, crowd)).toList()));
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

  private static CommitOutcome of(Line line, List<RecentRun> runs, Crowd crowd) {
    int failures = 0;
    int grouped = 0;
    int crowded = 0;
    int passes = 0;
    Instant last = runs.getFirst().at();
    for (RecentRun run : runs) {
      if (run.failed()) {
        switch (crowd.companyOf(run)) {
          case ALONE -> failures++;
          case GROUP -> grouped++;
          case MASS -> crowded++;
        }
      } else {
        passes++;
      }
      last = run.at().isAfter(last) ? run.at() : last;
    }
    return new CommitOutcome(
        line,
        runs.getFirst().commit(),
        failures,
        grouped,
        crowded,
        passes,
        runs.size() == 1 ? 1 : jobs(runs),
        runs.size() == 1 ? 1 - passes : failedJobs(runs),
        runs.getFirst().at(),
        last);
  }

  private static int jobs(List<RecentRun> runs) {
    return (int) runs.stream().mapToLong(RecentRun::upload).distinct().count();
  }

  /** Where it is not known by which attempt a job ended, it failed unless one passed. */
  private static int failedJobs(List<RecentRun> runs) {
    var ended = new HashMap<Long, Boolean>();
    for (RecentRun run : runs) {
      if (run.decides()) {
        ended.merge(run.upload(), run.failed(), Boolean::logicalOr);
      }
    }
    var guessed = new HashMap<Long, Boolean>();
    for (RecentRun run : runs) {
      if (!ended.containsKey(run.upload())) {
        guessed.merge(run.upload(), run.failed(), Boolean::logicalAnd);
      }
    }
    return (int)
        Stream.concat(ended.values().stream(), guessed.values().stream())
            .filter(failed -> failed)
            .count();
  }
}
