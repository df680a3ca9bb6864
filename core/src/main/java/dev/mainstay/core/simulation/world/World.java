package dev.mainstay.core.simulation.world;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;

/**
 * Everything that is fixed before any policy acts: the changes in order of arrival, which of them
 * are broken, which pairs really conflict, which attempts flake. The outcome of a set of changes is
 * therefore the same for every policy: it passes when nothing in it is broken and no pair in it
 * conflicts.
 */
public final class World {
  private final List<SimulatedChange> changes;
  private final List<List<Integer>> conflicts = new ArrayList<>();
  private final Flakes flakes;

  public World(List<SimulatedChange> changes, Collection<Pair> conflicting, Flakes flakes) {
    this.changes = List.copyOf(changes);
    this.flakes = flakes;
    for (int i = 0; i < changes.size(); i++) {
      if (changes.get(i).id() != i
          || (i > 0 && changes.get(i - 1).arrival() > changes.get(i).arrival())) {
        throw new IllegalArgumentException("ids must count from 0 in order of arrival");
      }
      conflicts.add(new ArrayList<>());
    }
    for (Pair pair : conflicting) {
      conflicts.get(pair.first).add(pair.second);
      conflicts.get(pair.second).add(pair.first);
    }
  }

  public List<SimulatedChange> changes() {
    return changes;
  }

  public SimulatedChange change(int id) {
    return changes.get(id);
  }

  /** Two changes really conflict, whatever their targets say. */
  public boolean conflict(int first, int second) {
    return conflicts.get(first).contains(second);
  }

  /** A change really conflicts with one of these. */
  public boolean conflictsWithAny(int change, BitSet others) {
    for (int other : conflicts.get(change)) {
      if (others.get(other)) {
        return true;
      }
    }
    return false;
  }

  /** These changes pass together on top of what landed. */
  public boolean passes(BitSet together, BitSet landed) {
    for (int id = together.nextSetBit(0); id >= 0; id = together.nextSetBit(id + 1)) {
      if (changes.get(id).broken()
          || conflictsWithAny(id, together)
          || conflictsWithAny(id, landed)) {
        return false;
      }
    }
    return true;
  }

  /** An attempt to build a change fails for no reason. */
  public boolean flakes(int change, int attempt) {
    return flakes.strike(change, attempt);
  }

  /** The changes that land when each is judged rightly, in order of arrival. */
  public BitSet landsInOrder() {
    var landed = new BitSet();
    for (SimulatedChange change : changes) {
      if (!change.broken() && !conflictsWithAny(change.id(), landed)) {
        landed.set(change.id());
      }
    }
    return landed;
  }

  /** Share of the changes that meet an earlier one which, built at once, would still be running. */
  public double shareMeetingSomethingInFlight() {
    int meeting = 0;
    var inFlight = new ArrayList<SimulatedChange>();
    for (SimulatedChange change : changes) {
      inFlight.removeIf(other -> other.arrival() + other.buildTime() <= change.arrival());
      if (inFlight.stream().anyMatch(change::meets)) {
        meeting++;
      }
      inFlight.add(change);
    }
    return changes.isEmpty() ? 0 : (double) meeting / changes.size();
  }

  /** Two changes that pass alone and fail together. */
  public record Pair(int first, int second) {}

  /** The attempts that fail for no reason. */
  @FunctionalInterface
  public interface Flakes {
    Flakes NEVER = (change, attempt) -> false;

    boolean strike(int change, int attempt);
  }
}
