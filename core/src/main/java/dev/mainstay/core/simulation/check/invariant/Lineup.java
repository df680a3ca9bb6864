package dev.mainstay.core.simulation.check.invariant;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.Change;
import dev.mainstay.core.queue.Entry;
import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.GroupId;
import dev.mainstay.core.queue.ImpactedTargets;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.Run;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Reads a queue's state anew, without believing what it says about who stands on whom. */
final class Lineup {
  private Lineup() {}

  /**
   * The groups that one of the line must stand on: all ahead that meet it, or meet one that does,
   * without those that stand aside.
   */
  static List<Group> below(QueueState state, GroupId id) {
    return below(state, id, List.of());
  }

  /** The same, as if these were not there. */
  private static List<Group> below(
      QueueState state, GroupId id, Collection<PullRequestRef> without) {
    var below = new ArrayList<Group>();
    var lane = new ArrayList<Group>();
    for (Group group : state.line().reversed()) {
      if (group.id().equals(id)) {
        lane.add(group);
      } else if (!isAny(group, without)
          && !group.aside()
          && lane.stream().anyMatch(g -> meet(g, group, state))) {
        lane.add(group);
        below.addFirst(group);
      }
    }
    return below;
  }

  /** The groups that a test branch of this one holds below it if these are left out. */
  static List<Group> held(QueueState state, Group group, Collection<PullRequestRef> without) {
    return below(state, group.id(), without).stream()
        .filter(g -> !holdsOnlyWhatItMeets(state) || meet(g, group, state))
        .toList();
  }

  /** Nothing is proven by what stands on it, and nothing disjoint sways a test. */
  static boolean holdsOnlyWhatItMeets(QueueState state) {
    return state.settings().isParallel()
        && state.settings().hermeticTests()
        && !state.settings().canOptimisticallyMerge();
  }

  private static boolean isAny(Group group, Collection<PullRequestRef> prs) {
    return group.pullRequests().stream().anyMatch(prs::contains);
  }

  static List<Change> changes(List<Group> groups) {
    return groups.stream().flatMap(g -> g.members().stream()).toList();
  }

  private static boolean meet(Group one, Group other, QueueState state) {
    return !state.settings().isParallel()
        || one.members().stream()
            .anyMatch(
                m ->
                    other.members().stream().anyMatch(n -> lanes(m, state).meets(lanes(n, state))));
  }

  /** The targets as the queue knows them, and ALL where it does not. */
  static ImpactedTargets targets(Change change, QueueState state) {
    return state
        .entry(change.pr())
        .flatMap(Entry::targets)
        .filter(t -> t.head().equals(change.head()))
        .map(t -> t.targets())
        .orElse(ImpactedTargets.ALL);
  }

  /** Targets that change while their change is being merged count when it has merged. */
  private static ImpactedTargets lanes(Change change, QueueState state) {
    boolean merging =
        state.landing().isPresent()
            && state.groupOf(change.pr()).filter(g -> isLanding(state, g)).isPresent();
    return merging
        ? state.member(change.pr()).admission().orElseThrow().targets()
        : targets(change, state);
  }

  static boolean inLine(PullRequestRef pr, QueueState state) {
    return state.line().stream().anyMatch(g -> g.holds(pr));
  }

  static long inProgress(List<Group> groups) {
    return groups.stream().filter(Group::isTesting).count();
  }

  /** The same, with the guesses. */
  static long runsInProgress(List<Group> groups) {
    return groups.stream().flatMap(Group::runs).filter(Run::isInProgress).count();
  }

  static boolean isLanding(QueueState state, Group group) {
    return state.landing().filter(l -> l.groups().contains(group.id())).isPresent();
  }

  /** An entry that waits could be started at once, whoever else comes. */
  static boolean couldStart(Entry entry, QueueState state, Instant now) {
    boolean alone = !state.settings().batch() || entry.noBatch() || entry.priority().isUrgent();
    var wait = Duration.ofMinutes(state.settings().batchingMaxWaitTimeMinutes());
    return alone || entry.admission().filter(a -> !a.since().plus(wait).isAfter(now)).isPresent();
  }
}
