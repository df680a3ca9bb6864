package dev.mainstay.core.health;

import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The history of one test, bounded whatever the number of its runs. Uploads that were set aside are
 * not in it, nor are skipped runs. Which part of the past is needed says {@link HistoryNeed}; more
 * does no harm. The order of the lists does not matter.
 *
 * @param hours counts by branch and clock hour
 * @param splits the commits on which the test both failed and passed in one job
 * @param runs the latest runs on stable branches, and the latest failures on all others
 */
public record TestHistory(List<BranchHour> hours, List<SplitCommit> splits, List<RecentRun> runs) {
  public static final int MOST_STABLE_RUNS = 500;
  public static final int MOST_OTHER_FAILURES = 200;
  public static final int MOST_SPLITS = 200;

  public static final TestHistory EMPTY = new TestHistory(List.of(), List.of(), List.of());

  public TestHistory {
    hours = List.copyOf(hours);
    splits = List.copyOf(splits);
    runs = List.copyOf(runs);
  }

  /** The commits that went both ways and were last seen to after this time, the latest first. */
  public List<SplitCommit> splitsAfter(Instant after) {
    return splits.stream()
        .filter(split -> split.failures() > 0 && split.passes() > 0)
        .filter(split -> split.provenAt().isAfter(after))
        .sorted(
            Comparator.comparing(SplitCommit::provenAt)
                .reversed()
                .thenComparing(SplitCommit::commit)
                .thenComparing(SplitCommit::job))
        .toList();
  }

  /**
   * The code of some runs.
   *
   * @param pullRequests those it contains: none on a stable branch, several in a merge queue
   */
  public record Origin(String branch, BranchClass branchClass, Set<String> pullRequests) {
    public Origin {
      pullRequests = Set.copyOf(pullRequests);
    }

    /** A branch that is not stable and tells of no pull request counts as one itself. */
    public static Origin of(String branch, BranchClass branchClass, Collection<Integer> numbers) {
      if (branchClass == BranchClass.STABLE) {
        return new Origin(branch, branchClass, Set.of());
      }
      return new Origin(
          branch,
          branchClass,
          numbers.isEmpty()
              ? Set.of("branch " + Branches.shortName(branch))
              : numbers.stream().map(number -> "#" + number).collect(Collectors.toSet()));
    }
  }

  /**
   * A test's runs of one origin in one clock hour, each case of a job once, by how it ended.
   * Several of the same origin and hour add up.
   *
   * @param retried the failures beside which the same job passed on the same commit
   * @param lastFailedAt of the failures, when there are any
   */
  public record BranchHour(
      Origin origin,
      Instant hour,
      int passes,
      int failures,
      int retried,
      Optional<Instant> lastFailedAt) {
    public BranchHour {
      if (passes < 0 || failures < 0 || retried < 0 || retried > failures) {
        throw new IllegalArgumentException("Runs are not negative.");
      }
    }

    public String branch() {
      return origin.branch();
    }

    public BranchClass branchClass() {
      return origin.branchClass();
    }

    public int runs() {
      return passes + failures;
    }
  }

  /**
   * A commit with both outcomes in one job.
   *
   * @param branch of one of its failures, or empty
   * @param provenAt when it was last seen to go both ways: the later of its last failure and its
   *     first pass
   * @param splitTogether how many tests went both ways in that job, this one among them
   */
  public record SplitCommit(
      String commit,
      String job,
      String branch,
      int failures,
      int passes,
      Instant provenAt,
      int splitTogether) {}

  /**
   * One attempt.
   *
   * @param attempt from 1, within its case; 0 is a last one
   * @param decides true where it is known to be the attempt by which its case ended
   * @param upload runs of one upload are of one job
   * @param failedTogether how many tests failed in the same upload, this one among them
   * @param ranTogether how many tests were in the same upload
   */
  public record RecentRun(
      Instant at,
      Origin origin,
      String commit,
      String job,
      long upload,
      boolean failed,
      int attempt,
      boolean decides,
      int failedTogether,
      int ranTogether) {
    public String branch() {
      return origin.branch();
    }

    public BranchClass branchClass() {
      return origin.branchClass();
    }
  }
}
