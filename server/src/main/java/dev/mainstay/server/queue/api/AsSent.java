package dev.mainstay.server.queue.api;

import dev.mainstay.core.queue.NumberSetting;
import dev.mainstay.core.queue.QueueLifecycle;
import dev.mainstay.core.queue.QueueSettings;
import dev.mainstay.core.queue.QueueSettings.Mode;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.SentValue;
import dev.mainstay.server.platform.Json;
import dev.mainstay.server.queue.Queues;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * The settings in a request whose sender is answered what it sent. What the queue cannot use is
 * turned into the nearest that it can, and both are kept; the value that was sent is answered for
 * as long as the queue uses what became of it. {@code usable} is the request with such values
 * exchanged, and {@code originals} are those that were there.
 */
record AsSent(ObjectNode usable, Map<String, JsonNode> originals) {
  private static final String MODE = "mode";
  private static final String STATUSES = "requiredStatuses";

  /** The largest whole number that every reader of JSON can tell from its neighbours. */
  private static final BigDecimal MOST = BigDecimal.valueOf((1L << 53) - 1);

  /** Takes the request over: it is not copied, since it may be large. */
  static AsSent of(ObjectNode request) {
    var originals = new LinkedHashMap<String, JsonNode>();
    for (NumberSetting setting : NumberSetting.values()) {
      JsonNode value = request.path(setting.field());
      if (isBeyond(value, setting.most())) {
        originals.put(setting.field(), value);
        request.put(setting.field(), setting.most());
      }
    }
    JsonNode statuses = request.path(STATUSES);
    var distinct = new LinkedHashSet<JsonNode>();
    if (statuses.isArray() && statuses.size() <= SettingsFields.MAX_STATUSES) {
      statuses.forEach(distinct::add);
    }
    if (!distinct.isEmpty() && distinct.size() < statuses.size()) {
      originals.put(STATUSES, statuses);
      request.putArray(STATUSES).addAll(distinct);
    }
    return new AsSent(request, originals);
  }

  private static boolean isBeyond(JsonNode value, int most) {
    if (!value.isNumber() || !Double.isFinite(value.doubleValue())) {
      return false;
    }
    BigDecimal number = value.decimalValue();
    return number.compareTo(BigDecimal.valueOf(most)) > 0
        && number.compareTo(MOST) <= 0
        && number.stripTrailingZeros().scale() <= 0;
  }

  /** The settings of a new queue. */
  QueueSettings first(QueueSettings usual, UnaryOperator<QueueSettings> edit) {
    return keep(edit.apply(usual));
  }

  /**
   * A change of settings after which whatever was not sent is as it was answered before: {@code
   * bisectionConcurrency} follows nobody, and a mode that waited is taken up again.
   */
  Queues.Edit change(UnaryOperator<QueueSettings> edit, Optional<QueueLifecycle> asked) {
    return (wanted, state) -> {
      QueueSettings before =
          wanted
              .edit()
              .mode(waiting(wanted).orElse(wanted.mode()))
              .bisectionConcurrency(Optional.of(wanted.bisectionSlots()))
              .build();
      return hold(keep(edit.apply(before)), state, asked);
    };
  }

  private QueueSettings keep(QueueSettings changed) {
    var kept = new ArrayList<>(changed.sentValues());
    kept.removeIf(value -> value.setting().equals(MODE) || usable.hasNonNull(value.setting()));
    originals.forEach((field, original) -> kept.add(value(field, original, usable.path(field))));
    return changed.edit().sentValues(kept).build();
  }

  /** A queue that stands still stays so: another mode waits until it may run, or is empty. */
  private static QueueSettings hold(
      QueueSettings next, QueueState state, Optional<QueueLifecycle> asked) {
    Mode present = state.settings().mode();
    if (next.mode() == present || state.isDrained() || !stands(asked.orElse(state.lifecycle()))) {
      return next;
    }
    var kept = new ArrayList<>(next.sentValues());
    kept.add(value(MODE, word(next.mode()), word(present)));
    return next.edit().mode(present).sentValues(kept).build();
  }

  static boolean stands(QueueLifecycle lifecycle) {
    return lifecycle == QueueLifecycle.PAUSED || lifecycle == QueueLifecycle.DRAINING;
  }

  /** The mode that was asked for while the queue stood still. */
  private static Optional<Mode> waiting(QueueSettings settings) {
    String present = text(word(settings.mode()));
    return Arrays.stream(Mode.values())
        .filter(
            mode -> settings.sentValues().contains(new SentValue(MODE, text(word(mode)), present)))
        .findFirst();
  }

  /** A queue's answer, with what was sent in the place of what the queue uses instead. */
  static void restore(List<SentValue> values, ObjectNode answer) {
    for (SentValue value : values) {
      if (answer.path(value.setting()).equals(read(value.used()))) {
        answer.set(value.setting(), read(value.sent()));
      }
    }
  }

  private static JsonNode word(Mode mode) {
    return StringNode.valueOf(QueueWords.of(mode));
  }

  private static SentValue value(String setting, JsonNode sent, JsonNode used) {
    return new SentValue(setting, text(sent), text(used));
  }

  private static String text(JsonNode node) {
    return new String(Json.write(node), StandardCharsets.UTF_8);
  }

  private static JsonNode read(String json) {
    return Json.read(json.getBytes(StandardCharsets.UTF_8));
  }
}
