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
      } else if (!isAny(group, without) && !group.aside() && meetsAny(lane, group, state)) {
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
    return !prs.isEmpty() && group.members().stream().anyMatch(m -> prs.contains(m.pr()));
  }

  private static boolean meetsAny(List<Group> lane, Group group, QueueState state) {
    for (Group other : lane) {
      if (meet(other, group, state)) {
        return true;
      }
    }
    return false;
  }

  static List<Change> changes(List<Group> groups) {
    var changes = new ArrayList<Change>();
    groups.forEach(g -> changes.addAll(g.members()));
    return changes;
  }

  private static boolean meet(Group one, Group other, QueueState state) {
    if (!state.settings().isParallel()) {
      return true;
    }
    for (Change member : one.members()) {
      ImpactedTargets touched = lanes(member, state);
      if (other.members().stream().anyMatch(m -> touched.meets(lanes(m, state)))) {
        return true;
      }
    }
    return false;
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
    for (Group group : state.line()) {
      if (group.holds(pr)) {
        return true;
      }
    }
    return false;
  }

  static long inProgress(List<Group> groups) {
    long testing = 0;
    for (Group group : groups) {
      testing += group.isTesting() ? 1 : 0;
    }
    return testing;
  }

  /** The same, with the guesses. */
  static long runsInProgress(List<Group> groups) {
    return groups.stream().flatMap(g -> g.runs().stream()).filter(Run::isInProgress).count();
  }

  static boolean isLanding(QueueState state, Group group) {
    return state.isLanding(group.id());
  }

  /** An entry that waits could be started at once, whoever else comes. */
  static boolean couldStart(Entry entry, QueueState state, Instant now) {
    boolean alone = !state.settings().batch() || entry.noBatch() || entry.priority().isUrgent();
    var wait = Duration.ofMinutes(state.settings().batchingMaxWaitTimeMinutes());
    return alone || entry.admission().filter(a -> !a.since().plus(wait).isAfter(now)).isPresent();
  }
}
