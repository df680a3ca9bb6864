package dev.mainstay.cli.simulate;

import dev.mainstay.core.simulation.world.Authors;
import dev.mainstay.core.simulation.world.BuildTime;
import dev.mainstay.core.simulation.world.TargetMix;
import dev.mainstay.core.simulation.world.WorldSettings;
import java.util.List;
import java.util.stream.LongStream;
import picocli.CommandLine.Option;

/** The world to simulate, as asked for on the command line. */
public final class WorldOptions {
  private static final int MOST_CHANGES = 100_000;

  @Option(
      names = "--arrivals",
      paramLabel = "N",
      description =
          "Changes that are submitted per hour, at random (Poisson). Default: ${DEFAULT-VALUE}.")
  private String arrivals = "10";

  @Option(
      names = "--hours",
      paramLabel = "N",
      description =
          "For how long changes arrive; the simulation goes on until all have ended. Default: 48.")
  private String hours = "";

  @Option(
      names = "--changes",
      paramLabel = "N",
      description = "How many changes arrive in all, in place of --hours.")
  private String changes = "";

  @Option(
      names = "--slots",
      paramLabel = "N",
      description = "Builds that CI can run at the same time. Default: ${DEFAULT-VALUE}.")
  private String slots = "20";

  @Option(
      names = "--build-time",
      paramLabel = "TIME",
      description = {
        "Minutes that a build takes: fixed:30, uniform:10,50, or lognormal:MEDIAN[,SIGMA[,MIN,MAX]].",
        "A batch takes as long as its slowest change. Default: ${DEFAULT-VALUE}."
      })
  private String buildTime = "lognormal:30,0.5,5,120";

  @Option(
      names = "--failure-rate",
      paramLabel = "SHARE",
      description = "Changes that are broken by themselves. Default: ${DEFAULT-VALUE}.")
  private String failureRate = "5%";

  @Option(
      names = "--conflict-rate",
      paramLabel = "SHARE",
      description =
          "Pairs that pass alone and fail together, among those whose targets meet. Default: ${DEFAULT-VALUE}.")
  private String conflictRate = "4%";

  @Option(
      names = "--hidden-conflict-rate",
      paramLabel = "SHARE",
      description =
          "The same among pairs whose targets do not meet: how wrong the targets are. Default: ${DEFAULT-VALUE}.")
  private String hiddenConflictRate = "0%";

  @Option(
      names = "--conflict-window",
      paramLabel = "MINUTES",
      description = {
        "Only changes submitted within this time of each other can conflict:",
        "later ones were written on top of earlier ones. Default: ${DEFAULT-VALUE}."
      })
  private String conflictWindow = "60";

  @Option(
      names = "--flake-rate",
      paramLabel = "SHARE",
      description = "Builds that fail for no reason. Default: ${DEFAULT-VALUE}.")
  private String flakeRate = "1%";

  @Option(
      names = "--targets",
      paramLabel = "N",
      description = "Build targets that the repository has. Default: ${DEFAULT-VALUE}.")
  private String targets = "50";

  @Option(
      names = "--targets-per-change",
      paramLabel = "N",
      description = "Targets that a change touches on average. Default: ${DEFAULT-VALUE}.")
  private String targetsPerChange = "1";

  @Option(
      names = "--target-skew",
      paramLabel = "N",
      description =
          "How unequal targets are (Zipf's exponent): 0 is all alike, 1 a few that everybody touches. Default: ${DEFAULT-VALUE}.")
  private String targetSkew = "0.5";

  @Option(
      names = "--touch-all",
      paramLabel = "SHARE",
      description = "Changes that touch every target. Default: ${DEFAULT-VALUE}.")
  private String touchAll = "0%";

  @Option(
      names = "--authors",
      paramLabel = "N",
      description =
          "People who write the changes; 0 is changes all alike, of which nobody tells the author. Default: ${DEFAULT-VALUE}.")
  private String authors = "0";

  @Option(
      names = "--author-spread",
      paramLabel = "N",
      description =
          "How far the failures of authors are apart: the deviation of the logarithm of their odds. Default: ${DEFAULT-VALUE}.")
  private String authorSpread = "1";

  @Option(
      names = "--author-drift",
      paramLabel = "HOURS",
      description =
          "After how long each author is another one; 0 is never. Default: ${DEFAULT-VALUE}.")
  private String authorDrift = "0";

  @Option(
      names = "--repair-time",
      paramLabel = "MINUTES",
      description = "How long main stays red once something broke it. Default: ${DEFAULT-VALUE}.")
  private String repairTime = "60";

  @Option(
      names = "--seed",
      paramLabel = "N",
      description =
          "The same seed gives the same world, for every policy. Default: ${DEFAULT-VALUE}.")
  private String seed = "1";

  @Option(
      names = "--runs",
      paramLabel = "N",
      description =
          "Worlds to simulate, with seeds counted up; figures are over all of them. Default: ${DEFAULT-VALUE}.")
  private String runs = "1";

  public WorldSettings settings(Faults faults) {
    double rate = faults.number("--arrivals", arrivals, 0.1, 100_000);
    return new WorldSettings(
        rate,
        changes(rate, faults),
        faults.read("--build-time", buildTime, BuildTime::parse, new BuildTime.Fixed(1)),
        faults.share("--failure-rate", failureRate),
        faults.share("--conflict-rate", conflictRate),
        faults.share("--hidden-conflict-rate", hiddenConflictRate),
        faults.number("--conflict-window", conflictWindow, 0, 100_000),
        faults.share("--flake-rate", flakeRate),
        targetMix(faults),
        authors(faults));
  }

  private Authors authors(Faults faults) {
    return new Authors(
        faults.whole("--authors", authors, 0, 10_000),
        faults.number("--author-spread", authorSpread, 0, 5),
        faults.number("--author-drift", authorDrift, 0, 100_000));
  }

  private TargetMix targetMix(Faults faults) {
    return new TargetMix(
        faults.whole("--targets", targets, 1, 100_000),
        faults.whole("--targets-per-change", targetsPerChange, 1, 1000),
        faults.number("--target-skew", targetSkew, 0, 10),
        faults.share("--touch-all", touchAll));
  }

  private int changes(double rate, Faults faults) {
    if (!changes.isEmpty()) {
      if (!hours.isEmpty()) {
        faults.add("--changes", "goes instead of --hours, not with it");
      }
      return faults.whole("--changes", changes, 1, MOST_CHANGES);
    }
    double count = Math.rint(rate * hours(48, faults));
    if (count > MOST_CHANGES) {
      faults.add(
          "--hours",
          "with --arrivals this makes %s changes; at most %s are possible"
              .formatted((long) count, MOST_CHANGES));
    }
    return (int) Math.clamp(count, 1, MOST_CHANGES);
  }

  /** For how long changes arrive, where users did not say otherwise. */
  public double hours(double otherwise, Faults faults) {
    return hours.isEmpty() ? otherwise : faults.number("--hours", hours, 0.1, 100_000);
  }

  public int slots(Faults faults) {
    return faults.whole("--slots", slots, 1, 100_000);
  }

  public long repairMillis(Faults faults) {
    return Math.round(faults.number("--repair-time", repairTime, 0, 100_000) * 60_000);
  }

  public List<Long> seeds(Faults faults) {
    long first = faults.wholeLong("--seed", seed, 0, Long.MAX_VALUE / 2);
    int count = faults.whole("--runs", runs, 1, 1000);
    return LongStream.range(first, first + count).boxed().toList();
  }
}
