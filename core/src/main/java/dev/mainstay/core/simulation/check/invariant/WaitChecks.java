package dev.mainstay.core.simulation.check.invariant;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.Entry;
import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.QueueAction.StartRun;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.RunKind;
import dev.mainstay.core.queue.rules.MustPass;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Priorities are respected, and nobody waits for nothing. */
final class WaitChecks {
  void after(Observation o) {
    priorities(o);
    if (o.after().lifecycle().moves() && o.after().target().head().isPresent()) {
      lanes(o);
      slots(o);
      urgent(o);
    }
  }

  /** Nobody who waits and could have started is passed over by one that is new in the line. */
  private static void priorities(Observation o) {
    List<Entry> waiting = o.after().waiting();
    if (waiting.isEmpty() || o.actions(StartRun.class).findAny().isEmpty()) {
      return;
    }
    List<PullRequestRef> came = o.after().entries().values().stream().map(Entry::pr).toList();
    Comparator<Entry> order =
        Comparator.comparing(Entry::priority).thenComparingInt(e -> came.indexOf(e.pr()));
    o.actions(StartRun.class)
        .filter(a -> a.kind() == RunKind.MAIN)
        .flatMap(a -> o.after().groupOf(a.run()).stream())
        .filter(g -> g.pullRequests().stream().noneMatch(pr -> Lineup.inLine(pr, o.before())))
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
    if (!free || MustPass.statuses(after).isEmpty()) {
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

  private static void urgent(Observation o) {
    QueueState after = o.after();
    Optional<Entry> waits =
        after.waiting().stream().filter(e -> e.priority().isUrgent()).findFirst();
    if (waits.isEmpty()) {
      return;
    }
    List<Group> testing = after.line().stream().filter(Group::isTesting).toList();
    long urgent = testing.stream().filter(g -> isUrgent(g, after)).count();
    Optional<Group> other =
        testing.stream()
            .filter(g -> !isUrgent(g, after) && !Lineup.isLanding(after, g))
            .findFirst();
    if (other.isPresent()
        && urgent < after.settings().concurrency()
        && MustPass.statuses(after).isPresent()) {
      throw new InvariantBroken(
          Invariant.URGENT_AT_ONCE,
          "%s is urgent and waits while %s is tested"
              .formatted(waits.get().pr(), other.get().pullRequests()));
    }
  }

  private static boolean isUrgent(Group group, QueueState state) {
    return group.pullRequests().stream()
        .flatMap(pr -> state.entry(pr).stream())
        .anyMatch(e -> e.priority().isUrgent());
  }
}
