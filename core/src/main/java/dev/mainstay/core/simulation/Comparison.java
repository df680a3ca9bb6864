package dev.mainstay.core.simulation;

import dev.mainstay.core.simulation.world.World;
import dev.mainstay.core.simulation.world.WorldSettings;
import java.util.ArrayList;
import java.util.List;

/**
 * Several policies in the very same worlds, one world per seed, measured against one of them: the
 * yardstick, which is the oracle.
 */
public record Comparison(WorldSettings settings, Simulation simulation, List<Long> seeds) {

  public Comparison {
    seeds = List.copyOf(seeds);
  }

  /** Hears of every finished run, so that somebody who waits can be told. */
  @FunctionalInterface
  public interface Progress {
    Progress SILENT = (contender, seed) -> {};

    void ran(Contender contender, long seed);
  }

  /**
   * One contender's result.
   *
   * @param ratio its turnaround over that of the yardstick
   */
  public record Row(String label, Score score, Score.Turnaround ratio) {}

  public record Result(List<Row> rows, double meetingShare) {}

  public Result run(List<Contender> contenders, Contender yardstick, Progress progress) {
    List<World> worlds = seeds.stream().map(settings::world).toList();
    Score measure = score(yardstick, worlds, progress);
    var rows = new ArrayList<Row>();
    for (Contender contender : contenders) {
      Score score = contender.equals(yardstick) ? measure : score(contender, worlds, progress);
      rows.add(new Row(contender.label(), score, score.turnaround().over(measure.turnaround())));
    }
    double meeting =
        worlds.stream().mapToDouble(World::shareMeetingSomethingInFlight).average().orElse(0);
    return new Result(rows, meeting);
  }

  private Score score(Contender contender, List<World> worlds, Progress progress) {
    var outcomes = new ArrayList<PolicyOutcome>();
    for (int i = 0; i < worlds.size(); i++) {
      World world = worlds.get(i);
      outcomes.add(simulation.run(world, contender.policy().apply(world)));
      progress.ran(contender, seeds.get(i));
    }
    return Score.of(outcomes);
  }
}
