package dev.mainstay.server.queue.api;

import dev.mainstay.server.platform.http.Fields;
import dev.mainstay.server.queue.whatif.Question;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads the settings that are to be tried on the past. */
final class VariantFields {
  static final int MOST = 8;
  static final int MAX_LABEL_LENGTH = 80;

  /** The settings that sway what is simulated; the others are about the host and its people. */
  static final List<String> NAMES =
      List.of(
          "mode",
          "concurrency",
          "bisectionConcurrency",
          "testingTimeoutMinutes",
          "pendingFailureDepth",
          "canOptimisticallyMerge",
          "batch",
          "batchingMinSize",
          "batchingMaxWaitTimeMinutes",
          "optimizationMode",
          "hermeticTests",
          "speculationBudget",
          "flakeRetries",
          "batchSizing",
          "timeoutSizing");

  private VariantFields() {}

  /** {@code sent} is the request that {@code in} reads. */
  static List<Question.Variant> read(ObjectNode sent, Fields in) {
    JsonNode raw = sent.path("variants");
    List<Fields> each = in.objects("variants", MOST);
    if (raw.isArray() && raw.size() <= MOST && each.size() < raw.size()) {
      in.fault("variants", "must hold only objects");
      return List.of();
    }
    var variants = new ArrayList<Question.Variant>();
    var labels = new HashSet<String>();
    for (int i = 0; i < each.size(); i++) {
      Fields variant = each.get(i);
      Question.Variant read = variant(variant, raw.get(i).path("settings"));
      if (!read.label().isEmpty() && !labels.add(read.label())) {
        variant.fault("label", "is that of another variant, too");
      }
      variants.add(read);
    }
    return variants;
  }

  private static Question.Variant variant(Fields in, JsonNode raw) {
    Fields settings = in.object("settings");
    Set<String> unheard = settings.names();
    unheard.removeAll(NAMES);
    if (raw.isObject() && raw.isEmpty()) {
      in.fault("settings", "must name a setting");
    }
    if (!unheard.isEmpty()) {
      in.fault(
          "settings",
          "must hold only settings that sway what is simulated: " + String.join(", ", NAMES));
    }
    String label =
        in.optionalText("label", MAX_LABEL_LENGTH)
            .orElseGet(() -> unheard.isEmpty() ? label(raw) : "");
    return new Question.Variant(label, SettingsFields.read(settings));
  }

  private static String label(JsonNode settings) {
    return settings
        .propertyStream()
        .map(s -> s.getKey() + "=" + s.getValue().asString(""))
        .collect(Collectors.joining(", "));
  }
}
