package dev.mainstay.cli.simulate;

import dev.mainstay.cli.shell.Shell;
import dev.mainstay.cli.simulate.ReportOptions.Format;
import dev.mainstay.core.simulation.Comparison;
import dev.mainstay.core.simulation.Contender;
import dev.mainstay.core.simulation.Simulation;
import dev.mainstay.core.simulation.experiment.CellExperiment;
import dev.mainstay.core.simulation.experiment.PublishedExperiment;
import dev.mainstay.core.simulation.world.WorldSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.node.ObjectNode;

/** Answers what a queue would do, and how it compares with other ways to run one. */
@Command(
    name = "simulate",
    abbreviateSynopsis = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    description = {
      "Simulates a merge queue with given settings in a given world, beside other policies.",
      "All of them face the very same changes, failures, conflicts and flakes.",
      "With --history the world is what happened in a queue of yours, and the server simulates."
    },
    footer = {
      "",
      "Policies to compare with:",
      "  serial        one change after the other",
      "  serial-lanes  the same in each lane; lanes whose targets do not meet go on",
      "  bors          builds all that waits, halves what fails; bors:8 limits a batch",
      "  zuul          assumes that all ahead land, in a window; zuul:20 is its start",
      "  zuul-lanes    assumes that all ahead land whose targets meet, without window",
      "  everything    speculates on every combination of outcomes, breadth first",
      "  probable      speculates on the likeliest outcomes, knowing all rates",
      "  oracle        knows every outcome: one build per change, as they arrive",
      "  none          no queue: lands what passes alone, so that main turns red",
      "",
      "Examples:",
      "  mainstay simulate --arrivals 30 --slots 40 --mode parallel",
      "  mainstay simulate --variant 'lanes: mode=parallel' --variant batch-size=4",
      "  mainstay simulate --compare serial,zuul,oracle --format csv",
      "  mainstay simulate --experiment --quick --svg experiment.svg",
      "  mainstay simulate --experiment --cells 500/500 --runs 10 --resume runs.jsonl",
      "  mainstay simulate --check --seeds 10000",
      "  mainstay simulate --history --set speculationBudget=1 --set concurrency=10,batch=true"
    })
public final class SimulateCommand implements Callable<Integer> {
  private static final Set<String> HEARD_IN_EXPERIMENT =
      Set.of(
          "--experiment", "--quick", "--seed", "--runs", "--hours", "--format", "--json", "--svg");
  private static final Set<String> HEARD_IN_CELLS =
      Set.of(
          "--experiment",
          "--cells",
          "--budgets",
          "--resume",
          "--compare",
          "--seed",
          "--runs",
          "--hours",
          "--format",
          "--json",
          "--svg");
  private static final Set<String> HEARD_IN_HISTORY =
      Set.of(
          "--history",
          "--server",
          "--repo",
          "--json",
          "--branch",
          "--since",
          "--set",
          "--compare",
          "--svg");
  private static final Set<String> ONLY_IN_HISTORY =
      Set.of("--server", "--repo", "--branch", "--since", "--set");
  private static final Set<String> HEARD_IN_CHECK =
      Set.of("--check", "--seeds", "--seed", "--keep-going");

  private final Shell shell;
  @Spec private CommandSpec spec;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help and exit.")
  @SuppressWarnings("unused")
  private boolean help;

  @ArgGroup(validate = false, heading = "%nThe world:%n")
  private WorldOptions world = new WorldOptions();

  @ArgGroup(validate = false, heading = "%nThe queue:%n")
  private QueueOptions queue = new QueueOptions();

  @ArgGroup(validate = false, heading = "%nThe report:%n")
  private ReportOptions report = new ReportOptions();

  @ArgGroup(validate = false, heading = "%nThe experiment, closer up:%n")
  private CellOptions cells = new CellOptions();

  @ArgGroup(validate = false, heading = "%nThe check:%n")
  private CheckOptions check = new CheckOptions();

  @Mixin private HistoryOptions history;

  public SimulateCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public Integer call() {
    var faults = new Faults();
    refuseRepeated(faults);
    if (history.wanted()) {
      return history(faults);
    }
    matched().stream()
        .filter(ONLY_IN_HISTORY::contains)
        .forEach(name -> faults.add(name, "goes only with --history"));
    return check.wanted(faults) ? check(faults) : compare(faults);
  }

  private int history(Faults faults) {
    refuseUnheard(HEARD_IN_HISTORY, "--history", faults);
    ObjectNode request = history.request(report.policies(), faults);
    if (!faults.found().isEmpty()) {
      return refuse(faults.found());
    }
    ObjectNode answer = history.client().post("simulateQueue", request);
    history.print(answer, told -> new HistoryReport(told).print(shell));
    var chart = new HistoryReport(answer);
    if (report.svg().isPresent() && chart.isEmpty()) {
      shell.err().println("Nothing was played, so no chart was written.");
      shell.err().flush();
      return ExitCode.SOFTWARE;
    }
    return report.svg().map(file -> draw(chart.svg(), file)).orElse(ExitCode.OK);
  }

