package dev.mainstay.cli.simulate.report;

import dev.mainstay.cli.shell.Table;
import dev.mainstay.core.simulation.Comparison.Row;
import dev.mainstay.core.simulation.experiment.PublishedExperiment.Cell;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The grid of the published experiment: ratios to the oracle for people, all figures as CSV. */
public final class ExperimentReport {

  private ExperimentReport() {}

  /** One table per policy: arrivals down, slots across, each cell P50 / P95 / P99. */
  public static String tables(List<Cell> cells) {
    var text = new StringBuilder();
    for (String policy : policies(cells)) {
      text.append(policy).append(": P50 / P95 / P99 over the oracle's\n");
      text.append(table(cells, policy).text()).append('\n');
    }
    return text.toString();
  }

  private static Table table(List<Cell> cells, String policy) {
    var slots = new TreeSet<>(cells.stream().map(Cell::slots).toList());
    var headers = new ArrayList<>(List.of("changes/h"));
    slots.forEach(count -> headers.add(count + " slots"));
    var table = Table.ofFigures(headers);
    for (int rate : new TreeSet<>(cells.stream().map(Cell::arrivalsPerHour).toList())) {
      var line = new ArrayList<>(List.of(Integer.toString(rate)));
      cells.stream()
          .filter(cell -> cell.arrivalsPerHour() == rate)
          .forEach(cell -> line.add(shown(row(cell, policy))));
      table.row(line);
    }
    return table;
  }

  public static String csv(List<Cell> cells) {
    var csv = new Csv();
    csv.add(
        Stream.concat(
                Stream.of("arrivalsPerHour", "slots", "meetingShare", "policy"),
                Column.ALL.stream().map(Column::key))
            .toList());
    for (Cell cell : cells) {
      for (Row row : cell.result().rows()) {
        csv.add(
            Stream.concat(
                    Stream.of(
                        Integer.toString(cell.arrivalsPerHour()),
                        Integer.toString(cell.slots()),
                        Csv.number(Math.rint(cell.result().meetingShare() * 10_000) / 10_000),
                        row.label()),
                    Column.ALL.stream().map(column -> Csv.number(column.exact(row))))
                .toList());
      }
    }
    return csv.toString();
  }

  static List<String> policies(List<Cell> cells) {
    return cells.getFirst().result().rows().stream().map(Row::label).toList();
  }

  static Row row(Cell cell, String policy) {
    return cell.result().rows().stream()
        .filter(row -> row.label().equals(policy))
        .findFirst()
        .orElseThrow();
  }

  private static String shown(Row row) {
    return "%s / %s / %s"
        .formatted(factor(row.ratio().p50()), factor(row.ratio().p95()), factor(row.ratio().p99()));
  }

  static String factor(double ratio) {
    return String.format(Locale.ROOT, ratio < 10 ? "%.2f" : "%.0f", ratio);
  }
}
