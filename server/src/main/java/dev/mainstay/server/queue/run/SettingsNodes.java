package dev.mainstay.server.queue.run;

import dev.mainstay.core.queue.QueueSettings;
import dev.mainstay.server.platform.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** Settings of a queue by the names that users know. */
final class SettingsNodes {
  private static final int MOST_STATUSES = 50;

  private SettingsNodes() {}

  static ObjectNode of(QueueSettings settings) {
    return Json.tree(values(settings));
  }

  /** Those that differ, each before and after. */
  static ObjectNode changed(QueueSettings was, QueueSettings is) {
    Map<String, Object> before = values(was);
    ObjectNode changed = Json.object();
    values(is)
        .forEach(
            (name, value) -> {
              if (!value.equals(before.get(name))) {
                changed.set(name, Json.tree(Map.of("before", before.get(name), "after", value)));
              }
            });
    return changed;
  }

  private static Map<String, Object> values(QueueSettings s) {
    var values = new LinkedHashMap<String, Object>();
    values.put("mode", s.mode().name().toLowerCase(Locale.ROOT));
    values.put("concurrency", s.concurrency());
    values.put("bisectionConcurrency", s.bisectionConcurrency().orElse(s.concurrency()));
    values.put("testingTimeoutMinutes", s.testingTimeoutMinutes());
    values.put("pendingFailureDepth", s.pendingFailureDepth());
    values.put("canOptimisticallyMerge", s.canOptimisticallyMerge());
    values.put("batch", s.batch());
    values.put("batchingMinSize", s.batchingMinSize());
    values.put("batchingMaxWaitTimeMinutes", s.batchingMaxWaitTimeMinutes());
    values.put("mergeMethod", s.mergeMethod().name());
    values.put("directMergeMode", s.directMergeMode().name());
    values.put("optimizationMode", s.optimizationMode().name());
    values.put("requiredStatuses", statuses(s.requiredStatuses()));
    values.put("commentsEnabled", s.commentsEnabled());
    values.put("commandsEnabled", s.commandsEnabled());
    values.put("statusCheckEnabled", s.statusCheckEnabled());
    values.put("createPrsForTestingBranches", s.createPrsForTestingBranches());
    values.put("rewriteHeadBranches", !s.keepHeadBranches());
    values.put("hermeticTests", s.hermeticTests());
    values.put("speculationBudget", s.speculationBudget());
    values.put("flakeRetries", s.flakeRetries());
    values.put("batchSizing", s.batchSizing().name());
    values.put("timeoutSizing", s.timeoutSizing().name());
    values.put("enqueueingLabel", s.enqueueingLabel().orElse(""));
    values.put("labelCommandsEnabled", s.labelCommandsEnabled());
    values.put("stateLabelsEnabled", s.stateLabelsEnabled());
    values.put("commandPrefixes", s.prefixes());
    return values;
  }

  /** Empty where the forge says which are required. */
  private static Optional<List<String>> statuses(Optional<List<String>> statuses) {
    return statuses.map(all -> List.copyOf(all.subList(0, Math.min(all.size(), MOST_STATUSES))));
  }
}
