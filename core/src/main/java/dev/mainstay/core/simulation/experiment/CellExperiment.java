package dev.mainstay.core.simulation.experiment;

import dev.mainstay.core.queue.QueueSettings;
import dev.mainstay.core.simulation.Comparison;
import dev.mainstay.core.simulation.Contender;
import dev.mainstay.core.simulation.Policy;
import dev.mainstay.core.simulation.Score;
import dev.mainstay.core.simulation.Simulation;
import dev.mainstay.core.simulation.experiment.RunLog.Run;
import dev.mainstay.core.simulation.policy.MainstayPolicy;
import dev.mainstay.core.simulation.policy.Policies;
import dev.mainstay.core.simulation.world.World;
import dev.mainstay.core.simulation.world.WorldSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Our engine with several budgets beside other policies, in several worlds of each cell. Where
 * builds flake, each budget runs twice: nobody sends results, and test health knows the flakes.
 *
 * @param hours for how long changes arrive; every policy then runs until all of them have ended
 * @param rivals names of policies, as {@link Policies} reads them
 */
public record CellExperiment(
    List<ExperimentCell> cells,
    double hours,
    List<Long> seeds,
    List<Integer> budgets,
    List<String> rivals) {

  private static final long REPAIR_MILLIS = 60 * 60_000;

  public CellExperiment {
    cells = List.copyOf(cells);
    seeds = List.copyOf(seeds);
    budgets = List.copyOf(budgets);
    rivals = List.copyOf(rivals);
  }

  public int runs() {
    return cells.stream().mapToInt(cell -> contenders(cell).size() * seeds.size()).sum();
  }

  /** Every cell is told as soon as it has ended. */
  public List<CellResult> run(
      RunLog log, Comparison.Progress progress, Consumer<CellResult> whenEnded) {
    var results = new ArrayList<CellResult>();
    for (ExperimentCell cell : cells) {
      CellResult result = run(cell, log, progress);
      whenEnded.accept(result);
      results.add(result);
    }
    return results;
  }

  private CellResult run(ExperimentCell cell, RunLog log, Comparison.Progress progress) {
    List<Contender> contenders = contenders(cell);
    var columns = new ArrayList<List<Figures>>();
    contenders.forEach(contender -> columns.add(new ArrayList<>()));
    for (long seed : seeds) {
      var place = new Place(cell, seed);
      for (int i = 0; i < contenders.size(); i++) {
        Contender contender = contenders.get(i);
        var run = new Run(cell.name(), hours, seed, contender.label());
        Optional<Figures> known = log.find(run);
        Figures figures = known.orElseGet(() -> place.measure(contender));
        if (known.isEmpty()) {
          log.keep(run, figures);
        }
        columns.get(i).add(figures);
        progress.ran(contender, seed);
      }
    }
    var lines = new ArrayList<CellResult.Line>();
    for (int i = 0; i < contenders.size(); i++) {
      lines.add(new CellResult.Line(contenders.get(i).label(), columns.get(i)));
    }
    return new CellResult(cell, lines);
  }

  /** The world of one seed, and the oracle's score in it once somebody needs it. */
  private final class Place {
    private final Simulation simulation;
    private final World world;
    private Optional<Score> oracle = Optional.empty();

    Place(ExperimentCell cell, long seed) {
      simulation = new Simulation(cell.slots(), REPAIR_MILLIS);
      world = cell.world(hours).world(seed);
    }

    Figures measure(Contender contender) {
      Score measure = oracle.orElseGet(() -> score(Policies.ORACLE));
      oracle = Optional.of(measure);
      return Figures.of(score(contender), measure);
    }

    private Score score(Contender contender) {
      Policy policy = contender.policy().apply(world);
      return Score.of(List.of(simulation.run(world, policy)));
    }
  }

  private List<Contender> contenders(ExperimentCell cell) {
    WorldSettings world = cell.world(hours);
    var all = new ArrayList<Contender>();
    for (int budget : budgets) {
      all.add(ours("budget " + budget, cell.slots(), budget, false));
    }
    if (cell.flakes() > 0) {
      for (int budget : budgets) {
        all.add(ours("budget " + budget + ", known flakes", cell.slots(), budget, true));
      }
    }
    rivals.forEach(name -> all.add(Policies.named(name, world)));
    return all;
  }

  private static Contender ours(String label, int slots, int budget, boolean knowsFlakes) {
    QueueSettings settings =
        QueueSettings.defaults()
            .edit()
            .mode(QueueSettings.Mode.PARALLEL)
            .concurrency(slots)
            .testingTimeoutMinutes(0)
            .speculationBudget(budget)
            .build();
    return new Contender(label, world -> new MainstayPolicy(settings, knowsFlakes));
  }
}
