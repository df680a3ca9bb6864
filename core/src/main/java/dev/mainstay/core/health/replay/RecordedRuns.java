package dev.mainstay.core.health.replay;

import java.util.BitSet;
import java.util.List;

/**
 * The failures of flaky tests as they were recorded, run after run: those that fail together do so
 * here too.
 *
 * @param runs the tests that failed in each
 */
public record RecordedRuns(int tests, List<BitSet> runs) {
  public static final RecordedRuns NONE = new RecordedRuns(0, List.of());

  public RecordedRuns {
    runs = List.copyOf(runs);
    if (tests > 0 && runs.isEmpty()) {
      throw new IllegalArgumentException("Tests need one run at least.");
    }
  }

  /** The share of runs in which a test failed. */
  public double rate(int test) {
    return (double) runs.stream().filter(run -> run.get(test)).count() / runs.size();
  }
}
