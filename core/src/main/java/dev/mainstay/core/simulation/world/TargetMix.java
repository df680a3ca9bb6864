package dev.mainstay.core.simulation.world;

import dev.mainstay.core.simulation.world.Dice.Topic;
import java.util.List;
import java.util.TreeSet;

/**
 * The build targets that changes touch.
 *
 * @param targets how many targets the repository has
 * @param perChange how many a change touches on average, from 1 to twice that less one
 * @param skew Zipf's exponent: at 0 all targets are equally popular, at 1 the tenth is a tenth as
 *     popular as the first
 * @param touchesAll share of the changes that touch everything
 */
public record TargetMix(int targets, int perChange, double skew, double touchesAll) {

  /** Draws the targets of changes; holds the popularity of each target, added up. */
  final class Draw {
    private final double[] upTo = new double[targets];

    Draw() {
      double sum = 0;
      for (int i = 0; i < targets; i++) {
        sum += Math.pow(i + 1, -skew);
        upTo[i] = sum;
      }
    }

    List<Integer> of(Dice dice, long change) {
      int span = 2 * perChange - 1;
      int wanted = 1 + (int) (dice.roll(Topic.TARGET_COUNT, change, 0) * span);
      var drawn = new TreeSet<Integer>();
      for (int i = 0; i < wanted; i++) {
        drawn.add(find(dice.roll(Topic.TARGET, change, i) * upTo[targets - 1]));
      }
      return List.copyOf(drawn);
    }

    private int find(double point) {
      int low = 0;
      int high = targets - 1;
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (upTo[middle] > point) {
          high = middle;
        } else {
          low = middle + 1;
        }
      }
      return low;
    }
  }
}
