package dev.mainstay.core.simulation.check;

import dev.mainstay.core.simulation.check.coverage.Visits;
import java.util.Optional;

/** The result of one seed, the number of events it took, and the corners it visited. */
public record SeedResult(long seed, int events, Visits visits, Optional<Failure> failure) {
  public boolean holds() {
    return failure.isEmpty();
  }
}
