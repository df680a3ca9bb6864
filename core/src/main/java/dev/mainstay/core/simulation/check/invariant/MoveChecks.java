package dev.mainstay.core.simulation.check.invariant;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.Entry;
import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.GroupId;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.QueueAction;
import dev.mainstay.core.queue.QueueAction.CancelRun;
import dev.mainstay.core.queue.QueueAction.Land;
import dev.mainstay.core.queue.QueueAction.StartRun;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.QueueLifecycle;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.ReasonCode;
import dev.mainstay.core.queue.Run;
import dev.mainstay.core.queue.RunKind;
import dev.mainstay.core.queue.Transition;
import dev.mainstay.core.queue.rules.Places;
import dev.mainstay.core.simulation.check.play.TraceWords;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Pauses, and one that comes or goes, do not move others; modes change in between. */
final class MoveChecks {
  void after(Observation o) {
    pause(o);
    interrupting(o);
    modes(o);
    givingUp(o);
  }

  /**
   * Results that are on their way may excuse a failure, and a suspicion all of them. One that
   * stands aside was restarted: as soon as its branch is made, it is tested as all others are.
   */
  private static void givingUp(Observation o) {
    QueueState state = o.after();
    boolean applies =
        state.settings().speculationBudget() == 0
            && !state.settings().canOptimisticallyMerge()
            && state.settings().pendingFailureDepth() == 0
            && state.lifecycle() == QueueLifecycle.RUNNING
            && state.connection().connected()
            && state.doubt().suspicion().isEmpty()
            && Lineup.inProgress(state.line()) <= state.settings().concurrency();
    if (!applies) {
      return;
    }
    var failed = new HashSet<PullRequestRef>();
    boolean othersBegin = newcomersBegin(o);
    for (Group group : state.line()) {
      if (group.isTesting() && !group.aside() && holdsOne(group.run(), failed)) {
        throw new InvariantBroken(
            Invariant.GIVES_UP,
            "%s is tested on top of one of %s, which failed"
                .formatted(group.pullRequests(), failed));
      }
      if (othersBegin && couldBeginAnew(group, state) && holdsOne(group.run(), failed)) {
        throw new InvariantBroken(
            Invariant.LINE_FIRST,
            "%s was tested on top of one of %s, which failed, and newcomers got the slots"
                .formatted(group.pullRequests(), failed));
      }
      if (group.run().filter(r -> r.failed() && r.results().isEmpty()).isPresent()) {
        failed.addAll(group.pullRequests());
      }
    }
  }

  private static boolean holdsOne(Optional<Run> run, Set<PullRequestRef> failed) {
    return run.stream().flatMap(r -> r.lands().stream()).anyMatch(c -> failed.contains(c.pr()));
  }

  /** Somebody who waited is tested now, and not because it is urgent. */
  private static boolean newcomersBegin(Observation o) {
    return o.actions(StartRun.class)
        .filter(a -> a.kind() == RunKind.MAIN)
        .flatMap(a -> o.after().groupOf(a.run()).stream())
        .flatMap(g -> g.pullRequests().stream())
        .filter(pr -> !Lineup.inLine(pr, o.before()))
        .anyMatch(pr -> o.after().entry(pr).filter(e -> !e.priority().isUrgent()).isPresent());
  }

  private static boolean couldBeginAnew(Group group, QueueState state) {
    return !group.aside() && !Lineup.isLanding(state, group);
  }

  private static void pause(Observation o) {
    if (o.after().lifecycle() != QueueLifecycle.PAUSED) {
      return;
    }
    Optional<QueueAction> moves =
        o.step().actions().stream().filter(a -> isStart(a, o) || isNew(a, o)).findFirst();
    if (moves.isPresent()) {
      throw new InvariantBroken(
          Invariant.NOT_WHILE_PAUSED, TraceWords.of(moves.get()) + " in a paused queue");
    }
    if (o.before().lifecycle() == QueueLifecycle.PAUSED
        && !(o.event() instanceof QueueEvent.Submitted)) {
      orderIsKept(o);
    }
  }

  /** The target branch is tested while it is suspected, and nothing else is. */
  private static boolean isStart(QueueAction action, Observation o) {
    return action instanceof StartRun start
        && (start.kind() != RunKind.TARGET || o.after().doubt().suspicion().isEmpty());
  }

  private static boolean isNew(QueueAction action, Observation o) {
    return action instanceof Land land
        && o.before().landing().filter(l -> l.id().equals(land.landing())).isEmpty();
  }

  private static void orderIsKept(Observation o) {
    List<PullRequestRef> before = order(o.before());
    List<PullRequestRef> after = order(o.after());
    var common = new ArrayList<>(before);
    common.retainAll(new HashSet<>(after));
    var now = new ArrayList<>(after);
    now.retainAll(new HashSet<>(before));
    if (!common.equals(now)) {
      throw new InvariantBroken(
          Invariant.NOT_WHILE_PAUSED, "The order was %s and is %s".formatted(common, now));
    }
  }