  private int check(Faults faults) {
    refuseUnheard(HEARD_IN_CHECK, "--check", faults);
    long first = world.seeds(faults).getFirst();
    boolean seedGiven = spec.commandLine().getParseResult().hasMatchedOption("--seed");
    OptionalInt count = check.count(seedGiven, faults);
    if (!faults.found().isEmpty()) {
      return refuse(faults.found());
    }
    var simulation =
        new SimulationCheck(shell.out(), shell.err(), shell.isTerminal(), System::nanoTime);
    return count.isPresent()
        ? simulation.run(first, count.getAsInt(), check.keepsGoing())
        : simulation.replay(first);
  }

  private int compare(Faults faults) {
    Task task = task(faults);
    if (!faults.found().isEmpty()) {
      return refuse(faults.found());
    }
    var progress = new ProgressLine(shell.err(), shell.isTerminal(), task.runs(), System::nanoTime);
    Report result;
    try {
      result = task.run(progress);
    } catch (UncheckedIOException failed) {
      shell.err().println("What was run could not be kept: " + failed.getMessage());
      shell.err().flush();
      return ExitCode.SOFTWARE;
    } finally {
      progress.clear();
    }
    shell.out().print(result.text());
    shell.out().flush();
    return report.svg().map(file -> draw(result.svg(), file)).orElse(ExitCode.OK);
  }

  private Task task(Faults faults) {
    boolean experiment = report.wantsExperiment(faults);
    if (cells.wanted(experiment, faults)) {
      return cells(faults);
    }
    return experiment ? experiment(faults) : comparison(faults);
  }

  private Task comparison(Faults faults) {
    WorldSettings settings = world.settings(faults);
    int slots = world.slots(faults);
    var simulation = new Simulation(slots, world.repairMillis(faults));
    List<Contender> contenders = new ArrayList<>(queue.contenders(slots, faults));
    contenders.addAll(report.rivals(settings, faults));
    return new ComparisonTask(
        new Comparison(settings, simulation, world.seeds(faults)), contenders, format(faults));
  }

  private Task experiment(Faults faults) {
    refuseUnheard(HEARD_IN_EXPERIMENT, "--experiment", faults);
    List<Long> seeds = world.seeds(faults);
    PublishedExperiment plan =
        report.quick() ? PublishedExperiment.quick(seeds) : PublishedExperiment.full(seeds);
    return new ExperimentTask(plan.lasting(world.hours(plan.hours(), faults)), format(faults));
  }

  private Format format(Faults faults) {
    return history.json() ? Format.JSON : report.format(faults);
  }

  private Task cells(Faults faults) {
    refuseUnheard(HEARD_IN_CELLS, "--cells", faults);
    double hours = PublishedExperiment.full(List.of()).hours();
    CellExperiment plan =
        cells.experiment(world.hours(hours, faults), world.seeds(faults), report.compare(), faults);
    return new CellTask(plan, format(faults), cells.log(shell::resolve, faults), shell.out());
  }

  private void refuseUnheard(Set<String> heard, String by, Faults faults) {
    Set<String> unheard = matched();
    unheard.removeAll(heard);
    unheard.forEach(
        name -> faults.add(name, "has no say in %s, which has its own world".formatted(by)));
  }

  /** The library would begin the whole group anew, and forget its other options. */
  private void refuseRepeated(Faults faults) {
    var seen = new HashSet<OptionSpec>();
    spec.commandLine().getParseResult().matchedOptions().stream()
        .filter(option -> !option.isMultiValue() && !seen.add(option))
        .forEach(option -> faults.add(option.longestName(), "is given more than once"));
  }

  private Set<String> matched() {
    var matched = new TreeSet<String>();
    spec.commandLine().getParseResult().matchedOptions().forEach(o -> matched.add(o.longestName()));
    return matched;
  }

  private int refuse(List<String> faults) {
    faults.forEach(shell.err()::println);
    shell
        .err()
        .println("Nothing was simulated; `mainstay simulate --help` lists what is possible.");
    shell.err().flush();
    return ExitCode.USAGE;
  }

  private int draw(String svg, Path file) {
    try {
      Files.writeString(shell.resolve(file), svg);
      return ExitCode.OK;
    } catch (IOException failed) {
      shell.err().println("The chart could not be written: " + failed);
      shell.err().flush();
      return ExitCode.SOFTWARE;
    }
  }
}
