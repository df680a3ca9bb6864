package dev.mainstay.server.queue;

import dev.mainstay.core.code.RepoName;
import dev.mainstay.server.forge.HostUsage;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The numbers of a queue now, and over the last hour. {@code conclusions} counts by merged, failed
 * and cancelled. Restarts are tests that began again. {@code alarm}: the queue has paused itself;
 * {@code stalled}: nothing moves in it. {@code usage}: how this node has used the host of the
 * repository, where it has one.
 */
public record QueueNumbers(
    RepoName repo,
    String branch,
    Side main,
    Side bisection,
    boolean alarm,
    boolean stalled,
    Optional<HostUsage> usage) {
  /** The numbers of one kind of slots and of the entries that use them. */
  public record Side(
      int depth,
      int awaitingMergeability,
      int activeSlots,
      Map<Conclusion, Integer> conclusions,
      int restarts,
      Histogram waitTime,
      Histogram testTime,
      Histogram timeInQueue) {}

  /** The end of an entry. */
  public enum Conclusion {
    MERGED,
    FAILED,
    CANCELLED
  }

  /** Durations in seconds; {@code counts} holds how many were at most as long as each bound. */
  public record Histogram(List<Integer> counts, double sum, int count) {
    /** The upper bounds in seconds; one more without a name holds all durations. */
    public static final List<Integer> BOUNDS = List.of(60, 300, 600, 900, 1800, 3600, 5400, 7200);

    public Histogram {
      counts = List.copyOf(counts);
    }
  }
}