  /** The line and those who wait; what is in bisection or stands aside has no place among them. */
  private static List<PullRequestRef> order(QueueState state) {
    return new Places(state)
        .inOrder().stream()
            .filter(e -> !e.is(PullRequestState.NOT_READY))
            .map(Entry::pr)
            .filter(pr -> state.side().stream().noneMatch(g -> g.holds(pr)))
            .filter(pr -> state.groupOf(pr).filter(Group::aside).isEmpty())
            .toList();
  }

  /** One that comes, and is not urgent, interrupts nobody. */
  private static void interrupting(Observation o) {
    boolean modest =
        o.event() instanceof QueueEvent.Submitted s
            && !s.priority().isUrgent()
            && o.before().entry(s.pr()).isEmpty()
            && o.before().wakeAt().filter(at -> !at.isAfter(o.now())).isEmpty();
    if (modest && o.actions(CancelRun.class).anyMatch(a -> isNoGuess(a, o.before()))) {
      throw new InvariantBroken(
          Invariant.OTHERS_GO_ON, TraceWords.of(o.event()) + " interrupted others");
    }
    boolean convicts =
        o.step().transitions().stream()
            .anyMatch(
                t ->
                    t.to() == PullRequestState.FAILED || t.reason().code() == ReasonCode.BISECTING);
    boolean due = o.before().wakeAt().filter(at -> !at.isAfter(o.now())).isPresent();
    if (o.event() instanceof QueueEvent.Cancelled c && !convicts && !due) {
      o.actions(CancelRun.class)
          .filter(a -> isNoGuess(a, o.before()) && !givesWayToUrgent(a, o) && !hasWaited(a, o))
          .filter(a -> !failureBelowBeginsAnew(a, o))
          .forEach(a -> stoodOn(c.pr(), a, o.before()));
    }
  }

  /** Urgent ones that stood on what left are tested at once, in whoever's slot. */
  private static boolean givesWayToUrgent(CancelRun cancel, Observation o) {
    boolean urgentStarts =
        o.actions(StartRun.class)
            .flatMap(a -> a.tested().stream())
            .flatMap(c -> o.after().entry(c.pr()).stream())
            .anyMatch(e -> e.priority().isUrgent());
    return urgentStarts
        && o.before().groupOf(cancel.run()).stream()
            .flatMap(g -> g.pullRequests().stream())
            .flatMap(pr -> o.before().entry(pr).stream())
            .noneMatch(e -> e.priority().isUrgent());
  }

  /** More were under test than there are slots: that is when one with an outdated run goes on. */
  private static boolean hasWaited(CancelRun cancel, Observation o) {
    QueueState before = o.before();
    return Lineup.inProgress(before.line()) > before.settings().concurrency()
        && before.groupOf(cancel.run()).stream()
            .flatMap(g -> o.after().line().stream().filter(a -> a.id().equals(g.id())))
            .anyMatch(Group::isTesting);
  }

  /** The slot goes to one that failed and waited to begin anew: those behind hold it again. */
  private static boolean failureBelowBeginsAnew(CancelRun cancel, Observation o) {
    Set<GroupId> failed =
        o.before().groupOf(cancel.run()).stream()
            .flatMap(g -> Lineup.below(o.before(), g.id()).stream())
            .filter(Group::failed)
            .map(Group::id)
            .collect(Collectors.toSet());
    return o.after().line().stream().anyMatch(g -> failed.contains(g.id()) && g.isTesting());
  }

  /** A guess gives way to whoever needs its slot. */
  private static boolean isNoGuess(CancelRun cancel, QueueState before) {
    return before.line().stream()
        .flatMap(g -> g.guesses().stream())
        .noneMatch(r -> r.id().equals(cancel.run()));
  }

  private static void stoodOn(PullRequestRef gone, CancelRun cancel, QueueState before) {
    Optional<Group> group = before.groupOf(cancel.run());
    boolean stood =
        group.isPresent()
            && (group.get().holds(gone)
                || group.get().half().isPresent()
                || Lineup.below(before, group.get().id()).stream().anyMatch(g -> g.holds(gone)));
    if (!stood) {
      throw new InvariantBroken(
          Invariant.OTHERS_GO_ON,
          "%s of %s is cancelled because %s left"
              .formatted(cancel.run(), group.map(Group::pullRequests).orElse(List.of()), gone));
    }
  }

  private static void modes(Observation o) {
    boolean switches = o.before().settings().mode() != o.after().settings().mode();
    if (switches) {
      inside(o.before())
          .filter(e -> o.step().transitions().stream().noneMatch(t -> letsGo(t, e)))
          .findFirst()
          .ifPresent(
              e -> {
                throw new InvariantBroken(
                    Invariant.MODES, "The mode changed while %s was inside".formatted(e.pr()));
              });
    }
    if (o.after().lifecycle() == QueueLifecycle.SWITCHING_MODES
        && inside(o.after()).findAny().isEmpty()) {
      throw new InvariantBroken(Invariant.MODES, "Nobody is inside, and the mode is as before");
    }
  }

  private static Stream<Entry> inside(QueueState state) {
    return state.entries().values().stream().filter(e -> !e.is(PullRequestState.NOT_READY));
  }

  private static boolean letsGo(Transition t, Entry entry) {
    return t.entry().equals(entry.id()) && (t.to().isEnd() || t.to() == PullRequestState.NOT_READY);
  }
}
