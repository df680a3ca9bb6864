package dev.mainstay.core.queue.rules;

import dev.mainstay.core.chance.Learned;
import dev.mainstay.core.queue.NumberSetting;
import dev.mainstay.core.queue.QueueSettings;
import dev.mainstay.core.queue.QueueSettings.Sizing;
import dev.mainstay.core.queue.QueueState;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The numbers that are in force where the queue sizes by itself.
 *
 * <p>A batch is as large as costs the fewest runs, given how often a change fails, and no larger
 * than it takes to get everybody who waits under test at once: where slots are plenty, each is
 * tested alone. Tests may take twice as long as 19 in 20 that passed took; those that were given up
 * count as so long, so that the limit follows a CI that has become slower.
 */
public final class InForce {
  /** With fewer tests known than this, the limit is the one that was set. */
  private static final double ENOUGH_KNOWN = 20;

  private static final double SHARE = 0.95;
  private static final int MARGIN = 2;
  private static final int LEAST_MINUTES = 5;

  private static final double[] HALVINGS =
      IntStream.rangeClosed(0, NumberSetting.BATCHING_MIN_SIZE.most())
          .mapToDouble(size -> StrictMath.log(size) / StrictMath.log(2))
          .toArray();

  private InForce() {}

  /** The number of pull requests a batch grows to. */
  public static int groupSize(QueueState state) {
    QueueSettings settings = state.settings();
    if (!settings.batch() || settings.batchSizing() == Sizing.FIXED) {
      return settings.groupSize();
    }
    int waiting = state.waiting().size();
    int needed = (waiting + settings.concurrency() - 1) / settings.concurrency();
    return Math.clamp(cheapest(state.learned().fails(List.of())), 1, Math.max(1, needed));
  }

  /**
   * The size at which a change costs the fewest runs: its share of the batch's, and two for each
   * halving that leads to a failure.
   */
  private static int cheapest(double fails) {
    int best = 1;
    double least = 1;
    for (int size = 2; size <= NumberSetting.BATCHING_MIN_SIZE.most(); size++) {
      double cost = 1.0 / size + Math.min(2, fails * 2 * HALVINGS[size]);
      if (cost < least) {
        best = size;
        least = cost;
      }
    }
    return best;
  }

  /** How long tests may take; 0 for as long as they like. */
  public static int testingTimeoutMinutes(QueueState state) {
    return testingTimeoutMinutes(state.settings(), state.learned());
  }

  static int testingTimeoutMinutes(QueueSettings settings, Learned learned) {
    if (settings.timeoutSizing() == Sizing.FIXED || learned.durations().known() < ENOUGH_KNOWN) {
      return settings.testingTimeoutMinutes();
    }
    Duration limit = learned.durations().within(SHARE).multipliedBy(MARGIN);
    long minutes = limit.plusSeconds(59).toMinutes();
    return Math.clamp(minutes, LEAST_MINUTES, NumberSetting.TESTING_TIMEOUT_MINUTES.most());
  }
}
