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
  private static final int MOST = Integer.MAX_VALUE;
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
    try {
      return switch (kind) {
        case "pass_on_retry" -> passOnRetry(in, before);
        case "failure_rate" -> failureRate(in, before);
        case "failure_count" -> failureCount(in, before);
        case "bayesian" -> bayesian(in, before);
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

  private static MonitorRule passOnRetry(Fields in, Optional<MonitorRule> before) {
    var old = before.map(PassOnRetry.class::cast).orElse(PassOnRetry.DEFAULT);
    return new PassOnRetry(integer(in, "recovery_days", old.recoveryDays()));
  }

  private static MonitorRule failureRate(Fields in, Optional<MonitorRule> before) {
    var old =
        before
            .map(FailureRate.class::cast)
            .orElse(new FailureRate(TestStatus.FLAKY, 0.1, 0.02, 10, 72, 168, List.of()));
    double activation = in.optionalNumber("activation").orElse(old.activation());
    return new FailureRate(
        status(in, old.status()),
        activation,
        in.optionalNumber("resolution").orElse(Math.min(old.resolution(), activation)),
        integer(in, "min_runs", old.minRuns()),
        integer(in, "window_hours", old.windowHours()),
        integer(in, "stale_hours", old.staleHours()),
        branches(in, old.branches()));
  }

  private static MonitorRule failureCount(Fields in, Optional<MonitorRule> before) {
    var old =
        before
            .map(FailureCount.class::cast)
            .orElse(new FailureCount(TestStatus.BROKEN, 3, 24, 24, List.of()));
    int window = integer(in, "window_hours", old.windowHours());
    return new FailureCount(
        status(in, old.status()),
        integer(in, "count", old.count()),
        window,
        integer(in, "resolution_hours", Math.max(old.resolutionHours(), window)),
        branches(in, old.branches()));
  }

  private static MonitorRule bayesian(Fields in, Optional<MonitorRule> before) {
    var old = before.map(Bayesian.class::cast).orElse(Bayesian.DEFAULT);
    double activation = in.optionalNumber("activation").orElse(old.activation());
    return new Bayesian(
        activation,
        in.optionalNumber("resolution").orElse(Math.min(old.resolution(), activation)),
        integer(in, "half_life_days", old.halfLifeDays()));
  }

  private static int integer(Fields in, String field, int before) {
    return in.optionalInteger(field, -MOST, MOST).orElse(before);
  }

  private static TestStatus status(Fields in, TestStatus before) {
    return in.optionalText("status", 50)
        .map(text -> text.equalsIgnoreCase("broken") ? TestStatus.BROKEN : flakyOnly(in, text))
        .orElse(before);
  }

  private static TestStatus flakyOnly(Fields in, String text) {
    if (!text.equalsIgnoreCase("flaky")) {
      in.fault("status", "must be flaky or broken");
    }
    return TestStatus.FLAKY;
  }

  private static List<Glob> branches(Fields in, List<Glob> before) {
    return in.optionalList(
            "branches",
            MonitorRule.MOST_GLOBS,
            text ->
                Optional.of(text)
                    .filter(t -> TestSettings.isGlob(t, MonitorRule.LONGEST_GLOB))
                    .map(Glob::new),
            "patterns of 1 to %d characters".formatted(MonitorRule.LONGEST_GLOB))
        .orElse(before);
  }
}
