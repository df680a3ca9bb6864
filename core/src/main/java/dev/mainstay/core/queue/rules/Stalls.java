package dev.mainstay.core.queue.rules;

import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.Stall;
import dev.mainstay.core.queue.Step;
import java.time.Instant;

/** A stall is told once: of a queue that has moved since, or that is known to stall, nothing is. */
final class Stalls {
  private Stalls() {}

  static void seen(NextState next, QueueState before, Stall stall) {
    boolean isSo = before.idleSince().filter(stall.since()::equals).isPresent();
    if (isSo && before.progress().stall().isEmpty()) {
      next.progress = next.progress.stalled(stall);
    }
  }

  /** Where nobody is let in, nobody waits. */
  static Step endWhenDrained(QueueState state, Instant now) {
    var next = new NextState(state, now);
    if (state.progress().stall().isPresent() && state.isDrained()) {
      next.progress = state.progress().well();
    }
    return next.done();
  }
}
