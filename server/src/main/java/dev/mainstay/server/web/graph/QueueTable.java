package dev.mainstay.server.web.graph;

import dev.mainstay.server.web.graph.QueuePicture.Entry;
import dev.mainstay.server.web.svg.TextTable;
import dev.mainstay.server.web.svg.TextTable.Cell;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The picture of a queue as a table: the same pull requests, nobody folded. */
public final class QueueTable {
  private static final List<String> HEAD =
      List.of(
          "Position",
          "Pull request",
          "State",
          "Stands on",
          "Test run",
          "Priority",
          "Targets",
          "Why");

  private QueueTable() {}

  public static TextTable of(QueuePicture picture) {
    Lineup lineup = Lineup.of(picture);
    Map<String, Unit> units = new HashMap<>();
    lineup.line().forEach(unit -> units.put(unit.id(), unit));
    lineup.side().forEach(unit -> units.put(unit.id(), unit));
    var rows = new ArrayList<List<Cell>>();
    for (Unit unit : lineup.line()) {
      String root = unit.on().isEmpty() ? picture.branch() : "";
      unit.members().forEach(entry -> rows.add(row(entry, unit, root + on(unit, units))));
    }
    for (Unit unit : lineup.side()) {
      String on = unit.run().map(run -> Words.numbers(run.dependents())).orElse("");
      unit.members().forEach(entry -> rows.add(row(entry, unit, on)));
    }
    lineup.apart().forEach(entry -> rows.add(row(entry, Unit.alone(entry), "")));
    return new TextTable(HEAD, rows);
  }

  private static String on(Unit unit, Map<String, Unit> units) {
    List<Integer> numbers =
        unit.on().stream()
            .flatMap(id -> units.getOrDefault(id, unit).members().stream())
            .map(Entry::number)
            .toList();
    return Words.numbers(numbers);
  }

  private static List<Cell> row(Entry entry, Unit unit, String on) {
    String kind = unit.kind() == Unit.Kind.BATCH ? "batch of " + unit.members().size() : "alone";
    return List.of(
        Cell.of(entry.position().map(String::valueOf).orElse("")),
        new Cell("#" + entry.number() + " " + entry.title(), entry.href()),
        Cell.of(Look.of(entry.state()).words + (unit.showsProgress() ? progress(unit) : "")),
        Cell.of(on),
        unit.run()
            .map(run -> new Cell((run.bisects() ? "bisection, " : "") + kind, run.href()))
            .orElse(Cell.of("")),
        Cell.of(entry.priority()),
        Cell.of(String.join(", ", entry.targets().stream().limit(20).toList())),
        Cell.of(entry.reason()));
  }

  private static String progress(Unit unit) {
    return unit.run()
        .map(run -> ", " + run.checksDone() + " of " + run.checksTotal() + " checks")
        .orElse("");
  }
}
