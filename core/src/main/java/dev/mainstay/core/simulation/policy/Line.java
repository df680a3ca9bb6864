package dev.mainstay.core.simulation.policy;

import dev.mainstay.core.simulation.world.SimulatedChange;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiPredicate;

/**
 * The undecided changes in order of arrival. With lanes, a change depends on some of those ahead,
 * usually those whose targets meet its own; without, on all ahead.
 */
final class Line {
  private final boolean lanes;
  private final BiPredicate<SimulatedChange, SimulatedChange> depends;
  private final Map<Integer, Place> places = new LinkedHashMap<>();

  Line(boolean lanes) {
    this(lanes, SimulatedChange::meets);
  }

  private Line(boolean lanes, BiPredicate<SimulatedChange, SimulatedChange> depends) {
    this.lanes = lanes;
    this.depends = depends;
  }

  static Line withLanes(BiPredicate<SimulatedChange, SimulatedChange> depends) {
    return new Line(true, depends);
  }

  void add(SimulatedChange change) {
    var place = new Place(change, new TreeSet<>(), new ArrayList<>());
    if (lanes) {
      for (Place other : places.values()) {
        if (depends.test(other.change, change)) {
          place.ahead.add(other.change.id());
          other.behind.add(change.id());
        }
      }
    }
    places.put(change.id(), place);
  }

  /** Returns those behind that depended on it, in order. */
  List<Integer> remove(int change) {
    List<Integer> behind = place(change).behind;
    places.remove(change);
    for (int follower : behind) {
      place(follower).ahead.remove(change);
    }
    return behind;
  }

  /** The undecided changes this one depends on, in order. */
  Set<Integer> ahead(int change) {
    if (lanes) {
      return place(change).ahead;
    }
    var ahead = new TreeSet<Integer>();
    for (int other : places.keySet()) {
      if (other == change) {
        break;
      }
      ahead.add(other);
    }
    return ahead;
  }

  /** Those that depend on this one, in order; only with lanes. */
  List<Integer> behind(int change) {
    return place(change).behind;
  }

  boolean isClear(int change) {
    return lanes ? place(change).ahead.isEmpty() : places.keySet().iterator().next() == change;
  }

  /** A copy, so that the line may change while it is read. */
  List<Integer> inOrder() {
    return List.copyOf(places.keySet());
  }

  List<Integer> first(int count) {
    return places.keySet().stream().limit(count).toList();
  }

  private Place place(int change) {
    Place place = places.get(change);
    if (place == null) {
      throw new IllegalStateException("change " + change + " is not in the line");
    }
    return place;
  }

  private record Place(SimulatedChange change, TreeSet<Integer> ahead, List<Integer> behind) {}
}
