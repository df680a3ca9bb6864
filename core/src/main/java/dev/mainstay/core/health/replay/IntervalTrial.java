package dev.mainstay.core.health.replay;

import dev.mainstay.core.health.BranchClass;
import dev.mainstay.core.health.MonitorRule;
import dev.mainstay.core.health.TestHistory;
import dev.mainstay.core.health.TestHistory.BranchHour;
import dev.mainstay.core.health.TestHistory.Origin;
import dev.mainstay.core.health.TestHistory.RecentRun;
import dev.mainstay.core.health.judge.Estimate;
import dev.mainstay.core.health.judge.Flakiness;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * Holds the intervals that are given for rates of flakiness against rates that are known: a test
 * runs on the stable branch, on a new commit each hour, and nothing else happens to it.
 */
public final class IntervalTrial {
  private static final Instant NOW = Instant.parse("2026-01-20T00:00:00Z");
  private static final Origin MAIN = Origin.of("main", BranchClass.STABLE, List.of());

  private IntervalTrial() {}

  /** Of so many histories of so many runs, those whose interval holds the rate. */
  public static int held(double rate, int runs, int histories, long seed) {
    var random = new Random(seed);
    int held = 0;
    for (int i = 0; i < histories; i++) {
      Flakiness seen = Estimate.of(history(random, rate, runs), MonitorRule.Bayesian.DEFAULT, NOW);
      held += seen.low() <= rate && rate <= seen.high() ? 1 : 0;
    }
    return held;
  }

  private static TestHistory history(Random random, double rate, int count) {
    var hours = new ArrayList<BranchHour>();
    var runs = new ArrayList<RecentRun>();
    for (int i = 0; i < count; i++) {
      Instant at = NOW.minus(Duration.ofHours(count - i));
      boolean failed = random.nextDouble() < rate;
      runs.add(new RecentRun(at, MAIN, "c" + i, "test", i, failed, 1, true, failed ? 1 : 0, 500));
      hours.add(
          new BranchHour(
              MAIN,
              at,
              failed ? 0 : 1,
              failed ? 1 : 0,
              0,
              failed ? Optional.of(at) : Optional.empty()));
    }
    return new TestHistory(hours, List.of(), runs);
  }
}
