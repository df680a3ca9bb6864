package dev.mainstay.core.queue.rules;

import dev.mainstay.core.queue.QueueAction;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.Step;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

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
    int minutes = InForce.testingTimeoutMinutes(state);
    Stream<Instant> groups =
        Stream.concat(state.line().stream(), state.side().stream())
            .flatMap(
                g ->
                    Stream.concat(
                        g.runs().flatMap(r -> Timeouts.deadline(r, minutes).stream()),
                        Stream.concat(g.notBefore().stream(), Flakes.awaitedUntil(g).stream())));
    Stream<Instant> landing = state.landing().stream().map(Timeouts::remindAt);
    return Stream.of(groups, landing, batches(state))
        .flatMap(s -> s)
        .filter(at -> at.isAfter(now))
        .min(Instant::compareTo);
  }

  private static Stream<Instant> batches(QueueState state) {
    boolean waits = state.settings().batch() && RunStart.freeSlots(state) > 0;
    return waits
        ? Batching.form(state).stream().map(forming -> forming.goesAt(state.settings()))
        : Stream.empty();
  }
}
