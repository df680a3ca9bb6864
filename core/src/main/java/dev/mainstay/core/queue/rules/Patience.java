package dev.mainstay.core.queue.rules;

import dev.mainstay.core.queue.Change;
import dev.mainstay.core.queue.Entry;
import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.GroupId;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.Step;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * With a pendingFailureDepth of d, a group whose failure is its own waits until the groups up to d
 * hops behind it have finished their tests, and so do those which come meanwhile: with optimistic
 * merging one of them may prove it. It does not wait for those whose test branch cannot be built
 * because two below them are in conflict: it may be one of the two.
 */
final class Patience {
  private final Map<GroupId, Integer> hopsLeft = new HashMap<>();

  private Patience() {}

  /** The groups that must wait because one behind them, near enough, has not finished. */
  static Set<GroupId> waiting(QueueState state) {
    int depth = state.settings().pendingFailureDepth();
    if (depth == 0 || state.line().stream().noneMatch(Group::failed)) {
      return Set.of();
    }
    var patience = new Patience();
    Set<GroupId> barred = Conflicts.barred(state.line());
    patience.waitForNewcomers(state, depth, barred);
    for (Group group : state.line().reversed()) {
      boolean tests = group.needsRun() || group.isTesting();
      boolean unfinished = tests && !barred.contains(group.id());
      int hops = unfinished ? depth : patience.hopsLeft.getOrDefault(group.id(), 0);
      patience.waitFor(group.standsOn(), hops);
    }
    return patience.hopsLeft.keySet();
  }

  /**
   * A failure is waited with no more: those who were to come behind it would come to stand on what
   * cannot be built.
   */
  static boolean ends(QueueState before, Step plan) {
    return !plan.transitions().isEmpty() && !waiting(plan.after()).containsAll(waiting(before));
  }

  /** Those who wait for a slot will come to stand behind the line. */
  private void waitForNewcomers(QueueState state, int depth, Set<GroupId> barred) {
    List<Entry> newcomers = state.waiting();
    if (newcomers.isEmpty()) {
      return;
    }
    Lanes lanes = Lanes.of(state);
    for (Entry entry : newcomers) {
      var change = new Change(entry.pr(), entry.admittedHead().orElseThrow());
      List<GroupId> below = lanes.below(List.of(change));
      if (Collections.disjoint(below, barred)) {
        waitFor(below, depth);
      }
    }
  }

  /** Whoever is right below waits, and those below it as long as hops are left. */
  private void waitFor(Collection<GroupId> below, int hops) {
    if (hops > 0) {
      below.forEach(id -> hopsLeft.merge(id, hops - 1, Math::max));
    }
  }
}
