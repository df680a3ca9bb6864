package dev.mainstay.core.simulation.check;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.Conditions;
import dev.mainstay.core.queue.Entries;
import dev.mainstay.core.queue.Entry;
import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.HeadTargets;
import dev.mainstay.core.queue.LandingInFlight;
import dev.mainstay.core.queue.Looked;
import dev.mainstay.core.queue.Priority;
import dev.mainstay.core.queue.PullRequestSnapshot;
import dev.mainstay.core.queue.QueueAction;
import dev.mainstay.core.queue.QueueLifecycle;
import dev.mainstay.core.queue.QueueSettings;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.Run;
import dev.mainstay.core.queue.Step;
import dev.mainstay.core.queue.Transition;
import dev.mainstay.core.queue.rules.MustPass;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** Changes what no rule would change: the tools with which bugs are planted. */
final class Tampering {
  private Tampering() {}

  static QueueState settings(QueueState s, QueueSettings settings) {
    return new QueueState(
        settings,
        s.lifecycle(),
        s.switchingTo(),
        s.connection(),
        s.target(),
        s.entries(),
        s.line(),
        s.side(),
        s.landing(),
        s.wakeAt(),
        s.lastId(),
        s.progress(),
        s.doubt(),
        s.looked(),
        s.learned());
  }

  static Conditions conditions(QueueState s) {
    return new Conditions(
        s.lifecycle(),
        s.target().branch(),
        s.connection().connected(),
        MustPass.statuses(s).isPresent(),
        s.settings().isParallel(),
        s.target().head().isPresent(),
        !s.target().missing());
  }

  static QueueState lifecycle(QueueState s, QueueLifecycle lifecycle) {
    return new QueueState(
        s.settings(),
        lifecycle,
        s.switchingTo(),
        s.connection(),
        s.target(),
        s.entries(),
        s.line(),
        s.side(),
        s.landing(),
        s.wakeAt(),
        s.lastId(),
        s.progress(),
        s.doubt(),
        s.looked(),
        s.learned());
  }

  /** As if it had drained: in the mode it was about to take. */
  static QueueState switched(QueueState s) {
    return new QueueState(
        s.settings().edit().mode(s.switchingTo().orElseThrow()).build(),
        QueueLifecycle.RUNNING,
        Optional.empty(),
        s.connection(),
        s.target(),
        s.entries(),
        s.line(),
        s.side(),
        s.landing(),
        s.wakeAt(),
        s.lastId(),
        s.progress(),
        s.doubt(),
        s.looked(),
        s.learned());
  }

  static QueueState side(QueueState s, List<Group> side, Map<PullRequestRef, Entry> changed) {
    QueueState known = entries(s, e -> changed.getOrDefault(e.pr(), e));
    return new QueueState(
        s.settings(),
        s.lifecycle(),
        s.switchingTo(),
        s.connection(),
        s.target(),
        known.entries(),
        s.line(),
        side,
        s.landing(),
        s.wakeAt(),
        s.lastId() + side.size(),
        s.progress(),
        s.doubt(),
        known.looked(),
        s.learned());
  }

  static QueueState landing(QueueState s, Optional<LandingInFlight> landing) {
    return new QueueState(
        s.settings(),
        s.lifecycle(),
        s.switchingTo(),
        s.connection(),
        s.target(),
        s.entries(),
        s.line(),
        s.side(),
        landing,
        s.wakeAt(),
        s.lastId(),
        s.progress(),
        s.doubt(),
        s.looked(),
        s.learned());
  }

  static QueueState line(QueueState s, List<Group> line) {
    return new QueueState(
        s.settings(),
        s.lifecycle(),
        s.switchingTo(),
        s.connection(),
        s.target(),
        s.entries(),
        line,
        s.side(),
        s.landing(),
        s.wakeAt(),
        s.lastId(),
        s.progress(),
        s.doubt(),
        s.looked(),
        s.learned());
  }

