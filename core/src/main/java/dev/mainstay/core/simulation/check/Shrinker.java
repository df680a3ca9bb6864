package dev.mainstay.core.simulation.check;

import dev.mainstay.core.queue.QueueSettings;
import dev.mainstay.core.queue.QueueSettings.DirectMergeMode;
import dev.mainstay.core.queue.QueueSettings.OptimizationMode;
import dev.mainstay.core.queue.QueueSettings.Sizing;
import dev.mainstay.core.simulation.check.play.FaultRates;
import dev.mainstay.core.simulation.check.play.Flaws;
import dev.mainstay.core.simulation.check.play.Scenario;
import dev.mainstay.core.simulation.check.play.Uploads;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * Makes a failing scenario small: takes away faults, deeds and flaws, and plain settings for odd
 * ones, as long as it still fails in the same way.
 */
final class Shrinker {
  private static final int MOST_TRIES = 1500;
  private static final List<UnaryOperator<QueueSettings>> PLAINER =
      List.of(
          s -> s.edit().directMergeMode(DirectMergeMode.OFF).build(),
          s -> s.edit().optimizationMode(OptimizationMode.OFF).build(),
          s -> s.edit().canOptimisticallyMerge(false).build(),
          s -> s.edit().pendingFailureDepth(0).build(),
          s -> s.edit().speculationBudget(0).build(),
          s -> s.edit().batchSizing(Sizing.FIXED).build(),
          s -> s.edit().timeoutSizing(Sizing.FIXED).build(),
          s -> s.edit().hermeticTests(false).build(),
          s -> s.edit().flakeRetries(1).build(),
          s -> s.edit().batch(false).build(),
          s -> s.edit().mode(QueueSettings.Mode.SINGLE).build(),
          s -> s.edit().requiredStatuses(Optional.of(List.of("test"))).build(),
          s -> s.edit().concurrency(5).bisectionConcurrency(Optional.empty()).build(),
          s -> s.edit().batchingMaxWaitTimeMinutes(0).build(),
          s -> s.edit().testingTimeoutMinutes(300).build());

  private final Predicate<Scenario> fails;
  private int tries;

  Shrinker(Predicate<Scenario> fails) {
    this.fails = fails;
  }

  int tries() {
    return tries;
  }

  Scenario shrink(Scenario failing) {
    Scenario before = failing;
    Scenario smaller = round(before);
    while (!smaller.equals(before) && tries < MOST_TRIES) {
      before = smaller;
      smaller = round(before);
    }
    return smaller;
  }

  private Scenario round(Scenario start) {
    Scenario best = start;
    for (FaultRates.Kind kind : FaultRates.Kind.values()) {
      best = better(best, best.with(best.faults().with(kind, 0)));
    }
    best = better(best, best.with(Uploads.NONE));
    Scenario calm = best;
    best = best.with(fewest(best.deeds(), some -> stillFails(calm.with(some))));
    best = fewerFlaws(best);
    for (UnaryOperator<QueueSettings> plainer : PLAINER) {
      best = better(best, best.with(plainer.apply(best.settings())));
    }
    return best;
  }

  private Scenario fewerFlaws(Scenario start) {
    Flaws flaws = start.flaws();
    var broken =
        fewest(
            flaws.broken(),
            some -> stillFails(start.with(new Flaws(some, flaws.clashes(), flaws.conflicts()))));
    var clashes =
        fewest(
            flaws.clashes(),
            some -> stillFails(start.with(new Flaws(broken, some, flaws.conflicts()))));
    var conflicts =
        fewest(flaws.conflicts(), some -> stillFails(start.with(new Flaws(broken, clashes, some))));
    return start.with(new Flaws(broken, clashes, conflicts));
  }

  private Scenario better(Scenario known, Scenario plainer) {
    return !plainer.equals(known) && stillFails(plainer) ? plainer : known;
  }

  private boolean stillFails(Scenario scenario) {
    tries++;
    return tries <= MOST_TRIES && fails.test(scenario);
  }

  /** Takes away ever smaller pieces until no single one can be missed. */
  private static <T> List<T> fewest(List<T> all, Predicate<List<T>> enough) {
    List<T> kept = all;
    for (int size = Math.max(1, all.size() / 2); size >= 1; size = size == 1 ? 0 : size / 2) {
      for (int from = 0; from < kept.size(); ) {
        var fewer = new ArrayList<>(kept.subList(0, from));
        fewer.addAll(kept.subList(Math.min(kept.size(), from + size), kept.size()));
        if (enough.test(fewer)) {
          kept = fewer;
        } else {
          from += size;
        }
      }
    }
    return kept;
  }
}
