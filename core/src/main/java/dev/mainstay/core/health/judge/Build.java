package dev.mainstay.core.health.judge;

import dev.mainstay.core.health.TestHistory.RecentRun;
import dev.mainstay.core.health.TestHistory.SplitCommit;

/** A job on a commit: only runs of the same one are retries of each other. */
record Build(String commit, String job) {
  static Build of(RecentRun run) {
    return new Build(run.commit(), run.job());
  }

  static Build of(SplitCommit split) {
    return new Build(split.commit(), split.job());
  }
}
