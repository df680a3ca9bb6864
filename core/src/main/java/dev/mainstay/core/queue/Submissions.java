package dev.mainstay.core.queue;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.QueueEvent.Cancelled;
import dev.mainstay.core.queue.QueueEvent.Submitted;
import java.util.Optional;

/**
 * What is told about a pull request itself. Submitted while it is in the queue, it keeps its place
 * and takes the new priority; submitted after its end, it begins anew. An older snapshot never
 * replaces a newer one, and targets count only for the head commit they were set for.
 */
final class Submissions {
  private Submissions() {}

  static void submitted(Draft draft, Submitted event) {
    Optional<Entry> open = draft.entry(event.pr());
    if (open.isPresent()) {
      Entry entry = open.get().with(event.priority(), event.noBatch());
      boolean takenBack =
          entry.leaving().filter(r -> r.code() == ReasonCode.CANCELLED_BY_USER).isPresent();
      draft.put(takenBack ? entry.leaving(Optional.empty()) : entry);
      event.snapshot().ifPresent(s -> seen(draft, event.pr(), s));
    } else {
      draft.enter(
          Entry.submitted(
              new EntryId(draft.nextId()),
              event,
              new Reason(ReasonCode.SUBMITTED, "It was submitted to the queue."),
              draft.now));
      if (event.snapshot().isEmpty() && draft.connection.connected()) {
        draft.act(new QueueAction.TakeSnapshot(draft.nextId(), event.pr()));
      }
    }
    event
        .snapshot()
        .flatMap(s -> event.targets().map(t -> new HeadTargets(s.head(), t)))
        .ifPresent(t -> targetsSet(draft, event.pr(), t));
  }

  static void cancelled(Draft draft, Cancelled event) {
    var why = new Reason(ReasonCode.CANCELLED_BY_USER, "It was cancelled.");
    draft.entry(event.pr()).ifPresent(e -> draft.put(e.leaving(Optional.of(why))));
  }

  static void seen(Draft draft, PullRequestRef pr, PullRequestSnapshot snapshot) {
    draft
        .entry(pr)
        .filter(e -> e.snapshot().filter(s -> s.asOf().isAfter(snapshot.asOf())).isEmpty())
        .ifPresent(e -> draft.put(e.seen(snapshot)));
  }

  /** What happened while no forge was connected, nobody told: a forge that is back is asked. */
  static void connected(Draft draft, QueueState before, Connection connection) {
    draft.connection = connection;
    if (connection.connected() && !before.connection().connected()) {
      before
          .entries()
          .forEach(e -> draft.act(new QueueAction.TakeSnapshot(draft.nextId(), e.pr())));
    }
  }

  static void targetsSet(Draft draft, PullRequestRef pr, HeadTargets told) {
    Optional<Entry> open = draft.entry(pr);
    if (open.isEmpty() || isOlder(open.get(), told)) {
      return;
    }
    Entry entry = open.get();
    boolean changed = entry.targets().filter(told::equals).isEmpty();
    boolean tested = entry.admittedHead().equals(Optional.of(told.head()));
    Entry next = entry.touching(told);
    var why = new Reason(ReasonCode.TARGETS_CHANGED, "Its impacted targets changed.");
    boolean matters = draft.settings.isParallel() || keptForItsTargets(draft, pr);
    boolean moves = changed && tested && matters && entry.leaving().isEmpty();
    draft.put(moves ? next.leaving(Optional.of(why)) : next);
  }

  /** Also in single mode a result may have been kept because a change did not meet it. */
  private static boolean keptForItsTargets(Draft draft, PullRequestRef pr) {
    return draft.line().stream()
        .filter(g -> g.holds(pr))
        .anyMatch(g -> g.run().filter(r -> !r.exact()).isPresent());
  }

  private static boolean isOlder(Entry entry, HeadTargets told) {
    return entry.knownTargets().isPresent() && !entry.head().equals(Optional.of(told.head()));
  }
}
