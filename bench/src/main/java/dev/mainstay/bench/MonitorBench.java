package dev.mainstay.bench;

import dev.mainstay.core.health.Glob;
import dev.mainstay.core.health.Monitor;
import dev.mainstay.core.health.MonitorId;
import dev.mainstay.core.health.MonitorRule;
import dev.mainstay.core.health.TestStatus;
import dev.mainstay.core.health.replay.MonitorScore;
import dev.mainstay.core.health.replay.MonitorTrial;
import dev.mainstay.core.health.replay.MonitorTrial.Contender;
import dev.mainstay.core.health.replay.RepositoryTraits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * The skill of monitors to tell flaky, broken and healthy tests apart, in made-up repositories
 * whose truth is known. {@code bench/run monitors [seeds=321,322] [tests=400] [days=14] [retry=0.5]
 * [outages=0] [rates=FILE]}: FILE has the columns of FlakeFlagger's results; without it the rates
 * are {@link RepositoryTraits#STATED_RATES}. The seeds that are the default here were never used
 * for tuning; those below 300 were.
 */
final class MonitorBench {
  private static final double LEAST_SPARED = 0.99;
  private static final Map<String, String> DEFAULTS =
      Map.of("seeds", "321,322,323", "tests", "400", "days", "14", "retry", "0.5", "outages", "0");

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
    String file = options.getOrDefault("rates", "");
    List<Double> rates = file.isEmpty() ? RepositoryTraits.STATED_RATES : rates(Path.of(file));
    RepositoryTraits settings = settings(options, rates);
    System.out.printf(
        Locale.ROOT,
        "%d tests, %.0f %% flaky, %d days, %.0f + %.0f uploads/h, retried %.0f %%, %d regressions, "
            + "%.1f outages/week; rates %s; seeds %s%n",
        settings.tests(),
        settings.flakyShare() * 100,
        settings.days(),
        settings.mainPerHour(),
        settings.pullRequestsPerHour(),
        settings.retry() * 100,
        settings.regressions(),
        settings.outagesPerWeek(),
        file.isEmpty() ? "stated" : "of %d tests in %s".formatted(rates.size(), file),
        options.get("seeds"));
    print(contenders(), scores(settings, options.getOrDefault("seeds", "")));
  }

  private static RepositoryTraits settings(Map<String, String> options, List<Double> rates) {
    var plain =
        RepositoryTraits.of(
            Integer.parseInt(options.getOrDefault("tests", "")),
            Integer.parseInt(options.getOrDefault("days", "")),
            rates);
    double outages = Double.parseDouble(options.getOrDefault("outages", ""));
    return new RepositoryTraits(
        plain.tests(),
        plain.flakyShare(),
        plain.flakyRates(),
        plain.days(),
        plain.mainPerHour(),
        plain.pullRequestsPerHour(),
        Double.parseDouble(options.getOrDefault("retry", "")),
        plain.regressions(),
        outages,
        outages == 0 ? 0 : plain.lostShards());
  }

  private static List<MonitorScore> scores(RepositoryTraits settings, String seeds) {
    List<MonitorScore> total = List.of();
    for (String seed : seeds.split(",", -1)) {
      List<MonitorScore> scores =
          MonitorTrial.run(settings, Long.parseLong(seed.strip()), contenders());
      var sum = new ArrayList<MonitorScore>();
      for (int i = 0; i < scores.size(); i++) {
        sum.add(total.isEmpty() ? scores.get(i) : total.get(i).plus(scores.get(i)));
      }
      total = sum;
    }
    return total;
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
        new Contender("retry + rate", List.of(retry, rate)),
        new Contender("retry + count", List.of(retry, count)),
        new Contender("rate + count", List.of(rate, count)),
        new Contender("all three", List.of(retry, rate, count)),
        new Contender("bayesian", List.of(bayesian)));
  }

  /** The best score of the others, in a combination that spares the healthy as bayesian has to. */
  private static void printBest(List<Contender> contenders, List<MonitorScore> scores) {
    int best = -1;
    for (int i = 0; i < scores.size() - 1; i++) {
      if (scores.get(i).sparedShare() >= LEAST_SPARED
          && (best < 0 || scores.get(i).recall() >= scores.get(best).recall())) {
        best = i;
      }
    }
    System.out.printf(
        Locale.ROOT,
        "sparing %.0f %% of healthy tests, the others find %s; bayesian %.1f%%%n",
        100 * LEAST_SPARED,
        best < 0
            ? "nothing"
            : "%.1f%% (%s)".formatted(100 * scores.get(best).recall(), contenders.get(best).name()),
        100 * scores.getLast().recall());
  }

  private static Monitor monitor(String name, MonitorRule rule) {
    return new Monitor(new MonitorId(new UUID(0, name.hashCode())), name, true, rule);
  }

  private static void print(List<Contender> contenders, List<MonitorScore> scores) {
    System.out.printf(
        "%-14s %9s %7s %9s %7s %6s %6s %9s %7s %6s %6s %7s%n",
        "monitor",
        "precision",
        "recall",
        "if failed",
        "healthy",
        "hours",
        "runs",
        "failures",
        "broken",
        "hours",
        "runs",
        "changes");
    for (int i = 0; i < scores.size(); i++) {
      MonitorScore score = scores.get(i);
      System.out.printf(
          Locale.ROOT,
          "%-14s %8.2f%% %6.1f%% %8.1f%% %6.2f%% %6.1f %6.0f %9.0f %6.1f%% %6.1f %6.0f %7.2f%n",
          contenders.get(i).name(),
          100 * score.precision(),
          100 * score.recall(),
          100 * score.recallOfFailed(),
          100 * score.sparedShare(),
          MonitorScore.median(score.hoursToFlaky()),
          MonitorScore.median(score.runsToFlaky()),
          MonitorScore.median(score.failuresToFlaky()),
          100 * score.recallOfBroken(),
          MonitorScore.median(score.hoursToBroken()),
          MonitorScore.median(score.runsToBroken()),
          score.changesPerFlagged());
    }
    MonitorScore any = scores.getFirst();
    System.out.printf(
        "%d flaky tests of which %d failed, %d healthy tests, %d tests broken by regressions%n",
        any.flaky(), any.failedFlaky(), any.healthy(), any.regressions());
    printBest(contenders, scores);
  }

  /** The rates of the tests that are flaky; names may hold commas, the columns after them not. */
  private static List<Double> rates(Path file) throws IOException {
    var rates = new ArrayList<Double>();
    for (String line : Files.readAllLines(file)) {
      List<String> cells = Arrays.asList(line.split(",", -1));
      int flaky = cells.size() - 6;
      if (flaky > 0 && cells.get(flaky).equals("1")) {
        double failed = Double.parseDouble(cells.get(flaky + 1));
        rates.add(failed / (failed + Double.parseDouble(cells.get(flaky + 2))));
      }
    }
    return rates;
  }
}
