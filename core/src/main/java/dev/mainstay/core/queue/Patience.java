package dev.mainstay.core.queue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * With a pendingFailureDepth of d, a group whose failure is its own waits until the groups up to d
 * hops behind it have finished their tests, and so do those which come meanwhile: with optimistic
 * merging one of them may prove it.
 */
final class Patience {
  private Patience() {}

  static boolean waits(QueueState state, Group failed) {
    int depth = state.settings().pendingFailureDepth();
    if (depth == 0) {
      return false;
    }
    var hops = new HashMap<GroupId, Integer>();
    hops.put(failed.id(), 0);
    for (Group group : state.line()) {
      int hop = hops(hops, group.standsOn());
      if (!group.id().equals(failed.id()) && hop <= depth) {
        hops.put(group.id(), hop);
        if (group.needsRun() || group.isTesting()) {
          return true;
        }
      }
    }
    return anyComes(state, hops, depth);
  }

  /** Whether one that waits for a slot would come to stand within reach. */
  private static boolean anyComes(QueueState state, Map<GroupId, Integer> hops, int depth) {
    List<Entry> waiting = state.waiting();
    if (waiting.isEmpty()) {
      return false;
    }
    Lanes lanes = Lanes.of(state);
    return waiting.stream()
        .map(e -> new Change(e.pr(), e.admittedHead().orElseThrow()))
        .anyMatch(change -> hops(hops, lanes.below(List.of(change))) <= depth);
  }

  private static int hops(Map<GroupId, Integer> hops, List<GroupId> below) {
    int nearest = Integer.MAX_VALUE - 1;
    for (GroupId id : below) {
      nearest = Math.min(nearest, hops.getOrDefault(id, nearest));
    }
    return nearest + 1;
  }
}
