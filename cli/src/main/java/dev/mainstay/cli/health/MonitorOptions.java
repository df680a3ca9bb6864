package dev.mainstay.cli.health;

import dev.mainstay.cli.shell.WrongCall;
import dev.mainstay.server.platform.Json;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The values of a monitor's rule. Each belongs to one kind or two; the server knows the ranges. */
final class MonitorOptions {
  private static final Map<String, Set<String>> BELONG =
      Map.of(
          "pass_on_retry", Set.of("recovery_days"),
          "failure_rate",
              Set.of(
                  "status",
                  "branches",
                  "activation",
                  "resolution",
                  "min_runs",
                  "window_hours",
                  "stale_hours"),
          "failure_count",
              Set.of("status", "branches", "count", "window_hours", "resolution_hours"),
          "bayesian", Set.of("activation", "resolution", "half_life_days"));

  @Option(names = "--status", paramLabel = "flaky|broken", description = "What it gives.")
  private @Nullable String status;

  @Option(
      names = "--branches",
      split = ",",
      paramLabel = "GLOB",
      description = "Branches that count: * any characters, ? one (the stable ones).")
  private @Nullable List<String> branches;

  @Option(names = "--recovery-days", paramLabel = "N", description = "pass_on_retry: 1 to 15 (7).")
  private @Nullable Integer recoveryDays;

  @Option(
      names = "--activation",
      paramLabel = "SHARE",
      description = "failure_rate: the rate (0.1); bayesian: the probability (0.95).")
  private @Nullable Double activation;

  @Option(
      names = "--resolution",
      paramLabel = "SHARE",
      description = "Below which it resolves: failure_rate (0.02), bayesian (0.5).")
  private @Nullable Double resolution;

  @Option(
      names = "--min-runs",
      paramLabel = "N",
      description = "failure_rate: runs needed (10, or more: one failure is not enough).")
  private @Nullable Integer minRuns;

  @Option(
      names = "--window-hours",
      paramLabel = "N",
      description = "failure_rate (72), failure_count (24): 1 to 720.")
  private @Nullable Integer windowHours;

  @Option(
      names = "--stale-hours",
      paramLabel = "N",
      description = "failure_rate: it resolves when nothing ran for so long (168).")
  private @Nullable Integer staleHours;

  @Option(names = "--count", paramLabel = "N", description = "failure_count: failures (3).")
  private @Nullable Integer count;

  @Option(
      names = "--resolution-hours",
      paramLabel = "N",
      description = "failure_count: it resolves when nothing failed for so long (24).")
  private @Nullable Integer resolutionHours;

  @Option(
      names = "--half-life-days",
      paramLabel = "N",
      description = "bayesian: how fast old runs lose weight, 1 to 15 (7).")
  private @Nullable Integer halfLifeDays;

  boolean isEmpty() {
    return values().isEmpty();
  }

  /** Adds what was given; refuses what a monitor of this kind would not look at. */
  void addTo(ObjectNode request, String kind) {
    var values = values();
    Set<String> known =
        BELONG.getOrDefault(kind.toLowerCase(Locale.ROOT), Set.copyOf(values.propertyNames()));
    List<String> foreign =
        values.propertyNames().stream().filter(name -> !known.contains(name)).toList();
    if (!foreign.isEmpty()) {
      throw new WrongCall(
          "A %s monitor has no %s: it has %s."
              .formatted(kind, options(foreign), options(known.stream().sorted().toList())));
    }
    request.setAll(values);
  }

  private static String options(List<String> fields) {
    return fields.stream()
        .map(field -> "--" + field.replace('_', '-'))
        .collect(Collectors.joining(", "));
  }

  private ObjectNode values() {
    var values = Json.object();
    values.put("status", status);
    values.put("recovery_days", recoveryDays);
    values.put("activation", activation);
    values.put("resolution", resolution);
    values.put("min_runs", minRuns);
    values.put("window_hours", windowHours);
    values.put("stale_hours", staleHours);
    values.put("count", count);
    values.put("resolution_hours", resolutionHours);
    values.put("half_life_days", halfLifeDays);
    if (branches != null) {
      branches.forEach(values.putArray("branches")::add);
    }
    values.removeIf(JsonNode::isNull);
    return values;
  }
}
