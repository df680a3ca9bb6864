package dev.mainstay.core.simulation.experiment;

import java.util.Optional;

/**
 * The runs that are known already: an experiment of hours may be stopped, and goes on from them.
 */
public interface RunLog {

  /** Knows nothing and keeps nothing. */
  RunLog NONE =
      new RunLog() {
        @Override
        public Optional<Figures> find(Run run) {
          return Optional.empty();
        }

        @Override
        public void keep(Run run, Figures figures) {}
      };

  Optional<Figures> find(Run run);

  void keep(Run run, Figures figures);

  /** One policy in the one world of a cell and a seed, where changes arrive for so many hours. */
  record Run(String cell, double hours, long seed, String policy) {}
}
