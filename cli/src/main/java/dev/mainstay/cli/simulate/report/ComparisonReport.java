package dev.mainstay.cli.simulate.report;

import dev.mainstay.cli.shell.Table;
import dev.mainstay.core.simulation.Comparison.Row;
import java.util.ArrayList;
import java.util.List;

/** The rows of one comparison, as people and spreadsheets read them. */
public final class ComparisonReport {

  private ComparisonReport() {}

  public static String table(List<Row> rows) {
    List<Column> shown = Column.ALL.stream().filter(c -> !c.header().isEmpty()).toList();
    var table = Table.ofFigures(withFirst("policy", shown.stream().map(Column::header).toList()));
    for (Row row : rows) {
      table.row(withFirst(row.label(), shown.stream().map(column -> column.shown(row)).toList()));
    }
    return table.text();
  }

  public static String csv(List<Row> rows) {
    var csv = new Csv();
    csv.add(withFirst("policy", Column.ALL.stream().map(Column::key).toList()));
    for (Row row : rows) {
      csv.add(
          withFirst(
              row.label(),
              Column.ALL.stream().map(column -> Csv.number(column.exact(row))).toList()));
    }
    return csv.toString();
  }

  private static List<String> withFirst(String first, List<String> others) {
    var all = new ArrayList<String>();
    all.add(first);
    all.addAll(others);
    return all;
  }
}
