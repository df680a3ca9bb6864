package dev.mainstay.server.health.judge;

import dev.mainstay.core.health.Glob;
import dev.mainstay.core.health.MonitorRule;
import dev.mainstay.core.health.MonitorRule.Bayesian;
import dev.mainstay.core.health.MonitorRule.FailureCount;
import dev.mainstay.core.health.MonitorRule.FailureRate;
import dev.mainstay.core.health.MonitorRule.PassOnRetry;
import dev.mainstay.core.health.TestStatus;
import dev.mainstay.server.health.test.TestSettings;
import dev.mainstay.server.health.test.TestStore;
import dev.mainstay.server.platform.Json;
import dev.mainstay.server.platform.http.Fields;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** The rule of a monitor as an object with {@code kind}, as it is stored and as the API has it. */
final class MonitorRules {
  static final List<String> KINDS =
      List.of("pass_on_retry", "failure_rate", "failure_count", "bayesian");
  private static final int LONGEST_DAYS = 15;
  private static final int FEWEST_RUNS = 10;

  /** A smaller one would be written with hundreds of digits. */
  private static final double SMALLEST_SHARE = 1e-9;

  private static final MonitorRule PLACEHOLDER = PassOnRetry.DEFAULT;

  private MonitorRules() {}

  static ObjectNode write(MonitorRule rule) {
    ObjectNode node = Json.object().put("kind", rule.kind());
    switch (rule) {
      case PassOnRetry r -> node.put("recovery_days", r.recoveryDays());
      case FailureRate r -> {
        node.put("status", TestStore.label(r.status()))
            .put("activation", r.activation())
            .put("resolution", r.resolution())
            .put("min_runs", r.minRuns())
            .put("window_hours", r.windowHours())
            .put("stale_hours", r.staleHours());
        putGlobs(node, r.branches());
      }
      case FailureCount r -> {
        node.put("status", TestStore.label(r.status()))
            .put("count", r.count())
            .put("window_hours", r.windowHours())
            .put("resolution_hours", r.resolutionHours());
        putGlobs(node, r.branches());
      }
      case Bayesian r ->
          node.put("activation", r.activation())
              .put("resolution", r.resolution())
              .put("half_life_days", r.halfLifeDays());
    }
    return node;
  }

  private static void putGlobs(ObjectNode node, List<Glob> branches) {
    var list = node.putArray("branches");
    branches.forEach(glob -> list.add(glob.pattern()));
  }

  /** Reads a stored rule. */
  static MonitorRule read(ObjectNode stored) {
    var in = new Fields(stored);
    MonitorRule rule = read(in, Optional.empty());
    in.check();
    return rule;
  }

  /**
   * Reads a rule. Values that are not given are as before, or as they are at first. Every fault is
   * told.
   */
  static MonitorRule read(Fields in, Optional<MonitorRule> before) {
    String kind =
        before.map(MonitorRule::kind).orElseGet(() -> in.text("kind", 50).toLowerCase(Locale.ROOT));
    Values values = Values.read(in);
    try {
      return switch (kind) {
        case "pass_on_retry" -> passOnRetry(values, before);
        case "failure_rate" -> failureRate(values, before);
        case "failure_count" -> failureCount(values, before);
        case "bayesian" -> bayesian(values, before);
        default -> {
          if (!kind.isEmpty()) {
            in.fault("kind", "must be one of " + String.join(", ", KINDS));
          }
          yield PLACEHOLDER;
        }
      };
    } catch (IllegalArgumentException e) {
      for (String sentence : String.valueOf(e.getMessage()).split("(?<=\\.) ", -1)) {
        in.fault(sentence.split(" ", 2)[0], sentence);
      }
      return PLACEHOLDER;
    }
  }

