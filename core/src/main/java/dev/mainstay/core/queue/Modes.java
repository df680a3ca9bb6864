package dev.mainstay.core.queue;

import java.time.Instant;
import java.util.Optional;

/**
 * Another mode is taken at once where nothing is in the queue. Else the queue is SWITCHING_MODES:
 * nobody enters, what is in merges, and then it runs in the new mode. Asking for any other state
 * meanwhile gives the switch up.
 */
final class Modes {
  private Modes() {}

  static void settingsChanged(Draft draft, QueueState before, QueueSettings wanted) {
    boolean switches = wanted.mode() != before.settings().mode();
    if (!switches || before.isDrained()) {
      draft.settings = wanted;
      return;
    }
    draft.settings = wanted.edit().mode(before.settings().mode()).build();
    draft.switchingTo = Optional.of(wanted.mode());
    draft.lifecycle = QueueLifecycle.SWITCHING_MODES;
  }

  static void requested(Draft draft, QueueLifecycle wanted) {
    draft.lifecycle = wanted;
    draft.switchingTo = Optional.empty();
  }

  static Step switchWhenDrained(QueueState state, Instant now) {
    var draft = new Draft(state, now);
    if (state.switchingTo().isPresent() && state.isDrained()) {
      draft.settings = state.settings().edit().mode(state.switchingTo().get()).build();
      draft.switchingTo = Optional.empty();
      draft.lifecycle = QueueLifecycle.RUNNING;
    }
    return draft.done();
  }
}
