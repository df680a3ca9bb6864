package dev.mainstay.core.simulation;

import dev.mainstay.core.simulation.world.SimulatedChange;

/** Something that happens to a policy. At one moment, the lower rank comes first. */
sealed interface Occasion {

  int rank();

  record Finished(Build build) implements Occasion {
    @Override
    public int rank() {
      return 0;
    }
  }

  record Arrived(SimulatedChange change) implements Occasion {
    @Override
    public int rank() {
      return 1;
    }
  }

  record Alarm() implements Occasion {
    @Override
    public int rank() {
      return 2;
    }
  }
}
