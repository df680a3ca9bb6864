package dev.mainstay.core.simulation.experiment;

import dev.mainstay.core.queue.QueueSettings;
import dev.mainstay.core.simulation.Comparison;
import dev.mainstay.core.simulation.Contender;
import dev.mainstay.core.simulation.Simulation;
import dev.mainstay.core.simulation.policy.MainstayPolicy;
import dev.mainstay.core.simulation.policy.Policies;
import dev.mainstay.core.simulation.world.WorldSettings;
import java.util.ArrayList;
import java.util.List;

/**
 * The experiment published with SubmitQueue (EuroSys 2019): a grid of arrival rates and CI slots,
 * with our engine among the policies it names. docs/experiment.md says what is the same.
 *
 * @param hours for how long changes arrive; every policy then runs until all of them have ended
 */
public record PublishedExperiment(
    List<Integer> arrivalsPerHour, List<Integer> slots, double hours, List<Long> seeds) {

  private static final long REPAIR_MILLIS = 60 * 60_000;

  private static final List<String> RIVALS =
      List.of("serial", "serial-lanes", "bors:8", "zuul", "zuul-lanes", "everything", "probable");

  public PublishedExperiment {
    arrivalsPerHour = List.copyOf(arrivalsPerHour);
    slots = List.copyOf(slots);
    seeds = List.copyOf(seeds);
  }

  /** One place in the grid. */
  public record Cell(int arrivalsPerHour, int slots, Comparison.Result result) {}

  public static PublishedExperiment full(List<Long> seeds) {
    var steps = List.of(100, 200, 300, 400, 500);
    return new PublishedExperiment(steps, steps, 2, seeds);
  }

  public static PublishedExperiment quick(List<Long> seeds) {
    var steps = List.of(100, 300, 500);
    return new PublishedExperiment(steps, steps, 1, seeds);
  }

  public PublishedExperiment lasting(double otherHours) {
    return new PublishedExperiment(arrivalsPerHour, slots, otherHours, seeds);
  }

  public int runs() {
    return arrivalsPerHour.size() * slots.size() * seeds.size() * (contenders(1).size() + 1);
  }

  public List<Cell> run(Comparison.Progress progress) {
    var cells = new ArrayList<Cell>();
    for (int rate : arrivalsPerHour) {
      for (int count : slots) {
        var comparison = new Comparison(world(rate), new Simulation(count, REPAIR_MILLIS), seeds);
        var result = comparison.run(contenders(count), Policies.ORACLE, progress);
        cells.add(new Cell(rate, count, result));
      }
    }
    return cells;
  }

  /** The world at this rate. */
  WorldSettings world(int rate) {
    return ExperimentCell.published(rate, 1).world(hours);
  }

  private List<Contender> contenders(int slots) {
    var all = new ArrayList<Contender>();
    QueueSettings parallel =
        QueueSettings.defaults()
            .edit()
            .mode(QueueSettings.Mode.PARALLEL)
            .concurrency(slots)
            .testingTimeoutMinutes(0)
            .build();
    all.add(ours("mainstay", parallel));
    all.add(ours("mainstay optimistic", parallel.edit().canOptimisticallyMerge(true).build()));
    RIVALS.forEach(name -> all.add(Policies.named(name, world(1))));
    return all;
  }

  private static Contender ours(String label, QueueSettings settings) {
    return new Contender(label, world -> new MainstayPolicy(settings));
  }
}
