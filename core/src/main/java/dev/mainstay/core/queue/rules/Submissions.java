package dev.mainstay.core.queue.rules;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.Connection;
import dev.mainstay.core.queue.Departure;
import dev.mainstay.core.queue.Entry;
import dev.mainstay.core.queue.EntryId;
import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.HeadTargets;
import dev.mainstay.core.queue.PullRequestSnapshot;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.QueueAction;
import dev.mainstay.core.queue.QueueEvent.Cancelled;
import dev.mainstay.core.queue.QueueEvent.Submitted;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.Reason;
import dev.mainstay.core.queue.ReasonCode;
import dev.mainstay.core.queue.Run;
import java.util.List;
import java.util.Optional;

/**
 * Facts about a pull request itself. Submitted while it is in the queue, it keeps its place and
 * takes the new priority; submitted after its end, it begins anew. An older snapshot never replaces
 * a newer one, and targets count only for the head commit they were set for: those of a head that
 * the forge has not shown yet are kept until it does.
 */
final class Submissions {
  private static final Departure TARGETS_CHANGED =
      Departure.notReady(new Reason(ReasonCode.TARGETS_CHANGED, "Its impacted targets changed."));

  private Submissions() {}

  static void submitted(NextState next, Submitted event) {
    Optional<Entry> open = next.entry(event.pr());
    if (open.isPresent()) {
      Entry entry = open.get().with(event.priority(), event.noBatch());
      boolean takenBack =
          entry.leaving().filter(d -> d.to() == PullRequestState.CANCELLED).isPresent();
      next.put(takenBack ? entry.leaving(otherTargets(next, entry)) : entry);
      event.snapshot().ifPresent(s -> seen(next, event.pr(), s));
    } else {
      next.enter(
          Entry.submitted(
              new EntryId(next.nextId()),
              event,
              new Reason(ReasonCode.SUBMITTED, "It was submitted to the queue."),
              next.now));
      if (event.snapshot().isEmpty() && next.connection.connected()) {
        next.act(new QueueAction.TakeSnapshot(next.nextId(), event.pr()));
      }
    }
    event
        .snapshot()
        .flatMap(s -> event.targets().map(t -> new HeadTargets(s.head(), t)))
        .ifPresent(t -> targetsSet(next, event.pr(), t));
  }

  static void cancelled(NextState next, Cancelled event) {
    var end = Departure.cancelled(ReasonCode.CANCELLED_BY_USER, "It was cancelled.");
    next.entry(event.pr()).ifPresent(e -> next.put(e.leaving(Optional.of(end))));
  }

  static void seen(NextState next, PullRequestRef pr, PullRequestSnapshot snapshot) {
    next.entry(pr)
        .filter(e -> e.snapshot().filter(s -> s.asOf().isAfter(snapshot.asOf())).isEmpty())
        .ifPresent(e -> next.put(e.seen(snapshot)));
  }

  /** A forge that is back is asked about every entry: nobody told what happened meanwhile. */
  static void connected(NextState next, QueueState before, Connection connection) {
    next.connection = connection;
    if (connection.connected() && !before.connection().connected()) {
      before.entries().forEach(e -> next.act(new QueueAction.TakeSnapshot(next.nextId(), e.pr())));
    }
  }

  static void targetsSet(NextState next, PullRequestRef pr, HeadTargets known) {
    Optional<Entry> open = next.entry(pr);
    if (open.isEmpty()) {
      return;
    }
    Entry entry = open.get();
    if (isOfAnotherHead(entry, known)) {
      next.put(entry.touchingLater(known));
      return;
    }
    boolean changed = entry.targets().filter(known::equals).isEmpty();
    boolean tested = entry.admittedHead().equals(Optional.of(known.head()));
    Entry told = entry.touching(known);
    boolean moves = changed && tested && targetsMatter(next, pr) && entry.leaving().isEmpty();
    next.put(moves ? told.leaving(Optional.of(TARGETS_CHANGED)) : told);
  }

  /** Its targets may have changed before it was cancelled, and nobody came to act on that. */
  private static Optional<Departure> otherTargets(NextState next, Entry entry) {
    boolean others =
        entry
            .admission()
            .flatMap(a -> entry.knownTargets().filter(t -> !t.equals(a.targets())))
            .isPresent();
    return others && targetsMatter(next, entry.pr())
        ? Optional.of(TARGETS_CHANGED)
        : Optional.empty();
  }

  private static boolean targetsMatter(NextState next, PullRequestRef pr) {
    return next.settings.isParallel() || keptForItsTargets(next, pr);
  }

  /** Also in single mode a result may have been kept since all in its run met nothing new. */
  private static boolean keptForItsTargets(NextState next, PullRequestRef pr) {
    for (Group group : next.line()) {
      for (Run run : group.runs()) {
        if (!run.exact() && (group.holds(pr) || run.standsOn(List.of(pr)))) {
          return true;
        }
      }
    }
    return false;
  }

  /** The head may be one of before, or one that was pushed a moment ago. */
  private static boolean isOfAnotherHead(Entry entry, HeadTargets told) {
    return entry.head().isPresent() && !entry.head().equals(Optional.of(told.head()));
  }
}
