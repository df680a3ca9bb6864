package dev.mainstay.server.queue;

import dev.mainstay.core.code.RepoName;
import java.util.List;
import java.util.Map;

/**
 * What is measured of one queue now, and over the last hour. {@code conclusions} counts by merged,
 * failed and cancelled. Restarts are tests that began again.
 */
public record QueueNumbers(RepoName repo, String branch, Side main, Side bisection) {
  /** One of the two kinds of slots, and who uses them. */
  public record Side(
      int depth,
      int awaitingMergeability,
      int activeSlots,
      Map<Conclusion, Integer> conclusions,
      int restarts,
      Histogram waitTime,
      Histogram testTime,
      Histogram timeInQueue) {}

  /** How a pull request ended. */
  public enum Conclusion {
    MERGED,
    FAILED,
    CANCELLED
  }

  /** Durations in seconds; {@code counts} holds how many were at most as long as each bound. */
  public record Histogram(List<Integer> counts, double sum, int count) {
    /** The upper bounds in seconds; all there are lie under the last, unnamed one. */
    public static final List<Integer> BOUNDS = List.of(60, 300, 600, 900, 1800, 3600, 5400, 7200);

    public Histogram {
      counts = List.copyOf(counts);
    }
  }
}
