package dev.mainstay.cli.simulate;

import dev.mainstay.core.queue.NumberSetting;
import dev.mainstay.core.simulation.experiment.CellExperiment;
import dev.mainstay.core.simulation.experiment.ExperimentCell;
import dev.mainstay.core.simulation.experiment.RunLog;
import dev.mainstay.core.simulation.policy.Policies;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Option;

/** Single cells of the experiment, closer up: which ones, with which budgets and rivals. */
public final class CellOptions {
  private static final String ALL = "all";
  private static final int MOST_CELLS = 1000;
  private static final int MOST_CHANGES = 100_000;
  private static final List<String> USUAL_RIVALS = List.of("zuul-lanes", "probable");

  @Option(
      names = "--cells",
      paramLabel = "CELL",
      split = ",",
      description = {
        "Run only these cells of --experiment, with our engine at several budgets, and tell every figure with its mean and deviation over --runs worlds as soon as a cell has ended.",
        "A cell is CHANGES/SLOTS and what differs: 500/500, 500/500/targets=3, failures=20%%, flakes=1%%, authors=50, drift=1 (hours); all is those of docs/experiment.md.",
        "--compare has the other policies (zuul-lanes,probable); --svg draws turnaround against build minutes."
      })
  private List<String> cells = new ArrayList<>();

  @Option(
      names = "--budgets",
      paramLabel = "N",
      split = ",",
      description = "Values of speculation-budget to try in each cell. Default: 0,1,2.")
  private List<String> budgets = new ArrayList<>();

  @Option(
      names = "--resume",
      paramLabel = "FILE",
      description =
          "Keep every run of a cell in this file, and go on from those that are in it: they are not run again.")
  private Optional<Path> resume = Optional.empty();

  public boolean wanted(boolean isExperiment, Faults faults) {
    if (!isExperiment || cells.isEmpty()) {
      String missing = isExperiment ? "goes only with --cells" : "goes only with --experiment";
      refuseIf(!isExperiment && !cells.isEmpty(), "--cells", missing, faults);
      refuseIf(!budgets.isEmpty(), "--budgets", missing, faults);
      refuseIf(resume.isPresent(), "--resume", missing, faults);
    }
    return isExperiment && !cells.isEmpty();
  }

  private static void refuseIf(boolean given, String option, String sentence, Faults faults) {
    if (given) {
      faults.add(option, sentence);
    }
  }

  public CellExperiment experiment(
      double hours, List<Long> seeds, List<String> compare, Faults faults) {
    List<ExperimentCell> wanted = wantedCells(hours, faults);
    List<String> rivals = compare.isEmpty() ? USUAL_RIVALS : compare.stream().distinct().toList();
    for (String rival : rivals) {
      faults.read(
          "--compare",
          rival,
          text -> Policies.named(text, ExperimentCell.parse("1/1").world(1)),
          Policies.ORACLE);
    }
    return new CellExperiment(wanted, hours, seeds, wantedBudgets(faults), rivals);
  }

  private List<ExperimentCell> wantedCells(double hours, Faults faults) {
    var found = new LinkedHashSet<ExperimentCell>();
    for (String text : cells) {
      if (text.strip().equalsIgnoreCase(ALL)) {
        found.addAll(ExperimentCell.measured());
      } else {
        faults.read("--cells", text, cell -> found.add(ExperimentCell.parse(cell)), Boolean.FALSE);
      }
    }
    if (found.size() > MOST_CELLS) {
      faults.add("--cells", "at most %d at once".formatted(MOST_CELLS));
    }
    for (ExperimentCell cell : found) {
      if (cell.arrivalsPerHour() * hours > MOST_CHANGES) {
        faults.add(
            "--hours", "makes more than %d changes in %s".formatted(MOST_CHANGES, cell.name()));
      }
    }
    return List.copyOf(found);
  }

  private List<Integer> wantedBudgets(Faults faults) {
    NumberSetting setting = NumberSetting.SPECULATION_BUDGET;
    return budgets.isEmpty()
        ? List.of(0, 1, 2)
        : budgets.stream()
            .map(text -> faults.whole("--budgets", text, setting.least(), setting.most()))
            .distinct()
            .sorted()
            .toList();
  }

  /**
   * What is known already; a file that cannot be read is a fault. Where there are faults before, no
   * file is made.
   */
  public RunLog log(UnaryOperator<Path> resolve, Faults faults) {
    if (resume.isEmpty() || !faults.found().isEmpty()) {
      return RunLog.NONE;
    }
    Path file = resolve.apply(resume.get());
    try {
      return RunFile.open(file);
    } catch (IOException failed) {
      faults.add("--resume", "%s cannot be used: %s".formatted(file, failed));
    } catch (IllegalArgumentException notOurs) {
      faults.add("--resume", String.valueOf(notOurs.getMessage()));
    }
    return RunLog.NONE;
  }
}
