package dev.mainstay.core.simulation.check.invariant;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.QueueAction.CancelRun;
import dev.mainstay.core.queue.QueueAction.StartRun;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.simulation.check.play.QueuePicture;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** A restart tests its group anew, in its place, and leaves others alone. */
final class RestartChecks {
  void after(Observation o) {
    if (!(o.event() instanceof QueueEvent.RestartRequested restart)) {
      return;
    }
    testsAnew(restart, o);
    boolean urgent =
        o.before().groupOf(restart.pr()).stream()
            .flatMap(g -> g.pullRequests().stream())
            .flatMap(pr -> o.before().entry(pr).stream())
            .anyMatch(e -> e.priority().isUrgent());
    if (urgent || !o.after().connection().connected()) {
      return;
    }
    Optional<Group> group = o.before().groupOf(restart.pr());
    Set<PullRequestRef> ours = new HashSet<>(group.map(Group::pullRequests).orElse(List.of()));
    if (ours.stream().anyMatch(pr -> leaves(pr, o.after()))) {
      return;
    }
    // Failures that it had proven are failures again.
    group.stream()
        .flatMap(g -> Lineup.below(o.before(), g.id()).stream())
        .filter(Group::failed)
        .forEach(g -> ours.addAll(g.pullRequests()));
    boolean others =
        o.after().settings().speculationBudget() == 0
            && (o.actions(StartRun.class)
                    .flatMap(a -> a.tested().stream())
                    .anyMatch(c -> !ours.contains(c.pr()) && o.before().runOf(c.pr()).isPresent())
                || o.actions(CancelRun.class)
                    .map(a -> o.before().groupOf(a.run()))
                    .anyMatch(g -> g.filter(f -> ours.containsAll(f.pullRequests())).isEmpty()));
    boolean otherWaitEnds = o.before().wakeAt().filter(at -> !at.isAfter(o.now())).isPresent();
    boolean slotIsFree = freesItsSlot(group, restart.pr(), o.after());
    Set<PullRequestRef> freed = aside(o.before());
    freed.removeAll(aside(o.after()));
    ours.stream().filter(pr -> leaves(pr, o.after())).forEach(freed::add);
    boolean moves = !places(o.before(), freed).equals(places(o.after(), freed));
    if (!otherWaitEnds && ((others && !slotsFitAgain(o)) || (moves && !slotIsFree))) {
      throw new InvariantBroken(
          Invariant.RESTARTS_IN_PLACE,
          "The restart of %s turned %s into %s"
              .formatted(restart.pr(), QueuePicture.of(o.before()), QueuePicture.of(o.after())));
    }
  }

  /** Others behind it passed with it: it is proven, and the next one may have its slot. */
  private static boolean freesItsSlot(Optional<Group> before, PullRequestRef pr, QueueState after) {
    return before.filter(Group::isTesting).isPresent()
        && after.entry(pr).filter(e -> e.is(PullRequestState.TESTS_PASSED)).isPresent();
  }

  /** There had come to be fewer slots: without its own, those behind a failure may begin anew. */
  private static boolean slotsFitAgain(Observation o) {
    int slots = o.after().settings().concurrency();
    return Lineup.inProgress(o.before().line()) > slots
        && Lineup.inProgress(o.after().line()) <= slots;
  }

  private static void testsAnew(QueueEvent.RestartRequested restart, Observation o) {
    o.before()
        .groupOf(restart.pr())
        .filter(g -> !Lineup.isLanding(o.before(), g))
        .flatMap(Group::run)
        .filter(r -> o.after().groupOf(r.id()).isPresent())
        .ifPresent(
            r -> {
              throw new InvariantBroken(
                  Invariant.RESTARTS_IN_PLACE,
                  "The restart of %s left %s as it was".formatted(restart.pr(), r.id()));
            });
  }

  /** What was known of it meanwhile counts when it waits again. */
  private static boolean leaves(PullRequestRef pr, QueueState after) {
    return after.entry(pr).filter(e -> !e.is(PullRequestState.NOT_READY)).isEmpty();
  }

  /**
   * Without those who stood aside and come back in the slot, which gives them their place, and
   * without those whose failure counts now.
   */
  private static List<List<PullRequestRef>> places(QueueState state, Set<PullRequestRef> without) {
    return state.line().stream()
        .map(Group::pullRequests)
        .filter(prs -> Collections.disjoint(prs, without))
        .toList();
  }

  private static Set<PullRequestRef> aside(QueueState state) {
    return state.line().stream()
        .filter(Group::aside)
        .flatMap(g -> g.pullRequests().stream())
        .collect(Collectors.toCollection(HashSet::new));
  }
}
