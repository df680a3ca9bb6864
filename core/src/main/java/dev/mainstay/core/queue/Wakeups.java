package dev.mainstay.core.queue;

import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * When the queue wants to be woken although nothing happens: when a run is given up, when the forge
 * is to be asked again, or when a batch has waited long enough.
 */
final class Wakeups {
  private Wakeups() {}

  static Step askToBeWoken(QueueState state, Instant now) {
    var draft = new Draft(state, now);
    Optional<Instant> next = next(state, now);
    if (!next.equals(state.wakeAt())) {
      draft.wakeAt = next;
      next.ifPresent(at -> draft.act(new QueueAction.WakeAt(at)));
    }
    return draft.done();
  }

  private static Optional<Instant> next(QueueState state, Instant now) {
    Stream<Instant> groups =
        Stream.concat(state.line().stream(), state.side().stream())
            .flatMap(
                g ->
                    Stream.concat(
                        Timeouts.deadline(g, state.settings()).stream(), g.notBefore().stream()));
    Stream<Instant> landing = state.landing().stream().map(Timeouts::remindAt);
    return Stream.of(groups, landing, batches(state))
        .flatMap(s -> s)
        .filter(at -> at.isAfter(now))
        .min(Instant::compareTo);
  }

  private static Stream<Instant> batches(QueueState state) {
    boolean waits = state.settings().batch() && Speculation.freeSlots(state) > 0;
    return waits
        ? Batching.form(state).stream().map(forming -> forming.goesAt(state.settings()))
        : Stream.empty();
  }
}
