package dev.mainstay.core.simulation.policy;

import dev.mainstay.core.simulation.Build;
import dev.mainstay.core.simulation.Policy;
import dev.mainstay.core.simulation.Stage;
import dev.mainstay.core.simulation.world.SimulatedChange;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Batch and bisect, as bors does: everything that waits is built together, one build at a time; a
 * batch that fails is halved, and the halves come before whatever arrived since.
 */
public final class BatchPolicy implements Policy {
  private final int largestBatch;
  private final Deque<Integer> waiting = new ArrayDeque<>();
  private final Deque<List<Integer>> halves = new ArrayDeque<>();
  private boolean building;

  public BatchPolicy(int largestBatch) {
    this.largestBatch = largestBatch;
  }

  @Override
  public void arrived(SimulatedChange change, Stage stage) {
    waiting.add(change.id());
    startNext(stage);
  }

  @Override
  public void finished(Build build, Stage stage) {
    building = false;
    List<Integer> batch = build.own();
    if (build.passed()) {
      batch.forEach(change -> stage.land(change, build));
    } else if (batch.size() == 1) {
      stage.reject(batch.getFirst(), build);
    } else {
      int middle = (batch.size() + 1) / 2;
      halves.addFirst(batch.subList(middle, batch.size()));
      halves.addFirst(batch.subList(0, middle));
    }
    startNext(stage);
  }

  private void startNext(Stage stage) {
    if (building || (halves.isEmpty() && waiting.isEmpty())) {
      return;
    }
    building = true;
    stage.build(halves.isEmpty() ? takeWaiting() : halves.removeFirst(), List.of());
  }

  private List<Integer> takeWaiting() {
    var batch = new ArrayList<Integer>();
    while (batch.size() < largestBatch && !waiting.isEmpty()) {
      batch.add(waiting.removeFirst());
    }
    return batch;
  }
}
