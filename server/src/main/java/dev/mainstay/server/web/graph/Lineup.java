package dev.mainstay.server.web.graph;

import dev.mainstay.server.web.graph.QueuePicture.Entry;
import dev.mainstay.server.web.graph.QueuePicture.Run;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Everybody at their place: the line in the order of the queue, those in bisection, and those who
 * are not ready. Who shares a test run is one unit.
 */
record Lineup(List<Unit> line, List<Unit> side, List<Entry> apart) {
  static Lineup of(QueuePicture picture) {
    Map<String, Run> runs = new HashMap<>();
    Map<Integer, String> runOf = new HashMap<>();
    for (Run run : picture.runs()) {
      runs.putIfAbsent(run.id(), run);
      run.members().forEach(number -> runOf.putIfAbsent(number, run.id()));
    }
    var entries = new LinkedHashMap<Integer, Entry>();
    picture.entries().forEach(entry -> entries.putIfAbsent(entry.number(), entry));
    entries.values().forEach(e -> e.testRunId().ifPresent(id -> runOf.put(e.number(), id)));
    Function<Entry, Optional<Run>> runFor =
        e -> Optional.ofNullable(runOf.get(e.number())).map(runs::get);

    var line = new ArrayList<Entry>();
    var side = new ArrayList<Entry>();
    var apart = new ArrayList<Entry>();
    for (Entry entry : entries.values()) {
      if (Look.of(entry.state()) == Look.NOT_READY) {
        apart.add(entry);
      } else if (entry.aside() || runFor.apply(entry).filter(Run::bisects).isPresent()) {
        side.add(entry);
      } else {
        line.add(entry);
      }
    }
    return new Lineup(units(line, runOf, runs), units(side, runOf, runs), apart);
  }

  private static List<Unit> units(
      List<Entry> entries, Map<Integer, String> runOf, Map<String, Run> runs) {
    Map<String, List<Entry>> groups =
        entries.stream()
            .collect(
                Collectors.groupingBy(
                    e -> groupOf(e, runOf), LinkedHashMap::new, Collectors.toList()));
    var bare = new ArrayList<Unit>();
    groups.forEach(
        (group, members) -> {
          boolean batch = members.size() > 1;
          bare.add(
              new Unit(
                  batch ? Unit.idOf(group) : Unit.idOf(members.getFirst().number()),
                  batch ? Unit.Kind.BATCH : Unit.Kind.PULL_REQUEST,
                  members,
                  Optional.ofNullable(runs.get(group)),
                  List.of()));
        });
    return linked(bare);
  }

  private static String groupOf(Entry entry, Map<Integer, String> runOf) {
    String run = runOf.get(entry.number());
    return run == null ? "#" + entry.number() : run;
  }

  /** The same units with the nearest that each stands on: only those ahead of it count. */
  private static List<Unit> linked(List<Unit> units) {
    Map<Integer, Integer> places = new HashMap<>();
    for (int i = 0; i < units.size(); i++) {
      for (Entry member : units.get(i).members()) {
        places.put(member.number(), i);
      }
    }
    var below = new ArrayList<BitSet>();
    for (int i = 0; i < units.size(); i++) {
      var ahead = new BitSet(i);
      Unit unit = units.get(i);
      for (Entry member : unit.members()) {
        addAhead(ahead, i, member.waitsFor(), places);
      }
      if (unit.run().isPresent()) {
        addAhead(ahead, i, unit.run().get().dependents(), places);
      }
      below.add(ahead);
    }
    List<List<Integer>> nearest = Nearest.of(below);
    var linked = new ArrayList<Unit>();
    for (int i = 0; i < units.size(); i++) {
      Unit unit = units.get(i);
      List<String> on = nearest.get(i).stream().map(place -> units.get(place).id()).toList();
      linked.add(new Unit(unit.id(), unit.kind(), unit.members(), unit.run(), on));
    }
    return linked;
  }

  /** Adds the places of these numbers, as far as they are before {@code own}. */
  private static void addAhead(
      BitSet ahead, int own, List<Integer> numbers, Map<Integer, Integer> places) {
    for (Integer number : numbers) {
      int place = places.getOrDefault(number, own);
      if (place < own) {
        ahead.set(place);
      }
    }
  }
}
