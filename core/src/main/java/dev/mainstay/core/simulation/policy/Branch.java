package dev.mainstay.core.simulation.policy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntToDoubleFunction;

/**
 * One guess about all that a change depends on, and how likely it is. Branches of one change come
 * in order of likelihood: the likeliest outcome of each one ahead, then with the least certain ones
 * flipped.
 */
final class Branch {
  /** The likeliest first; among equals the earliest change. */
  static final Comparator<Branch> ORDER =
      Comparator.comparingDouble((Branch branch) -> -branch.chance)
          .thenComparingInt(branch -> branch.change);

  private final int change;
  private final double chance;
  private final List<Coin> coins;
  private final List<Integer> flipped;

  private Branch(int change, double chance, List<Coin> coins, List<Integer> flipped) {
    this.change = change;
    this.chance = chance;
    this.coins = coins;
    this.flipped = flipped;
  }

  static Branch likeliest(int change, Set<Integer> ahead, IntToDoubleFunction landChance) {
    double chance = 1;
    var coins = new ArrayList<Coin>(ahead.size());
    for (int other : ahead) {
      double lands = landChance.applyAsDouble(other);
      chance *= Math.max(lands, 1 - lands);
      coins.add(new Coin(other, lands));
    }
    coins.sort(Comparator.comparingDouble(coin -> -coin.flipRatio()));
    return new Branch(change, chance, coins, List.of());
  }

  int change() {
    return change;
  }

  double chance() {
    return chance;
  }

  /** Those ahead that land in this guess. */
  Set<Integer> landing() {
    var landing = new HashSet<Integer>();
    for (int i = 0; i < coins.size(); i++) {
      if (coins.get(i).likelyLands() != flipped.contains(i)) {
        landing.add(coins.get(i).change);
      }
    }
    return landing;
  }

  /** This guess with the next coin flipped as well. */
  Optional<Branch> alsoNext() {
    int next = flipped.isEmpty() ? 0 : flipped.getLast() + 1;
    return flip(flipped, next, chance);
  }

  /** This guess with the next coin flipped in place of the last one. */
  Optional<Branch> insteadNext() {
    if (flipped.isEmpty()) {
      return Optional.empty();
    }
    int last = flipped.getLast();
    double without = chance / coins.get(last).flipRatio();
    return flip(flipped.subList(0, flipped.size() - 1), last + 1, without);
  }

  private Optional<Branch> flip(List<Integer> kept, int next, double chanceWithout) {
    if (next >= coins.size() || coins.get(next).flipRatio() == 0) {
      return Optional.empty();
    }
    var flips = new ArrayList<>(kept);
    flips.add(next);
    return Optional.of(
        new Branch(change, chanceWithout * coins.get(next).flipRatio(), coins, flips));
  }

  private record Coin(int change, double lands) {
    boolean likelyLands() {
      return lands >= 0.5;
    }

    double flipRatio() {
      return Math.min(lands, 1 - lands) / Math.max(lands, 1 - lands);
    }
  }
}
