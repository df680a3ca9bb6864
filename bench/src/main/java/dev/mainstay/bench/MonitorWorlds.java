package dev.mainstay.bench;

import dev.mainstay.core.health.replay.RecordedRuns;
import dev.mainstay.core.health.replay.RepositoryTraits;
import dev.mainstay.core.health.replay.RepositoryTraits.Flakes;
import dev.mainstay.core.health.replay.RepositoryTraits.Troubles;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The made-up repositories that monitors are tried on, each with a trouble of its own.
 *
 * @param healthy how many healthy tests each has
 * @param flaky how many flaky ones, unless their runs are recorded
 */
record MonitorWorlds(
    int healthy, int flaky, int days, List<Double> rates, Optional<RecordedRuns> recorded) {

  /** By their names, in the order in which they are tried. */
  Map<String, RepositoryTraits> all() {
    var worlds = new LinkedHashMap<String, RepositoryTraits>();
    worlds.put("plain", world(0.5, 0, new Troubles(6, 2, 0, 0.1, 0.5, 0, 0)));
    worlds.put("no-retries", world(0, 0, new Troubles(6, 2, 0, 0.1, 0.5, 0, 0)));
    worlds.put("pull-requests", world(0.3, 0, new Troubles(10, 4, 1, 0.3, 0.1, 0, 0)));
    worlds.put("groups", world(0.5, 5, new Troubles(4, 2, 0, 0.1, 0.5, 0, 0)));
    worlds.put("outages", world(0.5, 0, new Troubles(4, 2, 0, 0.1, 0.5, 2, 0.005)));
    worlds.put("regressions", world(0.3, 0, new Troubles(8, 20, 3, 0.1, 0.3, 0, 0)));
    return worlds;
  }

  private RepositoryTraits world(double retry, int groups, Troubles troubles) {
    return new RepositoryTraits(
        healthy,
        new Flakes(
            recorded.isPresent() ? 0 : flaky, rates, groups, recorded.orElse(RecordedRuns.NONE)),
        days,
        1,
        4,
        retry,
        troubles);
  }

  static String describe(RepositoryTraits world) {
    Troubles troubles = world.troubles();
    return String.format(
        Locale.ROOT,
        "%d tests, %d of them flaky (%d in groups of ten, %d recorded), %d days, %.0f + %.0f uploads/h,"
            + " retried %.0f %%; %d regressions, %d of one commit, %d of 15 tests; %.0f %% of pushes"
            + " break something, %.0f %% are rebased; %.0f outages a week",
        world.tests(),
        world.tests() - world.healthy(),
        world.flakes().groups() * Flakes.GROUP,
        world.flakes().recorded().tests(),
        world.days(),
        world.mainPerHour(),
        world.pullRequestsPerHour(),
        100 * world.retry(),
        troubles.regressions(),
        troubles.brief(),
        troubles.wide(),
        100 * troubles.ownBreaks(),
        100 * troubles.rebased(),
        troubles.outagesPerWeek());
  }
}
