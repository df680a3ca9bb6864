package dev.mainstay.cli.simulate;

import dev.mainstay.cli.simulate.ReportOptions.Format;
import dev.mainstay.cli.simulate.report.CellReport;
import dev.mainstay.cli.simulate.report.FrontierChart;
import dev.mainstay.core.simulation.experiment.CellExperiment;
import dev.mainstay.core.simulation.experiment.CellResult;
import dev.mainstay.core.simulation.experiment.RunLog;
import java.io.PrintWriter;
import java.util.List;

/** Cells of the experiment; what people and spreadsheets read is printed as each cell ends. */
public record CellTask(CellExperiment experiment, Format format, RunLog log, PrintWriter out)
    implements Task {

  @Override
  public int runs() {
    return experiment.runs();
  }

  @Override
  public Report run(ProgressLine progress) {
    if (format == Format.CSV) {
      out.print(CellReport.csvHeader());
    }
    List<CellResult> results =
        experiment.run(
            log,
            progress,
            result -> {
              progress.clear();
              out.print(text(result));
              out.flush();
            });
    String rest =
        format == Format.JSON
            ? SimulationJson.cells(experiment.hours(), experiment.seeds(), results)
            : "";
    return new Report(rest, FrontierChart.svg(experiment.seeds().size(), results));
  }

  private String text(CellResult result) {
    return switch (format) {
      case TABLE ->
          Captions.cell(result.cell(), experiment.hours(), experiment.seeds())
              + "\n"
              + CellReport.table(result)
              + "\n";
      case CSV -> CellReport.csv(result);
      case JSON -> "";
    };
  }
}
