package dev.mainstay.core.queue.rules;

import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.QueueAction;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.Step;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A queue asks to be woken although nothing happens: when a run is given up, when the forge is to
 * be asked again, when results have been waited for, or when a batch has waited long enough.
 */
final class Wakeups {
  private Wakeups() {}

  static Step askToBeWoken(QueueState state, Instant now) {
    var next = new NextState(state, now);
    Optional<Instant> wakeAt = nextWait(state, now);
    if (!wakeAt.equals(state.wakeAt())) {
      next.wakeAt = wakeAt;
      wakeAt.ifPresent(at -> next.act(new QueueAction.WakeAt(at)));
    }
    return next.done();
  }

  private static Optional<Instant> nextWait(QueueState state, Instant now) {
    var waits = new ArrayList<Instant>();
    int minutes = InForce.testingTimeoutMinutes(state);
    state.line().forEach(g -> add(waits, g, minutes));
    state.side().forEach(g -> add(waits, g, minutes));
    state.landing().map(Timeouts::remindAt).ifPresent(waits::add);
    if (state.settings().batch() && RunStart.freeSlots(state) > 0) {
      Batching.form(state).forEach(forming -> waits.add(forming.goesAt(state.settings())));
    }
    return first(waits, now);
  }

  private static void add(List<Instant> waits, Group group, int minutes) {
    group.runs().forEach(r -> Timeouts.deadline(r, minutes).ifPresent(waits::add));
    group.notBefore().ifPresent(waits::add);
    Flakes.awaitedUntil(group).ifPresent(waits::add);
  }

  private static Optional<Instant> first(List<Instant> waits, Instant now) {
    Instant first = Instant.MAX;
    for (Instant at : waits) {
      if (at.isAfter(now) && at.isBefore(first)) {
        first = at;
      }
    }
    return first.equals(Instant.MAX) ? Optional.empty() : Optional.of(first);
  }
}
