package dev.mainstay.core.queue;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What proves a group: its own run succeeded. With optimistic merging a group that passes also
 * proves all it stands on.
 */
final class Proof {
  private Proof() {}

  /** The groups that did not pass themselves and are proven by one that stands on them. */
  static Set<GroupId> byOthers(List<Group> line, QueueSettings settings) {
    var proven = new HashSet<GroupId>();
    if (settings.canOptimisticallyMerge()) {
      for (Group group : line.reversed()) {
        if (group.passed() || proven.contains(group.id())) {
          proven.addAll(group.standsOn());
        }
      }
      removePassed(line, proven);
    }
    return proven;
  }

  /** The groups that have no run and that nothing else proves either. */
  static List<Group> wanting(List<Group> line, QueueSettings settings) {
    if (line.stream().noneMatch(Group::needsRun)) {
      return List.of();
    }
    Set<GroupId> proven = byOthers(line, settings);
    return line.stream().filter(g -> g.needsRun() && !proven.contains(g.id())).toList();
  }

  private static void removePassed(Collection<Group> line, Set<GroupId> proven) {
    line.stream().filter(Group::passed).forEach(g -> proven.remove(g.id()));
  }
}
