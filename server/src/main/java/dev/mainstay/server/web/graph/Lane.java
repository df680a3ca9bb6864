package dev.mainstay.server.web.graph;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Units that have to do with each other, and with nobody else. Those who have to do with nobody at
 * all share one lane when there are many of them.
 */
record Lane(String label, List<Unit> units) {
  private static final int MANY_ALONE = 4;

  /** The most units that are drawn one by one. */
  static final int MOST_SHOWN = 320;

  static List<Lane> of(List<Unit> units, boolean labelled) {
    Map<String, Integer> places = new HashMap<>();
    var root = new int[units.size()];
    for (int i = 0; i < units.size(); i++) {
      places.put(units.get(i).id(), i);
      root[i] = i;
      for (String on : units.get(i).on()) {
        int mine = find(root, i);
        int other = find(root, places.getOrDefault(on, i));
        root[Math.max(mine, other)] = Math.min(mine, other);
      }
    }
    Map<Integer, List<Unit>> parts = new LinkedHashMap<>();
    for (int i = 0; i < units.size(); i++) {
      parts.computeIfAbsent(find(root, i), r -> new ArrayList<>()).add(units.get(i));
    }
    List<Unit> alone =
        parts.values().stream().filter(p -> p.size() == 1).flatMap(List::stream).toList();
    boolean gathers = alone.size() > MANY_ALONE;
    Map<String, Integer> everywhere = labelled ? targets(units) : Map.of();
    var lanes = new ArrayList<Lane>();
    for (List<Unit> part : parts.values()) {
      if (part.size() > 1 || !gathers) {
        lanes.add(new Lane(labelled ? labelOf(part, everywhere) : "", part));
      }
    }
    if (gathers) {
      lanes.add(new Lane(labelled && !lanes.isEmpty() ? "alone" : "", alone));
    }
    return lanes.stream().map(lane -> lane.folded(units.size())).toList();
  }

  private static int find(int[] root, int place) {
    int at = place;
    while (root[at] != at) {
      root[at] = root[root[at]];
      at = root[at];
    }
    return at;
  }

  /** The target that says most about a lane: many in it touch it, and few elsewhere. */
  private static String labelOf(List<Unit> units, Map<String, Integer> everywhere) {
    String best = "";
    double most = 0;
    for (Map.Entry<String, Integer> count : targets(units).entrySet()) {
      double here = count.getValue();
      double share = here * here / everywhere.getOrDefault(count.getKey(), count.getValue());
      if (share > most) {
        most = share;
        best = count.getKey();
      }
    }
    return best;
  }

  private static Map<String, Integer> targets(List<Unit> units) {
    var counts = new LinkedHashMap<String, Integer>();
    units.stream()
        .flatMap(unit -> unit.members().stream())
        .flatMap(member -> member.targets().stream().distinct())
        .forEach(target -> counts.merge(target, 1, Integer::sum));
    return counts;
  }

  /** Those at the end who only wait become one unit where there are too many to be drawn. */
  private Lane folded(int total) {
    if (total <= MOST_SHOWN) {
      return this;
    }
    int kept = Math.max(2, (int) ((long) MOST_SHOWN * units.size() / total));
    int end = units.size();
    while (end > kept && units.get(end - 1).waits()) {
      end--;
    }
    if (units.size() - end < 2) {
      return this;
    }
    List<Unit> shown = units.subList(0, end);
    List<Unit> hidden = units.subList(end, units.size());
    List<String> on = hidden.getFirst().on();
    Unit fold =
        Unit.fold(
            "fold-" + hidden.getFirst().first().number(),
            hidden,
            on.isEmpty() ? on : List.of(on.getLast()));
    var all = new ArrayList<>(shown);
    all.add(fold);
    return new Lane(label, all);
  }
}
