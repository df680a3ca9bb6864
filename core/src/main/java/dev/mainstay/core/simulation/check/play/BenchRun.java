package dev.mainstay.core.simulation.check.play;

import dev.mainstay.core.queue.Change;
import dev.mainstay.core.queue.QueueAction.StartRun;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A test run as the world knows it: what was asked for, what it was made of, and what the queue has
 * been told of it. It is unwanted once the queue asked for its end, and cancelled once that is
 * done; it is tainted when its result does not show what the changes are worth.
 */
public final class BenchRun {
  public final StartRun asked;
  public final Set<String> succeeded = new HashSet<>();
  private final List<Patch> patches;
  private final long hash;
  public boolean begun;
  public boolean unwanted;
  public boolean cancelled;
  public boolean tainted;
  boolean broken;
  boolean flaked;
  boolean unexplained;
  boolean out;

  BenchRun(StartRun asked) {
    this.asked = asked;
    patches =
        Stream.concat(asked.standsOn().stream(), asked.tested().stream()).map(Patch::of).toList();
    hash = patches().mapToLong(Patch::hash).reduce(asked.base().value().hashCode(), Luck::mix);
  }

  public Stream<Patch> patches() {
    return patches.stream();
  }

  public boolean proved() {
    return succeeded.containsAll(asked.requiredStatuses());
  }

  /** The same changes on the same base have the same luck, whatever the run is called. */
  long hash() {
    return hash;
  }

  boolean tests(int pr) {
    return asked.tested().stream().map(Change::pr).anyMatch(p -> p.number() == pr);
  }
}
