package dev.mainstay.core.simulation;

import dev.mainstay.core.simulation.policy.SpeculationPolicy;
import dev.mainstay.core.simulation.world.SimulatedChange;
import dev.mainstay.core.simulation.world.World;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/** A world small enough to be worked out by hand, in minutes. All changes meet unless told. */
public final class TinyWorld {
  private final List<SimulatedChange> changes = new ArrayList<>();
  private final List<World.Pair> conflicts = new ArrayList<>();
  private final Set<Integer> flakyAtFirst = new HashSet<>();

  public TinyWorld good(long arrival, long minutes) {
    return change(arrival, minutes, false, 0);
  }

  public TinyWorld broken(long arrival, long minutes) {
    return change(arrival, minutes, true, 0);
  }

  public TinyWorld goodIn(int lane, long arrival, long minutes) {
    return change(arrival, minutes, false, lane);
  }

  private TinyWorld change(long arrival, long minutes, boolean broken, int lane) {
    changes.add(
        new SimulatedChange(
            changes.size(), arrival * 60_000, minutes * 60_000, broken, false, List.of(lane)));
    return this;
  }

  public TinyWorld conflict(int first, int second) {
    conflicts.add(new World.Pair(first, second));
    return this;
  }

  /** The first build that tests this change first fails for no reason. */
  public TinyWorld flakyAtFirst(int change) {
    flakyAtFirst.add(change);
    return this;
  }

  public World build() {
    return new World(
        changes, conflicts, (change, attempt) -> attempt == 0 && flakyAtFirst.contains(change));
  }

  public PolicyOutcome run(int slots, Policy policy) {
    return new Simulation(slots, 60 * 60_000).run(build(), policy);
  }

  public PolicyOutcome runOracle(int slots) {
    return run(slots, SpeculationPolicy.oracle(build()));
  }

  /** Every change in order: when it ended, and with an x where it was rejected. */
  public static String told(PolicyOutcome outcome) {
    var ends = new TreeMap<Integer, String>();
    for (Decision decision : outcome.decisions()) {
      ends.put(decision.change(), decision.at() / 60_000 + (decision.landed() ? "" : "x"));
    }
    return String.join(" ", ends.values());
  }
}
