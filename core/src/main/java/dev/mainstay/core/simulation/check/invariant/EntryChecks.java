package dev.mainstay.core.simulation.check.invariant;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.Entry;
import dev.mainstay.core.queue.PullRequestSnapshot;
import dev.mainstay.core.queue.PullRequestSnapshot.Mergeability;
import dev.mainstay.core.queue.PullRequestSnapshot.Status;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.QueueLifecycle;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.ReasonCode;
import dev.mainstay.core.queue.Transition;
import dev.mainstay.core.queue.rules.MustPass;
import dev.mainstay.core.simulation.check.play.FakeForge;
import dev.mainstay.core.simulation.check.play.TraceWords;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** Entries come in and go out as they must, and the queue believes what it is told. */
final class EntryChecks {
  private final Set<PullRequestRef> cancelled = new HashSet<>();

  void after(Observation o) {
    for (Transition t : o.step().transitions()) {
      if (t.from().equals(Optional.of(PullRequestState.NOT_READY)) && !t.to().isEnd()) {
        enters(t, o.after());
      }
    }
    cancelling(o);
    seeing(o);
    submitting(o);
    secondThoughts(o);
  }

  private static void enters(Transition t, QueueState after) {
    boolean open = after.lifecycle() == QueueLifecycle.RUNNING;
    if (!open || after.entry(t.pr()).filter(e -> isReady(e, after)).isEmpty()) {
      throw new InvariantBroken(
          Invariant.NOBODY_ENTERS,
          "%s in a queue that is %s%s"
              .formatted(TraceWords.of(t), after.lifecycle(), open ? ", but it is not ready" : ""));
    }
  }

  private static boolean isReady(Entry entry, QueueState state) {
    Optional<PullRequestSnapshot> seen = entry.snapshot();
    return seen.isPresent()
        && seen.get().status() == Status.OPEN
        && seen.get().baseBranch().equals(FakeForge.BRANCH)
        && seen.get().mergeability() == Mergeability.MERGEABLE
        && (!state.settings().isParallel() || entry.knownTargets().isPresent())
        && MustPass.statuses(state).isPresent()
        && state.connection().connected();
  }

  private static void cancelling(Observation o) {
    if (o.event() instanceof QueueEvent.Cancelled c
        && o.before().groupOf(c.pr()).filter(g -> Lineup.isLanding(o.before(), g)).isEmpty()
        && o.after().entry(c.pr()).isPresent()) {
      throw new InvariantBroken(
          Invariant.LEAVES_WHEN_TOLD, c.pr() + " was cancelled and is still there");
    }
  }

  /** A snapshot of the forge is believed, unless it showed a newer one before. */
  private static void seeing(Observation o) {
    if (!(o.event() instanceof QueueEvent.SnapshotTaken shown)) {
      return;
    }
    Optional<PullRequestSnapshot> known = o.before().entry(shown.pr()).flatMap(Entry::snapshot);
    boolean newer = known.filter(s -> s.asOf().isBefore(shown.snapshot().asOf())).isPresent();
    boolean older = known.filter(s -> s.asOf().isAfter(shown.snapshot().asOf())).isPresent();
    Optional<Entry> after = o.after().entry(shown.pr());
    if (newer
        && after.isPresent()
        && !after.get().head().equals(Optional.of(shown.snapshot().head()))) {
      throw new InvariantBroken(
          Invariant.LEAVES_WHEN_TOLD,
          "%s is at %s, but the queue believes %s"
              .formatted(shown.pr(), shown.snapshot().head(), after.get().head()));
    }
    if (older && after.isPresent() && !after.get().snapshot().equals(known)) {
      throw new InvariantBroken(
          Invariant.LATEST_WORD,
          "%s is %s, but the queue believes what was so before"
              .formatted(shown.pr(), known.map(TraceWords::of).orElseThrow()));
    }
  }

  /** Of a cancel and a submission the later one counts, also while the merge is under way. */
  private void secondThoughts(Observation o) {
    if (o.event() instanceof QueueEvent.Cancelled c) {
      cancelled.add(c.pr());
    } else if (o.event() instanceof QueueEvent.Submitted s) {
      cancelled.remove(s.pr());
    }
    for (Transition t : o.step().transitions()) {
      if (t.reason().code() == ReasonCode.CANCELLED_BY_USER && !cancelled.contains(t.pr())) {
        throw new InvariantBroken(
            Invariant.STAYS_WHEN_TOLD, TraceWords.of(t) + ", but it was submitted again");
      }
    }
  }

  private static void submitting(Observation o) {
    if (!(o.event() instanceof QueueEvent.Submitted told)) {
      return;
    }
    Optional<Entry> entry = o.after().entry(told.pr());
    if (entry.isPresent()
        && (!entry.get().priority().equals(told.priority())
            || entry.get().noBatch() != told.noBatch())) {
      throw new InvariantBroken(
          Invariant.PRIORITIES,
          "%s was submitted with priority %d and has %d"
              .formatted(told.pr(), told.priority().value(), entry.get().priority().value()));
    }
  }
}