  /** The values of every kind: those of another one are dropped, but not unchecked. */
  private record Values(
      Optional<TestStatus> status,
      Optional<Double> activation,
      Optional<Double> resolution,
      Optional<Integer> minRuns,
      Optional<Integer> windowHours,
      Optional<Integer> staleHours,
      Optional<List<Glob>> branches,
      Optional<Integer> count,
      Optional<Integer> resolutionHours,
      Optional<Integer> recoveryDays,
      Optional<Integer> halfLifeDays) {
    static Values read(Fields in) {
      return new Values(
          MonitorRules.status(in),
          share(in, "activation"),
          share(in, "resolution"),
          in.optionalInteger("min_runs", 1, MonitorRule.MOST_RUNS),
          in.optionalInteger("window_hours", 1, MonitorRule.LONGEST_WINDOW_HOURS),
          in.optionalInteger("stale_hours", 1, MonitorRule.LONGEST_WINDOW_HOURS),
          MonitorRules.branches(in),
          in.optionalInteger("count", 1, MonitorRule.MOST_RUNS),
          in.optionalInteger("resolution_hours", 1, MonitorRule.LONGEST_WINDOW_HOURS),
          in.optionalInteger("recovery_days", 1, LONGEST_DAYS),
          in.optionalInteger("half_life_days", 1, LONGEST_DAYS));
    }
  }

  private static MonitorRule passOnRetry(Values in, Optional<MonitorRule> before) {
    var old = before.map(PassOnRetry.class::cast).orElse(PassOnRetry.DEFAULT);
    return new PassOnRetry(in.recoveryDays().orElse(old.recoveryDays()));
  }

  private static MonitorRule failureRate(Values in, Optional<MonitorRule> before) {
    var old =
        before
            .map(FailureRate.class::cast)
            .orElse(new FailureRate(TestStatus.FLAKY, 0.1, 0.02, FEWEST_RUNS, 72, 168, List.of()));
    double activation = in.activation().orElse(old.activation());
    int minRuns = before.isPresent() ? old.minRuns() : runsForTwoFailures(activation);
    return new FailureRate(
        in.status().orElse(old.status()),
        activation,
        in.resolution().orElse(Math.min(old.resolution(), activation)),
        in.minRuns().orElse(minRuns),
        in.windowHours().orElse(old.windowHours()),
        in.staleHours().orElse(old.staleHours()),
        in.branches().orElse(old.branches()));
  }

  /** So many runs that one failure among them does not reach a rate: it is no rate yet. */
  private static int runsForTwoFailures(double rate) {
    double most = rate > 0 ? Math.floor(1 / rate) + 1 : FEWEST_RUNS;
    return (int) Math.clamp(most, FEWEST_RUNS, MonitorRule.MOST_RUNS);
  }

  private static MonitorRule failureCount(Values in, Optional<MonitorRule> before) {
    var old =
        before
            .map(FailureCount.class::cast)
            .orElse(new FailureCount(TestStatus.BROKEN, 3, 24, 24, List.of()));
    int window = in.windowHours().orElse(old.windowHours());
    return new FailureCount(
        in.status().orElse(old.status()),
        in.count().orElse(old.count()),
        window,
        in.resolutionHours().orElse(Math.max(old.resolutionHours(), window)),
        in.branches().orElse(old.branches()));
  }

  private static MonitorRule bayesian(Values in, Optional<MonitorRule> before) {
    var old = before.map(Bayesian.class::cast).orElse(Bayesian.DEFAULT);
    double activation = in.activation().orElse(old.activation());
    return new Bayesian(
        activation,
        in.resolution().orElse(Math.min(old.resolution(), activation)),
        in.halfLifeDays().orElse(old.halfLifeDays()));
  }

  private static Optional<Double> share(Fields in, String field) {
    Optional<Double> value = in.optionalNumber(field);
    if (value.map(n -> n != 0 && (n < SMALLEST_SHARE || n > 1)).orElse(false)) {
      in.fault(field, "must be 0, or from 0.000000001 to 1");
      return Optional.empty();
    }
    return value;
  }

  private static Optional<TestStatus> status(Fields in) {
    return in.optionalChoice(
        "status", List.of(TestStatus.FLAKY, TestStatus.BROKEN), TestStore::label);
  }

  private static Optional<List<Glob>> branches(Fields in) {
    return in.optionalList(
        "branches",
        MonitorRule.MOST_GLOBS,
        text ->
            Optional.of(text)
                .filter(t -> TestSettings.isGlob(t, MonitorRule.LONGEST_GLOB))
                .map(Glob::new),
        "patterns of 1 to %d characters".formatted(MonitorRule.LONGEST_GLOB));
  }
}
