package dev.mainstay.core.simulation.policy;

import dev.mainstay.core.simulation.Build;
import dev.mainstay.core.simulation.Policy;
import dev.mainstay.core.simulation.Stage;
import dev.mainstay.core.simulation.world.SimulatedChange;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Builds a change only when all it depends on are decided. With lanes, lanes go side by side. */
public final class SerialPolicy implements Policy {
  private final boolean lanes;
  private final Line line;
  private final Set<Integer> building = new HashSet<>();

  public SerialPolicy(boolean lanes) {
    this.lanes = lanes;
    this.line = new Line(lanes);
  }

  @Override
  public void arrived(SimulatedChange change, Stage stage) {
    line.add(change);
    startClear(stage);
  }

  @Override
  public void finished(Build build, Stage stage) {
    int change = build.own().getFirst();
    building.remove(change);
    line.remove(change);
    if (build.passed()) {
      stage.land(change, build);
    } else {
      stage.reject(change, build);
    }
    startClear(stage);
  }

  private void startClear(Stage stage) {
    for (int change : lanes ? line.inOrder() : line.first(1)) {
      if (stage.freeSlots() == 0) {
        return;
      }
      if (!building.contains(change) && line.isClear(change)) {
        building.add(change);
        stage.build(List.of(change), List.of());
      }
    }
  }
}
