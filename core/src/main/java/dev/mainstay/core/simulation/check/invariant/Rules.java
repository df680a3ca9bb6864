package dev.mainstay.core.simulation.check.invariant;

import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.Step;
import java.time.Instant;

/** The rules that are checked: the engine, or in a test of the checks themselves a spoilt one. */
@FunctionalInterface
public interface Rules {
  Step on(QueueEvent event, QueueState before, Instant now);
}
