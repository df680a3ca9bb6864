package dev.mainstay.core.simulation;

import dev.mainstay.core.simulation.world.SimulatedChange;

/**
 * A way to run a merge queue. It is told what happens and answers through the stage: it starts and
 * aborts builds, lands and rejects. One object serves one run.
 */
public interface Policy {

  void arrived(SimulatedChange change, Stage stage);

  void finished(Build build, Stage stage);

  /** A moment asked for with {@link Stage#wakeAt} has come. */
  default void woke(Stage stage) {}
}
