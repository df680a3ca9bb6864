package dev.mainstay.core.queue.rules;

import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.GroupId;
import dev.mainstay.core.queue.LandingInFlight;
import dev.mainstay.core.queue.QueueSettings;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A group is proven when its own run succeeded. With optimistic merging a group that passes also
 * proves all it stands on. What is being merged was proven, and stays so until that is answered.
 */
final class Proof {
  private Proof() {}

  /** The groups that did not pass themselves and are proven by one that stands on them, or were. */
  static Set<GroupId> byOthers(
      List<Group> line, QueueSettings settings, Optional<LandingInFlight> landing) {
    var proven = new HashSet<GroupId>();
    if (settings.canOptimisticallyMerge()) {
      for (Group group : line.reversed()) {
        if (provesAllBelow(group) || proven.contains(group.id())) {
          proven.addAll(group.standsOn());
        }
      }
    }
    landing.ifPresent(l -> proven.addAll(l.groups()));
    for (Group group : line) {
      if (group.passed()) {
        proven.remove(group.id());
      }
    }
    return proven;
  }

  /** It passed on top of all it stands on: with other settings its run may have left some out. */
  static boolean provesAllBelow(Group group) {
    return group.passed() && group.run().filter(r -> !r.leaves().isEmpty()).isEmpty();
  }

  /** The groups that have no run and that nothing else proves either. */
  static List<Group> wanting(
      List<Group> line, QueueSettings settings, Optional<LandingInFlight> landing) {
    var wanting = new ArrayList<Group>();
    for (Group group : line) {
      if (group.needsRun()) {
        wanting.add(group);
      }
    }
    if (!wanting.isEmpty()) {
      Set<GroupId> proven = byOthers(line, settings, landing);
      wanting.removeIf(g -> proven.contains(g.id()));
    }
    return wanting;
  }
}
