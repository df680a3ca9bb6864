package dev.mainstay.core.simulation.check;

import java.util.Optional;

/** The result of one seed, and the number of events it took. */
public record SeedResult(long seed, int events, Optional<Failure> failure) {
  public boolean holds() {
    return failure.isEmpty();
  }
}
