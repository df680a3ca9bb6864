package dev.mainstay.core.chance;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * How long tests took that passed or were given up, as counts by length: each step is a fifth
 * longer than the one before, and older ones fade.
 */
public record Durations(List<Double> counts) {
  public static final Durations NONE = new Durations(List.of());

  private static final double STEP = 1.2;
  private static final double FADING = 0.99;
  private static final double FORGOTTEN = 0.01;
  private static final int STEPS = 72;

  public Durations {
    counts = List.copyOf(counts);
  }

  public Durations after(Duration took) {
    int step = step(took);
    var next = new ArrayList<Double>(Collections.nCopies(Math.max(counts.size(), step + 1), 0.0));
    for (int i = 0; i < counts.size(); i++) {
      double left = counts.get(i) * FADING;
      next.set(i, left < FORGOTTEN ? 0 : left);
    }
    next.set(step, next.get(step) + 1);
    return new Durations(next);
  }

  /** How many are remembered, those that fade in part. */
  public double known() {
    return counts.isEmpty() ? 0 : counts.stream().mapToDouble(c -> c).sum();
  }

  /** The length that this share of the tests stayed within. */
  public Duration within(double share) {
    double left = share * known();
    for (int i = 0; i < counts.size(); i++) {
      double here = counts.get(i);
      if (here > 0 && left <= here) {
        return length(i + left / here);
      }
      left -= here;
    }
    return length(counts.size());
  }

  private static int step(Duration took) {
    double seconds = Math.max(1, took.toMillis() / 1000.0);
    int step = (int) (StrictMath.log(seconds) / StrictMath.log(STEP));
    return Math.min(step, STEPS - 1);
  }

  private static Duration length(double step) {
    return Duration.ofMillis(Math.round(1000 * StrictMath.pow(STEP, step)));
  }
}
