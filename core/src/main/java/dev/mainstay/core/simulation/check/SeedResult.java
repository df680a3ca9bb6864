package dev.mainstay.core.simulation.check;

import java.util.Optional;

/** What became of one seed, and after how many events. */
public record SeedResult(long seed, int events, Optional<Failure> failure) {
  public boolean holds() {
    return failure.isEmpty();
  }
}
