package dev.mainstay.core.queue.rules;

import dev.mainstay.core.queue.QueueLifecycle;
import dev.mainstay.core.queue.QueueSettings;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.Step;
import java.time.Instant;
import java.util.Optional;

/**
 * Another mode is taken at once where nothing is in the queue. Else the queue is SWITCHING_MODES:
 * nobody enters, what is in merges, and then it runs in the new mode. Asking for any other state
 * meanwhile gives the switch up. Whoever lets a queue go on has seen its alarm.
 */
final class Modes {
  private Modes() {}

  static void settingsChanged(NextState next, QueueState before, QueueSettings wanted) {
    boolean switches = wanted.mode() != before.settings().mode();
    if (!switches || before.isDrained()) {
      next.settings = wanted;
    } else {
      next.settings = wanted.edit().mode(before.settings().mode()).build();
      next.switchingTo = Optional.of(wanted.mode());
      becomes(next, QueueLifecycle.SWITCHING_MODES);
    }
    Guesses.settingsChanged(next, before.settings());
  }

  /** At once, or once the target branch is no longer suspected. */
  static void becomes(NextState next, QueueLifecycle wanted) {
    next.doubt
        .suspicion()
        .ifPresentOrElse(
            s -> next.doubt = next.doubt.with(s.goingOnAs(wanted)), () -> next.lifecycle = wanted);
  }

  static void requested(NextState next, QueueLifecycle wanted) {
    next.switchingTo = Optional.empty();
    next.moved();
    if (next.doubt.suspicion().isPresent()) {
      Suspicions.requested(next, wanted);
    } else {
      next.lifecycle = wanted;
    }
    if (wanted != QueueLifecycle.PAUSED) {
      next.target = next.target.with(Optional.empty());
    }
  }

  static Step switchWhenDrained(QueueState state, Instant now) {
    var next = new NextState(state, now);
    if (state.switchingTo().isPresent() && state.isDrained()) {
      next.settings = state.settings().edit().mode(state.switchingTo().get()).build();
      next.switchingTo = Optional.empty();
      becomes(next, QueueLifecycle.RUNNING);
    }
    return next.done();
  }
}