  static QueueState groups(QueueState s, UnaryOperator<Group> change) {
    return line(s, s.line().stream().map(change).toList());
  }

  static QueueState entries(QueueState s, UnaryOperator<Entry> change) {
    return entries(s, e -> true, change);
  }

  static QueueState entries(QueueState s, Predicate<Entry> kept, UnaryOperator<Entry> change) {
    var entries = Entries.of(s.entries().values().stream().filter(kept).map(change).toList());
    return new QueueState(
        s.settings(),
        s.lifecycle(),
        s.switchingTo(),
        s.connection(),
        s.target(),
        entries,
        s.line(),
        s.side(),
        s.landing(),
        s.wakeAt(),
        s.lastId(),
        s.progress(),
        s.doubt(),
        Looked.AT_NOBODY,
        s.learned());
  }

  static Entry with(Entry e, Priority priority) {
    return entry(e, priority, e.noBatch(), e.snapshot(), e.targets());
  }

  static Entry with(Entry e, PullRequestSnapshot snapshot) {
    return entry(e, e.priority(), e.noBatch(), Optional.of(snapshot), e.targets());
  }

  /** The same as if the forge had shown it at another time. */
  static PullRequestSnapshot asOf(PullRequestSnapshot s, Instant at) {
    return new PullRequestSnapshot(
        s.head(),
        s.baseBranch(),
        s.status(),
        s.mergeability(),
        s.mergeBase(),
        s.passedStatuses(),
        at,
        s.heldBy(),
        s.empty(),
        s.obstacles(),
        s.author(),
        s.changedFiles());
  }

  static Entry with(Entry e, HeadTargets targets) {
    return entry(e, e.priority(), e.noBatch(), e.snapshot(), Optional.of(targets));
  }

  static Entry with(Entry e, boolean noBatch) {
    return entry(e, e.priority(), noBatch, e.snapshot(), e.targets());
  }

  private static Entry entry(
      Entry e,
      Priority priority,
      boolean noBatch,
      Optional<PullRequestSnapshot> snapshot,
      Optional<HeadTargets> targets) {
    return new Entry(
        e.id(),
        e.pr(),
        priority,
        noBatch,
        snapshot,
        targets,
        e.state(),
        e.reason(),
        e.stateChangedAt(),
        e.submittedAt(),
        e.admission(),
        e.companions(),
        e.conflictedHead(),
        e.leaving(),
        e.earlyTargets());
  }

  static Group standingOnNothing(Group g) {
    return new Group(
        g.id(),
        g.members(),
        List.of(),
        g.run(),
        g.why(),
        g.keepsPlace(),
        g.direct(),
        g.notBefore(),
        g.half(),
        g.aside(),
        g.guesses(),
        g.flakeRetries());
  }

  static Group with(Group g, Optional<Run> run) {
    return new Group(
        g.id(),
        g.members(),
        g.standsOn(),
        run,
        g.why(),
        g.keepsPlace(),
        g.direct(),
        g.notBefore(),
        g.half(),
        g.aside(),
        g.guesses(),
        g.flakeRetries());
  }

  static Run requiring(Run r, List<String> statuses) {
    return new Run(
        r.id(),
        r.kind(),
        r.base(),
        statuses,
        r.checks(),
        r.heard(),
        r.exact(),
        r.outcome(),
        r.requestedAt(),
        r.builtAt(),
        r.commit(),
        r.bringNothing(),
        r.lands(),
        r.leaves(),
        r.results(),
        r.heldAtStart());
  }

  static Step after(Step step, QueueState after) {
    return new Step(after, step.changed(), step.ended(), step.actions(), step.transitions());
  }

  static Step actions(Step step, Predicate<QueueAction> kept) {
    return new Step(
        step.after(),
        step.changed(),
        step.ended(),
        step.actions().stream().filter(kept).toList(),
        step.transitions());
  }

  static Step transitions(Step step, List<Transition> transitions) {
    return new Step(step.after(), step.changed(), step.ended(), step.actions(), transitions);
  }
}
