package dev.mainstay.core.health.judge;

import java.util.List;

/**
 * The commits of one line with the weight of each, made ready to be gone through for one rate after
 * another: where a test has passed for some commits it works, and what follows until it fails is a
 * sum that is known.
 */
final class Track {
  /** So many passes after a failure leave no doubt that it works. */
  private static final int SURE = 4;

  final List<CommitOutcome> commits;
  final double[] weights;

  /** For each commit the next that has to be looked at; of a stretch of passes only the ends. */
  private final int[] next;

  private final double[] weighed;
  private final double[] passed;

  Track(List<CommitOutcome> commits, double[] weights) {
    this.commits = commits;
    this.weights = weights;
    int n = commits.size();
    next = new int[n];
    weighed = new double[n + 1];
    passed = new double[n + 1];
    for (int i = 0; i < n; i++) {
      weighed[i + 1] = weighed[i] + weights[i];
      passed[i + 1] = passed[i] + weights[i] * commits.get(i).passes();
    }
    int end = n;
    for (int i = n - 1; i >= 0; i--) {
      end = commits.get(i).hasFailed() ? i : end;
      boolean sure = i >= SURE && passesSince(i - SURE + 1, i);
      // The last pass before a failure is looked at: from there it may break.
      next[i] = sure ? Math.max(i + 1, end - 1) : i + 1;
    }
  }

  private boolean passesSince(int from, int to) {
    for (int i = from; i <= to; i++) {
      if (commits.get(i).hasFailed()) {
        return false;
      }
    }
    return true;
  }

  int size() {
    return commits.size();
  }

  int next(int index) {
    return next[index];
  }

  /** The weights of the commits after one and before another. */
  double weighed(int after, int before) {
    return weighed[before] - weighed[after + 1];
  }

  /** The passes on those, weighed. */
  double passed(int after, int before) {
    return passed[before] - passed[after + 1];
  }
}
