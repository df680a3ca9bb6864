package dev.mainstay.core.simulation.policy;

import dev.mainstay.core.simulation.Build;
import dev.mainstay.core.simulation.Policy;
import dev.mainstay.core.simulation.Stage;
import dev.mainstay.core.simulation.world.SimulatedChange;

/** No queue at all: whatever passes on the base its author had lands. Conflicts turn main red. */
public final class UnguardedPolicy implements Policy {

  @Override
  public void arrived(SimulatedChange change, Stage stage) {
    stage.buildOnOldBase(change.id());
  }

  @Override
  public void finished(Build build, Stage stage) {
    int change = build.own().getFirst();
    if (build.passed()) {
      stage.land(change, build);
    } else {
      stage.reject(change, build);
    }
  }
}
