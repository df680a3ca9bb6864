package dev.mainstay.core.simulation.check.invariant;

import dev.mainstay.core.queue.Change;
import dev.mainstay.core.queue.Entry;
import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.GroupId;
import dev.mainstay.core.queue.ImpactedTargets;
import dev.mainstay.core.queue.QueueState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Reads a queue's state anew, without believing what it says about who stands on whom. */
final class Lineup {
  private Lineup() {}

  /**
   * The groups that one of the line must stand on: all ahead that meet it, or meet one that does,
   * without those that stand aside.
   */
  static List<Group> below(QueueState state, GroupId id) {
    var below = new ArrayList<Group>();
    var lane = new ArrayList<Group>();
    for (Group group : state.line().reversed()) {
      if (group.id().equals(id)) {
        lane.add(group);
      } else if (!group.aside() && lane.stream().anyMatch(g -> meet(g, group, state))) {
        lane.add(group);
        below.addFirst(group);
      }
    }
    return below;
  }

  /** The groups that one stands on, directly or not, by the queue's own word. */
  static Set<GroupId> saidToBeBelow(QueueState state, Group group) {
    var below = new HashSet<>(group.standsOn());
    for (Group other : state.line().reversed()) {
      if (below.contains(other.id())) {
        below.addAll(other.standsOn());
      }
    }
    return below;
  }

  static List<Change> changes(List<Group> groups) {
    return groups.stream().flatMap(g -> g.members().stream()).toList();
  }

  private static boolean meet(Group one, Group other, QueueState state) {
    return !state.settings().isParallel()
        || one.members().stream()
            .anyMatch(
                m ->
                    other.members().stream()
                        .anyMatch(n -> targets(m, state).meets(targets(n, state))));
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

  static long inProgress(List<Group> groups) {
    return groups.stream().filter(Group::isTesting).count();
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
