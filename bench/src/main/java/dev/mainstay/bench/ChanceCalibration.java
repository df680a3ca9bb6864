package dev.mainstay.bench;

import dev.mainstay.core.queue.QueueSettings;
import dev.mainstay.core.queue.rules.Forecast;
import dev.mainstay.core.queue.rules.Outlook;
import dev.mainstay.core.simulation.Decision;
import dev.mainstay.core.simulation.Simulation;
import dev.mainstay.core.simulation.policy.MainstayPolicy;
import dev.mainstay.core.simulation.world.Authors;
import dev.mainstay.core.simulation.world.BuildTime;
import dev.mainstay.core.simulation.world.SimulatedChange;
import dev.mainstay.core.simulation.world.TargetMix;
import dev.mainstay.core.simulation.world.World;
import dev.mainstay.core.simulation.world.WorldSettings;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the queue foretold of each change when it arrived, held against what came of it, in
 * simulated worlds: the chance to pass, and the time of its merging. Of the changes that arrive
 * first nothing is told: the queue has yet to learn.
 *
 * <p>The limit is what a queue can know that knows the true average and nothing else.
 */
final class ChanceCalibration {
  private static final int CHANGES = 1_200;
  private static final int FIRST = CHANGES / 4;
  private static final long REPAIR_MILLIS = 3_600_000;
  private static final double[] EDGES = {0.02, 0.05, 0.1, 0.2, 0.4, 1};

  private record Case(
      String name, int rate, int slots, double fails, int budget, boolean parallel, Authors who) {}

  private static final List<Case> CASES =
      List.of(
          new Case("all alike", 60, 60, 0.05, 0, true, Authors.ALIKE),
          new Case("authors and sizes differ", 60, 60, 0.05, 1, true, new Authors(30, 1.5, 0)),
          new Case("they drift", 60, 60, 0.05, 1, true, new Authors(30, 1.5, 8)),
          new Case("one in ten fails", 60, 60, 0.1, 1, true, new Authors(30, 1.5, 0)),
          new Case("few slots", 30, 25, 0.05, 0, true, new Authors(30, 1.5, 0)),
          new Case("one line", 8, 10, 0.05, 0, false, new Authors(10, 1.5, 0)));

  private ChanceCalibration() {}

  static void run() {
    CASES.forEach(ChanceCalibration::play);
  }

  private static void play(Case one) {
    var settings =
        new WorldSettings(
            one.rate,
            CHANGES,
            new BuildTime.LogNormal(30, 0.5, 5, 120),
            one.fails,
            0.04,
            0,
            60,
            0,
            new TargetMix(180, 1, 0.5, 0),
            one.who);
    var queue =
        QueueSettings.defaults()
            .edit()
            .mode(one.parallel ? QueueSettings.Mode.PARALLEL : QueueSettings.Mode.SINGLE)
            .concurrency(one.slots)
            .testingTimeoutMinutes(0)
            .speculationBudget(one.budget)
            .build();
    World world = settings.world(1);
    var foretold = new HashMap<Integer, Double>();
    var expected = new HashMap<Integer, Forecast.Expected>();
    var nanos = new long[1];
    var outcome =
        new Simulation(one.slots, REPAIR_MILLIS)
            .run(
                world,
                new MainstayPolicy(
                    queue,
                    (change, pr, after, now) -> {
                      if (change.id() < FIRST) {
                        return;
                      }
                      foretold.put(
                          change.id(), 1 - new Outlook.Of(after).entry(after.member(pr)).passes());
                      long start = System.nanoTime();
                      var times = Optional.ofNullable(Forecast.of(after, now).get(pr));
                      nanos[0] += System.nanoTime() - start;
                      times.ifPresent(t -> expected.put(change.id(), t));
                    }));
    System.out.printf(
        "%n%s (%d changes an hour, %d slots, budget %d)%n",
        one.name, one.rate, one.slots, one.budget);
    chances(world, foretold);
    times(outcome.decisions(), expected, nanos[0] / 1e6 / foretold.size());
  }

  private static void chances(World world, Map<Integer, Double> foretold) {
    double average =
        foretold.keySet().stream().filter(id -> world.change(id).broken()).count()
            / (double) foretold.size();
    double learned = 0;
    double known = 0;
    var counts = new int[EDGES.length];
    var broken = new int[EDGES.length];
    var sums = new double[EDGES.length];
    for (Map.Entry<Integer, Double> one : foretold.entrySet()) {
      SimulatedChange change = world.change(one.getKey());
      double fails = one.getValue();
      learned -= Math.log(change.broken() ? fails : 1 - fails);
      known -= Math.log(change.broken() ? average : 1 - average);
      int place = 0;
      while (fails > EDGES[place]) {
        place++;
      }
      counts[place]++;
      sums[place] += fails;
      broken[place] += change.broken() ? 1 : 0;
    }
    System.out.printf("  surprise, of one who knows the average:  %.2f%n", learned / known);
    for (int i = 0; i < EDGES.length; i++) {
      if (counts[i] > 0) {
        System.out.printf(
            "  foretold %4.1f %% to fail:  %4.1f %% of %d did%n",
            100 * sums[i] / counts[i], 100.0 * broken[i] / counts[i], counts[i]);
      }
    }
  }

  private static void times(
      List<Decision> decisions, Map<Integer, Forecast.Expected> expected, double millis) {
    int merged = 0;
    int likely = 0;
    int late = 0;
    for (Decision decision : decisions) {
      Forecast.Expected told = expected.get(decision.change());
      if (decision.landed() && told != null) {
        merged++;
        likely += decision.at() <= told.likely().toEpochMilli() ? 1 : 0;
        late += decision.at() <= told.late().toEpochMilli() ? 1 : 0;
      }
    }
    System.out.printf(
        "  merged by the likely time (of 50 %%):  %.0f %%; by the late one (of 90 %%):  %.0f %%; told in %.1f ms%n",
        100.0 * likely / merged, 100.0 * late / merged, millis);
  }
}
