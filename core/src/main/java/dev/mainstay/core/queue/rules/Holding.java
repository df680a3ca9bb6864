package dev.mainstay.core.queue.rules;

import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.GroupId;
import dev.mainstay.core.queue.ImpactedTargets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** The groups that a test branch of each group of a line holds below it, found in one pass. */
final class Holding {
  private final NextState next;
  private final List<Group> line;
  private final Map<GroupId, List<Group>> held = new HashMap<>();

  private Holding(NextState next) {
    this.next = next;
    line = next.line();
  }

  static Holding of(NextState next) {
    var holding = new Holding(next);
    if (next.settings.takesOnlyWhatItMeets()) {
      holding.findWhatMeets();
    } else {
      holding.line.forEach(g -> holding.held.put(g.id(), Lanes.below(holding.line, g)));
    }
    return holding;
  }

  /** In the order of the line. */
  List<Group> of(Group group) {
    return held.getOrDefault(group.id(), List.of());
  }

  List<Group> line() {
    return line;
  }

  /** All before a place that touch a target, and all that touch everything. */
  private void findWhatMeets() {
    var touching = new HashMap<String, List<Integer>>();
    var touchingAll = new ArrayList<Integer>();
    var touchingAny = new ArrayList<Integer>();
    for (int place = 0; place < line.size(); place++) {
      Group group = line.get(place);
      ImpactedTargets targets = Lanes.targets(group, next::member);
      var places = new TreeSet<Integer>();
      if (targets.all()) {
        places.addAll(touchingAny);
      } else if (!targets.isEmpty()) {
        places.addAll(touchingAll);
        targets.names().forEach(name -> places.addAll(touching.getOrDefault(name, List.of())));
      }
      held.put(group.id(), places.stream().map(line::get).toList());
      if (!group.aside() && !targets.isEmpty()) {
        touchingAny.add(place);
        if (targets.all()) {
          touchingAll.add(place);
        }
        for (String name : targets.names()) {
          touching.computeIfAbsent(name, _ -> new ArrayList<>()).add(place);
        }
      }
    }
  }
}
