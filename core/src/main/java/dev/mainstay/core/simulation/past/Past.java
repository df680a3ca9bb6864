package dev.mainstay.core.simulation.past;

import java.util.List;

/** What happened in a queue: the submissions that ended, and the runs, in the order they began. */
public record Past(List<PastChange> changes, List<PastRun> runs) {
  public Past {
    changes = List.copyOf(changes);
    runs = List.copyOf(runs);
  }
}
