package dev.mainstay.core.simulation.check.invariant;

import dev.mainstay.core.queue.QueueAction;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.Step;
import java.time.Instant;
import java.util.stream.Stream;

/** One event and what it led to. */
public record Observation(QueueEvent event, QueueState before, Step step, Instant now) {
  public QueueState after() {
    return step.after();
  }

  <A extends QueueAction> Stream<A> actions(Class<A> kind) {
    return step.actions().stream().filter(kind::isInstance).map(kind::cast);
  }
}
