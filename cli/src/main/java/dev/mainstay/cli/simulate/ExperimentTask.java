package dev.mainstay.cli.simulate;

import dev.mainstay.cli.simulate.ReportOptions.Format;
import dev.mainstay.cli.simulate.report.ExperimentChart;
import dev.mainstay.cli.simulate.report.ExperimentReport;
import dev.mainstay.core.simulation.experiment.PublishedExperiment;
import dev.mainstay.core.simulation.experiment.PublishedExperiment.Cell;
import java.util.List;

/** The published experiment. */
public record ExperimentTask(PublishedExperiment experiment, Format format) implements Task {

  @Override
  public int runs() {
    return experiment.runs();
  }

  @Override
  public Report run(ProgressLine progress) {
    List<Cell> cells = experiment.run(progress);
    String text =
        switch (format) {
          case TABLE ->
              ExperimentReport.tables(cells) + Captions.experiment(cells, progress.seconds());
          case CSV -> ExperimentReport.csv(cells);
          case JSON -> SimulationJson.experiment(cells);
        };
    return new Report(text, ExperimentChart.svg(cells));
  }
}
