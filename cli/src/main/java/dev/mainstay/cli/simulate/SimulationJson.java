package dev.mainstay.cli.simulate;

import dev.mainstay.cli.simulate.report.CellColumn;
import dev.mainstay.cli.simulate.report.Column;
import dev.mainstay.core.simulation.Comparison;
import dev.mainstay.core.simulation.Comparison.Row;
import dev.mainstay.core.simulation.experiment.CellResult;
import dev.mainstay.core.simulation.experiment.ExperimentCell;
import dev.mainstay.core.simulation.experiment.PublishedExperiment.Cell;
import dev.mainstay.core.simulation.experiment.Spread;
import dev.mainstay.core.simulation.world.WorldSettings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Results as JSON. The same run gives the same bytes. */
public final class SimulationJson {
  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private SimulationJson() {}

  public static String comparison(
      WorldSettings world, int slots, List<Long> seeds, Comparison.Result result) {
    var described = new LinkedHashMap<String, Object>();
    described.put("arrivalsPerHour", world.arrivalsPerHour());
    described.put("changes", world.changes());
    described.put("slots", slots);
    described.put("buildTime", world.buildTime().toString());
    described.put("failureRate", world.ownFailureRate());
    described.put("conflictRate", world.conflictRate());
    described.put("hiddenConflictRate", world.hiddenConflictRate());
    described.put("conflictWindowMinutes", world.conflictWindowMinutes());
    described.put("flakeRate", world.flakeRate());
    described.put("targets", world.targets().targets());
    described.put("targetsPerChange", world.targets().perChange());
    described.put("targetSkew", world.targets().skew());
    described.put("touchAll", world.targets().touchesAll());
    described.put("seeds", seeds);
    described.put("meetingShare", rounded(result.meetingShare()));
    var whole = new LinkedHashMap<String, Object>();
    whole.put("world", described);
    whole.put("policies", rows(result));
    return MAPPER.writeValueAsString(whole) + "\n";
  }

  public static String experiment(List<Cell> cells) {
    var grid =
        cells.stream()
            .map(
                cell -> {
                  var one = new LinkedHashMap<String, Object>();
                  one.put("arrivalsPerHour", cell.arrivalsPerHour());
                  one.put("slots", cell.slots());
                  one.put("meetingShare", rounded(cell.result().meetingShare()));
                  one.put("policies", rows(cell.result()));
                  return one;
                })
            .toList();
    return MAPPER.writeValueAsString(Map.of("cells", grid)) + "\n";
  }

  public static String cells(double hours, List<Long> seeds, List<CellResult> results) {
    var told = new LinkedHashMap<String, Object>();
    told.put("hours", hours);
    told.put("seeds", seeds);
    told.put("cells", results.stream().map(SimulationJson::cell).toList());
    return MAPPER.writeValueAsString(told) + "\n";
  }

  private static Map<String, Object> cell(CellResult result) {
    ExperimentCell cell = result.cell();
    var fields = new LinkedHashMap<String, Object>();
    fields.put("cell", cell.name());
    fields.put("arrivalsPerHour", cell.arrivalsPerHour());
    fields.put("slots", cell.slots());
    fields.put("targetsPerChange", cell.targets());
    fields.put("failureRate", cell.failures());
    fields.put("flakeRate", cell.flakes());
    fields.put("authors", cell.authors());
    fields.put("authorDriftHours", cell.drift());
    fields.put("policies", result.lines().stream().map(SimulationJson::line).toList());
    return fields;
  }

  private static Map<String, Object> line(CellResult.Line line) {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("policy", line.policy());
    fields.put("worlds", line.worlds().size());
    for (CellColumn column : CellColumn.ALL) {
      Spread spread = line.spread(column.value());
      var figure = new LinkedHashMap<String, Object>();
      figure.put("mean", CellColumn.exact(spread.mean()));
      figure.put("deviation", CellColumn.exact(spread.deviation()));
      fields.put(column.key(), figure);
    }
    return fields;
  }

  private static List<Map<String, Object>> rows(Comparison.Result result) {
    return result.rows().stream().map(SimulationJson::row).toList();
  }

  private static Map<String, Object> row(Row row) {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("policy", row.label());
    for (Column column : Column.ALL) {
      double value = column.exact(row);
      if (column.isCount()) {
        fields.put(column.key(), (long) value);
      } else {
        fields.put(column.key(), value);
      }
    }
    fields.put("events", row.score().events());
    return fields;
  }

  private static double rounded(double share) {
    return Math.rint(share * 10_000) / 10_000;
  }
}
