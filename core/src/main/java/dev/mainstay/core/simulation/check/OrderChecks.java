package dev.mainstay.core.simulation.check;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.Entry;
import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.QueueAction;
import dev.mainstay.core.queue.QueueAction.CancelRun;
import dev.mainstay.core.queue.QueueAction.Land;
import dev.mainstay.core.queue.QueueAction.StartRun;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.QueueLifecycle;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.RunKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Who goes when: priorities, pauses, restarts, and that nobody waits for nothing. */
final class OrderChecks {
  void after(Observation o) {
    pause(o);
    entering(o);
    cancelling(o);
    seeing(o);
    restarting(o);
    priorities(o);
    if (o.after().lifecycle().moves() && o.after().target().head().isPresent()) {
      lanes(o);
      slots(o);
    }
  }

  private static void pause(Observation o) {
    if (o.after().lifecycle() != QueueLifecycle.PAUSED) {
      return;
    }
    Optional<QueueAction> moves =
        o.step().actions().stream().filter(a -> a instanceof StartRun || isNew(a, o)).findFirst();
    if (moves.isPresent()) {
      throw new InvariantBroken(
          Invariant.NOT_WHILE_PAUSED, Wording.of(moves.get()) + " in a paused queue");
    }
    if (o.before().lifecycle() == QueueLifecycle.PAUSED
        && !(o.event() instanceof QueueEvent.Submitted)) {
      orderIsKept(o);
    }
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

  private static List<PullRequestRef> order(QueueState state) {
    return state.inOrder().stream()
        .filter(e -> !e.is(PullRequestState.NOT_READY))
        .map(Entry::pr)
        .toList();
  }

  private static void entering(Observation o) {
    if (o.after().lifecycle() == QueueLifecycle.RUNNING) {
      return;
    }
    o.step().transitions().stream()
        .filter(t -> t.from().equals(Optional.of(PullRequestState.NOT_READY)) && !t.to().isEnd())
        .forEach(
            t -> {
              throw new InvariantBroken(
                  Invariant.NOBODY_ENTERS,
                  "%s while %s".formatted(Wording.of(t), o.after().lifecycle()));
            });
  }

  private static void cancelling(Observation o) {
    if (o.event() instanceof QueueEvent.Cancelled c
        && o.before().groupOf(c.pr()).filter(g -> Lineup.isLanding(o.before(), g)).isEmpty()
        && o.after().entry(c.pr()).isPresent()) {
      throw new InvariantBroken(
          Invariant.LEAVES_WHEN_TOLD, c.pr() + " was cancelled and is still there");
    }
  }

  /** What the forge shows is believed, unless it showed something newer before. */
  private static void seeing(Observation o) {
    if (!(o.event() instanceof QueueEvent.SnapshotTaken shown)) {
      return;
    }
    boolean newer =
        o.before()
            .entry(shown.pr())
            .flatMap(Entry::snapshot)
            .filter(s -> s.asOf().isBefore(shown.snapshot().asOf()))
            .isPresent();
    Optional<Entry> after = o.after().entry(shown.pr());
    if (newer
        && after.isPresent()
        && !after.get().head().equals(Optional.of(shown.snapshot().head()))) {
      throw new InvariantBroken(
          Invariant.LEAVES_WHEN_TOLD,
          "%s is at %s, but the queue believes %s"
              .formatted(shown.pr(), shown.snapshot().head(), after.get().head()));
    }
  }

  private static void restarting(Observation o) {
    if (!(o.event() instanceof QueueEvent.RestartRequested restart)) {
      return;
    }
    Optional<Group> group = o.before().groupOf(restart.pr());
    Set<PullRequestRef> ours = new HashSet<>(group.map(Group::pullRequests).orElse(List.of()));
    boolean others =
        o.actions(StartRun.class)
                .flatMap(a -> a.tested().stream())
                .anyMatch(c -> !ours.contains(c.pr()) && o.before().runOf(c.pr()).isPresent())
            || o.actions(CancelRun.class)
                .anyMatch(
                    a -> group.flatMap(Group::run).filter(r -> r.id().equals(a.run())).isEmpty());
    if (others || !places(o.before()).equals(places(o.after()))) {
      throw new InvariantBroken(
          Invariant.RESTARTS_IN_PLACE,
          "The restart of %s turned %s into %s"
              .formatted(restart.pr(), QueuePicture.of(o.before()), QueuePicture.of(o.after())));
    }
  }

  private static List<List<PullRequestRef>> places(QueueState state) {
    return state.line().stream().map(Group::pullRequests).toList();
  }

  /** A group that is new in the line is passed over nobody who waits and could have started. */
  private static void priorities(Observation o) {
    List<Entry> waiting = o.after().waiting();
    if (waiting.isEmpty()) {
      return;
    }
    List<PullRequestRef> came = List.copyOf(o.after().entries().keySet());
    Comparator<Entry> order =
        Comparator.comparing(Entry::priority).thenComparingInt(e -> came.indexOf(e.pr()));
    o.actions(StartRun.class)
        .filter(a -> a.kind() == RunKind.MAIN)
        .flatMap(a -> o.after().groupOf(a.run()).stream())
        .filter(g -> o.before().line().stream().noneMatch(b -> b.id().equals(g.id())))
        .forEach(g -> nobodyIsPassedOver(g, waiting, order, o));
  }

  private static void nobodyIsPassedOver(
      Group started, List<Entry> waiting, Comparator<Entry> order, Observation o) {
    Entry best =
        started.pullRequests().stream()
            .flatMap(pr -> o.after().entry(pr).stream())
            .min(order)
            .orElseThrow();
    waiting.stream()
        .filter(e -> order.compare(e, best) < 0 && Lineup.couldStart(e, o.after(), o.now()))
        .findFirst()
        .ifPresent(
            e -> {
              throw new InvariantBroken(
                  Invariant.PRIORITIES,
                  "%s started while %s waits, which goes first".formatted(best.pr(), e.pr()));
            });
  }

  private static void lanes(Observation o) {
    if (o.after().landing().isPresent()) {
      return;
    }
    for (Group group : o.after().line()) {
      if (group.passed()
          && !group.rests(o.now())
          && Lineup.below(o.after(), group.id()).isEmpty()) {
        throw new InvariantBroken(
            Invariant.LANES_ARE_APART,
            "%s passed, stands on nothing, and is not merged".formatted(group.pullRequests()));
      }
    }
  }

  private static boolean isProven(Group group, QueueState state) {
    return Lineup.isLanding(state, group)
        || group.pullRequests().stream()
            .flatMap(pr -> state.entry(pr).stream())
            .allMatch(e -> e.is(PullRequestState.TESTS_PASSED));
  }

  private static void slots(Observation o) {
    QueueState after = o.after();
    boolean free = Lineup.inProgress(after.line()) < after.settings().concurrency();
    if (!free || after.requiredStatuses().isEmpty()) {
      return;
    }
    Optional<PullRequestRef> idle =
        after.waiting().stream()
            .filter(e -> Lineup.couldStart(e, after, o.now()))
            .map(Entry::pr)
            .findFirst()
            .or(
                () ->
                    after.line().stream()
                        .filter(g -> g.run().isEmpty() && !g.direct() && !g.rests(o.now()))
                        .filter(g -> !isProven(g, after))
                        .map(g -> g.pullRequests().getFirst())
                        .findFirst());
    if (idle.isPresent()) {
      throw new InvariantBroken(
          Invariant.SLOTS_ARE_USED, idle.get() + " waits although a slot is free");
    }
  }
}
