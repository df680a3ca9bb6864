package dev.mainstay.core.simulation.check;

import dev.mainstay.core.simulation.check.invariant.Invariant;
import dev.mainstay.core.simulation.check.play.Scenario;
import java.util.List;

/** A failure of the rules in a world: which invariant, and what led there, line by line. */
public record Failure(
    Invariant invariant, String detail, Scenario scenario, List<String> trace, int tries) {
  public Failure {
    trace = List.copyOf(trace);
  }
}
