package dev.mainstay.server.web.graph;

import dev.mainstay.server.web.graph.QueuePicture.Entry;
import dev.mainstay.server.web.graph.QueuePicture.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What becomes one box of the picture: a pull request, a batch, or many that wait, folded into one.
 * {@code on} are the ids of the nearest units that it stands on; none of them means the target
 * branch itself.
 */
record Unit(String id, Kind kind, List<Entry> members, Optional<Run> run, List<String> on) {
  enum Kind {
    PULL_REQUEST,
    BATCH,
    FOLD
  }

  Unit {
    members = List.copyOf(members);
    on = List.copyOf(on);
  }

  static String idOf(int number) {
    return "pr-" + number;
  }

  static String idOf(String run) {
    return "run-" + run.replaceAll("[^A-Za-z0-9_-]", "_");
  }

  static Unit alone(Entry entry) {
    return new Unit(
        idOf(entry.number()), Kind.PULL_REQUEST, List.of(entry), Optional.empty(), List.of());
  }

  static Unit fold(String id, List<Unit> units, List<String> on) {
    List<Entry> members = units.stream().flatMap(unit -> unit.members().stream()).toList();
    return new Unit(id, Kind.FOLD, members, Optional.empty(), on);
  }

  /** At most so many units, the last of which is all the rest. */
  static List<Unit> shortened(List<Unit> units, int most, String id) {
    if (units.size() <= most) {
      return units;
    }
    var shown = new ArrayList<>(units.subList(0, most - 1));
    shown.add(fold(id, units.subList(most - 1, units.size()), List.of()));
    return shown;
  }

  Entry first() {
    return members.getFirst();
  }

  Look look() {
    return Look.of(first().state());
  }

  boolean waits() {
    return kind == Kind.PULL_REQUEST && look() == Look.PENDING;
  }

  boolean showsProgress() {
    return look() == Look.TESTING && run.filter(r -> r.checksTotal() > 0).isPresent();
  }
}
