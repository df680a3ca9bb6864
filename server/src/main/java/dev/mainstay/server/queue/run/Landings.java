package dev.mainstay.server.queue.run;

import dev.mainstay.core.queue.Entry;
import dev.mainstay.core.queue.LandedHow;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.server.queue.store.PullRequestStore.Landed;
import java.util.Optional;

/** Landings of entries, as the event tells that ended them. */
final class Landings {
  private Landings() {}

  /** The commit an entry landed in; where no landing of ours did it, it was there already. */
  static Optional<Landed> of(QueueEvent event, QueueState after, Entry ended) {
    if (!ended.is(PullRequestState.MERGED)) {
      return Optional.empty();
    }
    Optional<Landed> ours =
        event instanceof QueueEvent.LandingEnded answer
            ? answer.landed().stream()
                .filter(l -> l.pr().equals(ended.pr()))
                .findFirst()
                .map(l -> new Landed(l.targetHead().value(), l.how().orElse(LandedHow.REBUILT)))
            : Optional.empty();
    return ours.or(
        () -> after.target().head().map(h -> new Landed(h.value(), LandedHow.ALREADY_THERE)));
  }
}
