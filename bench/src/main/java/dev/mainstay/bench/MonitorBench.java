package dev.mainstay.bench;

import dev.mainstay.core.health.Glob;
import dev.mainstay.core.health.Monitor;
import dev.mainstay.core.health.MonitorId;
import dev.mainstay.core.health.MonitorRule;
import dev.mainstay.core.health.TestStatus;
import dev.mainstay.core.health.replay.IntervalTrial;
import dev.mainstay.core.health.replay.MonitorScore;
import dev.mainstay.core.health.replay.MonitorScore.Intervals;
import dev.mainstay.core.health.replay.MonitorScore.Share;
import dev.mainstay.core.health.replay.MonitorTrial;
import dev.mainstay.core.health.replay.MonitorTrial.Contender;
import dev.mainstay.core.health.replay.RepositoryTraits;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

/**
 * The skill of monitors to tell flaky, broken and healthy tests apart, in made-up repositories
 * whose truth is known. {@code bench/run monitors [worlds=plain,outages] [seeds=431,432,433]
 * [tests=500] [flaky=40] [days=14] [rates=FILE] [runs=FILE]}. The seeds that are the default here
 * were never used for tuning; those below 300 were.
 */
final class MonitorBench {
  private static final Map<String, String> DEFAULTS =
      Map.of("seeds", "431,432,433", "tests", "500", "flaky", "40", "days", "14");

  private MonitorBench() {}

