package dev.mainstay.cli.simulate;

import dev.mainstay.cli.simulate.ReportOptions.Format;
import dev.mainstay.cli.simulate.report.ComparisonReport;
import dev.mainstay.cli.simulate.report.TurnaroundChart;
import dev.mainstay.core.simulation.Comparison;
import dev.mainstay.core.simulation.Contender;
import dev.mainstay.core.simulation.policy.Policies;
import java.util.List;

/** Our queue and its rivals in the world that users described. */
public record ComparisonTask(Comparison comparison, List<Contender> contenders, Format format)
    implements Task {

  @Override
  public int runs() {
    return (contenders.size() + 1) * comparison.seeds().size();
  }

  @Override
  public Report run(ProgressLine progress) {
    Comparison.Result result = comparison.run(contenders, Policies.ORACLE, progress);
    int slots = comparison.simulation().slots();
    String told = Captions.world(comparison.settings(), slots, comparison.seeds(), result);
    String text =
        switch (format) {
          case TABLE ->
              ComparisonReport.table(result.rows())
                  + "\n"
                  + told
                  + ".\n"
                  + Captions.speed(result.rows(), progress.seconds());
          case CSV -> ComparisonReport.csv(result.rows());
          case JSON ->
              SimulationJson.comparison(comparison.settings(), slots, comparison.seeds(), result);
        };
    return new Report(text, TurnaroundChart.svg(told, result.rows()));
  }
}
