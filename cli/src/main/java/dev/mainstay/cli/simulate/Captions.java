package dev.mainstay.cli.simulate;

import dev.mainstay.core.simulation.Comparison;
import dev.mainstay.core.simulation.Comparison.Row;
import dev.mainstay.core.simulation.experiment.ExperimentCell;
import dev.mainstay.core.simulation.experiment.PublishedExperiment.Cell;
import dev.mainstay.core.simulation.world.WorldSettings;
import java.util.List;
import java.util.Locale;

/** The sentences under a table and in a chart: the world that was simulated, and how fast. */
final class Captions {

  private Captions() {}

  static String world(WorldSettings world, int slots, List<Long> seeds, Comparison.Result result) {
    return String.format(
        Locale.ROOT,
        "%,d changes at %s/h%s, %d slots, builds %s min; %s broken, %s of pairs that meet conflict,"
            + " %s flakes, %s of changes met one in flight",
        world.changes(),
        plain(world.arrivalsPerHour()),
        seeds.size() == 1
            ? ", seed " + seeds.getFirst()
            : " in each of " + seeds.size() + " worlds",
        slots,
        world.buildTime(),
        percent(world.ownFailureRate()),
        percent(world.conflictRate()),
        percent(world.flakeRate()),
        percent(result.meetingShare()));
  }

  static String experiment(List<Cell> cells, double seconds) {
    var rows = cells.stream().flatMap(cell -> cell.result().rows().stream()).toList();
    double least = cells.stream().mapToDouble(c -> c.result().meetingShare()).min().orElse(0);
    double most = cells.stream().mapToDouble(c -> c.result().meetingShare()).max().orElse(0);
    return "%s to %s of changes met one in flight.\n".formatted(percent(least), percent(most))
        + speed(rows, seconds);
  }

  static String cell(ExperimentCell cell, double hours, List<Long> seeds) {
    return "%s: %s/h for %s h on %d slots, %s, %s broken%s%s%s; %s"
        .formatted(
            cell.name(),
            counted(cell.arrivalsPerHour(), "change"),
            plain(hours),
            cell.slots(),
            counted(cell.targets(), "target"),
            percent(cell.failures()),
            cell.flakes() == 0 ? "" : ", " + percent(cell.flakes()) + " of builds flake",
            cell.authors() == 0 ? "" : ", " + counted(cell.authors(), "author"),
            cell.drift() == 0 ? "" : ", others every " + plain(cell.drift()) + " h",
            seeds.size() == 1
                ? "seed " + seeds.getFirst()
                : "seeds " + seeds.getFirst() + " to " + seeds.getLast() + ", mean ± deviation");
  }

  private static String counted(int count, String what) {
    return count + " " + what + (count == 1 ? "" : "s");
  }

  static String speed(List<Row> rows, double seconds) {
    long events = rows.stream().mapToLong(row -> row.score().events()).sum();
    return String.format(
        Locale.ROOT,
        "%,d events in %.1f s: %,.0f events per second.%n",
        events,
        seconds,
        events / Math.max(seconds, 1e-9));
  }

  private static String percent(double share) {
    return plain(Math.rint(share * 10_000) / 100) + " %";
  }

  private static String plain(double value) {
    return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
  }
}