  static void run(List<String> arguments) throws IOException {
    var options = new TreeMap<>(DEFAULTS);
    for (String argument : arguments) {
      int equals = argument.indexOf('=');
      if (equals < 0) {
        throw new IllegalArgumentException("Options are name=value: " + argument);
      }
      options.put(argument.substring(0, equals), argument.substring(equals + 1));
    }
    var worlds =
        new MonitorWorlds(
            number(options, "tests"),
            number(options, "flaky"),
            number(options, "days"),
            file(options, "rates").isEmpty()
                ? RepositoryTraits.STATED_RATES
                : OutcomeFiles.rates(file(options, "rates").get()),
            file(options, "runs").isEmpty()
                ? Optional.empty()
                : Optional.of(OutcomeFiles.runs(file(options, "runs").get())));
    List<String> wanted =
        options.containsKey("worlds")
            ? Arrays.asList(options.getOrDefault("worlds", "").split(",", -1))
            : List.copyOf(worlds.all().keySet());
    Optional<List<MonitorScore>> total = Optional.empty();
    for (String world : wanted) {
      RepositoryTraits traits =
          Optional.ofNullable(worlds.all().get(world))
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "There are only these worlds: %s."
                              .formatted(String.join(", ", worlds.all().keySet()))));
      List<MonitorScore> scores = scores(traits, options.getOrDefault("seeds", ""));
      System.out.printf("%n%s: %s%n", world, MonitorWorlds.describe(traits));
      print(scores);
      total = Optional.of(total.map(t -> plus(t, scores)).orElse(scores));
    }
    if (wanted.size() > 1 && total.isPresent()) {
      System.out.printf("%nall worlds, seeds %s%n", options.get("seeds"));
      print(total.get());
    }
    printIntervals(options.getOrDefault("seeds", ""));
  }

  private static final double[] RATES = {
    0.001, 0.003, 0.006, 0.01, 0.03, 0.1, 0.2, 0.35, 0.5, 0.7, 0.9
  };
  private static final int[] RUNS = {10, 20, 30, 100, 300};
  private static final int HISTORIES = 2000;

  /**
   * How often the interval holds the rate, by the rate and the number of runs, and of all rates.
   */
  private static void printIntervals(String seeds) {
    long seed = Long.parseLong(seeds.split(",", -1)[0].strip());
    System.out.printf("%n90 %% intervals that hold the rate, of %d histories%n", HISTORIES);
    System.out.printf("%-8s", "rate");
    Arrays.stream(RUNS).forEach(runs -> System.out.printf("%9s", runs + " runs"));
    System.out.println();
    var all = new int[RUNS.length];
    for (double rate : RATES) {
      System.out.printf(Locale.ROOT, "%-8s", String.format(Locale.ROOT, "%.1f %%", 100 * rate));
      for (int i = 0; i < RUNS.length; i++) {
        int held = IntervalTrial.held(rate, RUNS[i], HISTORIES, seed);
        all[i] += held;
        System.out.printf(Locale.ROOT, "%7.1f %%", 100.0 * held / HISTORIES);
      }
      System.out.println();
    }
    System.out.printf("%-8s", "all");
    for (int held : all) {
      System.out.printf(Locale.ROOT, "%7.1f %%", 100.0 * held / HISTORIES / RATES.length);
    }
    System.out.println();
  }

  private static int number(Map<String, String> options, String name) {
    return Integer.parseInt(options.getOrDefault(name, ""));
  }

  private static Optional<Path> file(Map<String, String> options, String name) {
    return Optional.ofNullable(options.get(name)).filter(f -> !f.isEmpty()).map(Path::of);
  }

  /** Each seed on a thread of its own. */
  private static List<MonitorScore> scores(RepositoryTraits traits, String seeds) {
    return Arrays.stream(seeds.split(",", -1))
        .parallel()
        .map(seed -> MonitorTrial.run(traits, Long.parseLong(seed.strip()), contenders()))
        .reduce(MonitorBench::plus)
        .orElseThrow();
  }

  private static List<MonitorScore> plus(List<MonitorScore> one, List<MonitorScore> other) {
    var sum = new ArrayList<MonitorScore>();
    for (int i = 0; i < one.size(); i++) {
      sum.add(one.get(i).plus(other.get(i)));
    }
    return sum;
  }

  private static List<Contender> contenders() {
    var main = List.of(new Glob("main"));
    Monitor retry = monitor("pass on retry", MonitorRule.PassOnRetry.DEFAULT);
    Monitor rate =
        monitor(
            "failure rate",
            new MonitorRule.FailureRate(TestStatus.BROKEN, 0.5, 0.2, 5, 24, 72, main));
    Monitor count =
        monitor("failure count", new MonitorRule.FailureCount(TestStatus.FLAKY, 3, 24, 72, main));
    Monitor bayesian = monitor("bayesian", MonitorRule.Bayesian.DEFAULT);
    return List.of(
        new Contender("pass on retry", List.of(retry)),
        new Contender("failure rate", List.of(rate)),
        new Contender("failure count", List.of(count)),
        new Contender("bayesian", List.of(bayesian)),
        new Contender("retry + bayesian", List.of(retry, bayesian)));
  }

  private static Monitor monitor(String name, MonitorRule rule) {
    return new Monitor(new MonitorId(new UUID(0, name.hashCode())), name, true, rule);
  }

  private static void print(List<MonitorScore> scores) {
    System.out.printf(
        "%-16s %9s %9s %7s %10s %6s %5s %5s %9s %5s %9s %9s %9s  %s%n",
        "monitor",
        "found",
        "of twice",
        "alike",
        "false",
        "hours",
        "fails",
        "flaps",
        "broken≤3",
        "runs",
        "blamed",
        "as flaky",
        "gates",
        "intervals (early, <1 %, <10 %, more)");
    List<Contender> contenders = contenders();
    for (int i = 0; i < scores.size(); i++) {
      MonitorScore score = scores.get(i);
      System.out.printf(
          Locale.ROOT,
          "%-16s %9s %9s %7s %10s %6.1f %5.0f %5d %9s %5.0f %9s %9s %9s  %s%n",
          contenders.get(i).name(),
          text(score.failed()),
          text(score.failedTwice()),
          text(score.missedAlike()),
          text(score.falseAlarms()),
          MonitorScore.median(score.hoursToFlaky()),
          MonitorScore.median(score.failuresToFlaky()),
          score.flaps(),
          text(score.broken().soon()),
          MonitorScore.median(score.broken().targetRuns()),
          text(score.broken().named()),
          text(score.broken().calledFlaky()),
          text(score.gates()),
          text(score.intervals()));
    }
  }

  private static String text(Share share) {
    return share.whole() == 0 ? "-" : share.part() + "/" + share.whole();
  }

  private static String text(Intervals intervals) {
    return intervals.all().whole() == 0
        ? "-"
        : String.format(
            Locale.ROOT,
            "%.1f%% (%s, %s, %s, %s)",
            100 * intervals.all().value(),
            text(intervals.early()),
            text(intervals.rare()),
            text(intervals.middling()),
            text(intervals.often()));
  }
}
