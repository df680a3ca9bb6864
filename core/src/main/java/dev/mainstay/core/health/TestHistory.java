package dev.mainstay.core.health;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The history of one test, bounded whatever the number of its runs. Uploads that were set aside are
 * not in it, nor are skipped runs. Which part of the past is needed says {@link HistoryNeed}; more
 * does no harm. The order of the lists does not matter.
 *
 * @param hours counts by branch and clock hour
 * @param splits the commits on which the test both failed and passed
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
                .thenComparing(SplitCommit::commit))
        .toList();
  }

  /**
   * A test's runs on one branch in one clock hour. Several of the same branch and hour add up.
   *
   * @param lastFailedAt of the failures, when there are any
   */
  public record BranchHour(
      String branch,
      BranchClass branchClass,
      Instant hour,
      int passes,
      int failures,
      Optional<Instant> lastFailedAt) {
    public BranchHour {
      if (passes < 0 || failures < 0) {
        throw new IllegalArgumentException("Runs are not negative.");
      }
    }

    public int runs() {
      return passes + failures;
    }
  }

  /**
   * A commit with both outcomes.
   *
   * @param branch of one of its failures, or empty
   * @param provenAt when it was last seen to go both ways: the later of its last failure and its
   *     first pass
   * @param splitTogether how many tests went both ways on it, this one among them
   */
  public record SplitCommit(
      String commit,
      String branch,
      int failures,
      int passes,
      Instant provenAt,
      int splitTogether) {}

  /**
   * One run.
   *
   * @param attempt from 1, within its upload
   * @param failedTogether how many tests failed in the same upload, this one among them
   * @param ranTogether how many tests were in the same upload
   */
  public record RecentRun(
      Instant at,
      String branch,
      BranchClass branchClass,
      String commit,
      boolean failed,
      int attempt,
      int failedTogether,
      int ranTogether) {}
}
