package dev.mainstay.server.queue;

import dev.mainstay.core.queue.ReasonCode;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** How a queue has done over a time, as a whole and step by step. */
public record QueueHealth(
    HealthWindow window, Numbers totals, List<Exits> reasons, List<Step> steps) {
  public QueueHealth {
    reasons = List.copyOf(reasons);
    steps = List.copyOf(steps);
  }

  /**
   * Who came, how they ended, and what that took. {@code buildsPerChange} is there where the queue
   * landed a change, {@code times} where somebody merged who had been let in.
   */
  public record Numbers(
      int entered,
      int merged,
      int failed,
      int cancelled,
      int restarts,
      int bisections,
      int builds,
      int buildsSaved,
      Optional<Double> buildsPerChange,
      Optional<Times> times) {}

  /**
   * The seconds that those who merged were in the queue, from the moment they were first let in,
   * and the three parts of them.
   */
  public record Times(
      Percentiles inQueue, Percentiles waiting, Percentiles testing, Percentiles blocked) {}

  /** The middle, and what one in twenty exceeds. */
  public record Percentiles(double p50, double p95) {}

  /** How many ended for a reason. */
  public record Exits(ReasonCode code, int count) {}

  /** One step; {@code slots} are those of the queue now. */
  public record Step(
      Instant at,
      Numbers numbers,
      List<Exits> left,
      int depthMax,
      double depthMean,
      int slots,
      double slotsUsedMean) {
    public Step {
      left = List.copyOf(left);
    }
  }
}
