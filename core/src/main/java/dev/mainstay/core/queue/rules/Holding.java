package dev.mainstay.core.queue.rules;

import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.GroupId;
import dev.mainstay.core.queue.ImpactedTargets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The groups that a test branch of each group of a line holds below it, found in one pass. Groups
 * are known by their places in the line.
 */
final class Holding {
  private static final int[] NOBODY = {};

  private final NextState next;
  private final List<Group> line;
  private final int[][] held;
  private final BitSet heldByAny = new BitSet();

  private Holding(NextState next) {
    this.next = next;
    line = next.line();
    held = new int[line.size()][];
  }

  static Holding of(NextState next) {
    var holding = new Holding(next);
    if (next.settings.takesOnlyWhatItMeets()) {
      holding.findWhatMeets();
    } else {
      holding.findAllBelow();
    }
    return holding;
  }

  /** The places of those that the group at this place holds, in the order of the line. */
  int[] of(int place) {
    return held[place];
  }

  /** Somebody holds the group at this place. */
  boolean isHeld(int place) {
    return heldByAny.get(place);
  }

  List<Group> line() {
    return line;
  }

  private void holds(int place, BitSet places) {
    heldByAny.or(places);
    held[place] = places.isEmpty() ? NOBODY : places.stream().toArray();
  }

  /** All that a group stands on, and what those stand on in turn. */
  private void findAllBelow() {
    Map<GroupId, Integer> placeOf = HashMap.newHashMap(line.size());
    var below = new BitSet[line.size()];
    for (int place = 0; place < below.length; place++) {
      below[place] = new BitSet();
      for (GroupId id : line.get(place).standsOn()) {
        Integer other = placeOf.get(id);
        if (other != null) {
          below[place].set(other);
          below[place].or(below[other]);
        }
      }
      holds(place, below[place]);
      placeOf.put(line.get(place).id(), place);
    }
  }

  /** All before a place that touch a target, and all that touch everything. */
  private void findWhatMeets() {
    var touching = new HashMap<String, List<Integer>>();
    var touchingAll = new BitSet();
    var touchingAny = new BitSet();
    for (int place = 0; place < held.length; place++) {
      Group group = line.get(place);
      ImpactedTargets targets = Lanes.targets(group, next::member);
      var places = new BitSet();
      if (targets.all()) {
        places.or(touchingAny);
      } else if (!targets.isEmpty()) {
        places.or(touchingAll);
        for (String name : targets.names()) {
          touching.getOrDefault(name, List.of()).forEach(places::set);
        }
      }
      holds(place, places);
      if (!group.aside() && !targets.isEmpty()) {
        touchingAny.set(place);
        touchingAll.set(place, targets.all());
        for (String name : targets.names()) {
          touching.computeIfAbsent(name, _ -> new ArrayList<>(2)).add(place);
        }
      }
    }
  }
}
