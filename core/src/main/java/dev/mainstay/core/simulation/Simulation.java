package dev.mainstay.core.simulation;

import dev.mainstay.core.simulation.world.SimulatedChange;
import dev.mainstay.core.simulation.world.World;
import java.util.Iterator;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Runs one policy in one world until every change has ended.
 *
 * @param slots builds that run at the same time
 * @param repairMillis how long main stays red after a landing that broke it
 */
public record Simulation(int slots, long repairMillis) {

  public PolicyOutcome run(World world, Policy policy) {
    return run(world, policy, () -> true).orElseThrow();
  }

  /** Empty where {@code goesOn}, which is asked before each event, said no before the end. */
  public Optional<PolicyOutcome> run(World world, Policy policy, BooleanSupplier goesOn) {
    var stage = new Stage(world, slots, repairMillis);
    Iterator<SimulatedChange> arrivals = world.changes().iterator();
    bookNext(arrivals, stage);
    long events = 0;
    while (!stage.isOver()) {
      if (!goesOn.getAsBoolean()) {
        return Optional.empty();
      }
      switch (stage.advance()) {
        case Occasion.Arrived(SimulatedChange change) -> {
          bookNext(arrivals, stage);
          policy.arrived(change, stage);
        }
        case Occasion.Finished(Build build) -> {
          if (stage.finish(build)) {
            policy.finished(build, stage);
          }
        }
        case Occasion.Alarm() -> policy.woke(stage);
      }
      stage.settle();
      events++;
    }
    return Optional.of(stage.outcome(events));
  }

  private static void bookNext(Iterator<SimulatedChange> arrivals, Stage stage) {
    if (arrivals.hasNext()) {
      stage.bookArrival(arrivals.next());
    }
  }
}
