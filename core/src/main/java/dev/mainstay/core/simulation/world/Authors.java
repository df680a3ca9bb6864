package dev.mainstay.core.simulation.world;

import dev.mainstay.core.simulation.world.Dice.Topic;
import dev.mainstay.core.simulation.world.SimulatedChange.Origin;
import java.util.Optional;

/**
 * The people who write the changes of a simulated world. The odds of a failure differ by author,
 * and large changes fail more often than small ones.
 *
 * @param authors how many there are; 0 where nobody tells who wrote what, and all changes are alike
 * @param spread how far authors are apart: the standard deviation of the logarithm of their odds
 * @param driftHours after how long everybody is somebody else; 0 for never
 */
public record Authors(int authors, double spread, double driftHours) {
  public static final Authors ALIKE = new Authors(0, 0, 0);

  private static final double MILLIS_PER_HOUR = 3_600_000;
  private static final int[] FILES = {1, 5, 30};

  /** The rate at which this change fails, where the average one fails at the given rate. */
  double rate(double average, Dice dice, int change, long arrival) {
    if (authors == 0 || average <= 0 || average >= 1) {
      return average;
    }
    long epoch = driftHours == 0 ? 0 : (long) (arrival / (driftHours * MILLIS_PER_HOUR));
    double author = spread * dice.normal(Topic.AUTHOR_LEAN, epoch * authors + author(dice, change));
    double size = (size(dice, change) - 1) * spread / 2;
    double odds = Math.exp(author + size) * average / (1 - average);
    return odds / (1 + odds);
  }

  Origin origin(Dice dice, int change) {
    return authors == 0
        ? Origin.UNTOLD
        : new Origin(
            Optional.of("author-" + author(dice, change)), Optional.of(FILES[size(dice, change)]));
  }

  private int author(Dice dice, int change) {
    return (int) (dice.roll(Topic.AUTHOR, change, 0) * authors);
  }

  private static int size(Dice dice, int change) {
    return (int) (dice.roll(Topic.SIZE, change, 0) * FILES.length);
  }
}
