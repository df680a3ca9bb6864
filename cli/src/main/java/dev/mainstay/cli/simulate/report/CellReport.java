package dev.mainstay.cli.simulate.report;

import dev.mainstay.cli.shell.Table;
import dev.mainstay.core.simulation.experiment.CellResult;
import dev.mainstay.core.simulation.experiment.Spread;
import java.util.ArrayList;
import java.util.List;

/** The policies in one cell of the experiment, as people and spreadsheets read them. */
public final class CellReport {

  private CellReport() {}

  public static String table(CellResult result) {
    var headers = new ArrayList<>(List.of("policy"));
    CellColumn.ALL.forEach(column -> headers.add(column.header()));
    var table = Table.ofFigures(headers);
    for (CellResult.Line line : result.lines()) {
      var cells = new ArrayList<>(List.of(line.policy()));
      CellColumn.ALL.forEach(
          column -> cells.add(column.shown(line.spread(column.value()), line.worlds().size())));
      table.row(cells);
    }
    return table.text();
  }

  public static String csvHeader() {
    var fields = new ArrayList<>(List.of("cell", "policy", "worlds"));
    for (CellColumn column : CellColumn.ALL) {
      fields.add(column.key());
      fields.add(column.key() + "Deviation");
    }
    var csv = new Csv();
    csv.add(fields);
    return csv.toString();
  }

  public static String csv(CellResult result) {
    var csv = new Csv();
    for (CellResult.Line line : result.lines()) {
      var fields = new ArrayList<String>();
      fields.add(result.cell().name());
      fields.add(line.policy());
      fields.add(Integer.toString(line.worlds().size()));
      for (CellColumn column : CellColumn.ALL) {
        Spread spread = line.spread(column.value());
        fields.add(Csv.number(CellColumn.exact(spread.mean())));
        fields.add(Csv.number(CellColumn.exact(spread.deviation())));
      }
      csv.add(fields);
    }
    return csv.toString();
  }
}
