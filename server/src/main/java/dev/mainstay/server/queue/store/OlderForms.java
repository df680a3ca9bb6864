package dev.mainstay.server.queue.store;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The forms that stored JSON had in older versions: each step leads from one form to the next, so
 * that a database of any of them starts.
 */
final class OlderForms {
  /** The steps, of which the first leads from form 1 to form 2. */
  private static final List<Consumer<ObjectNode>> STEPS =
      List.of(OlderForms::from1, OlderForms::from2, OlderForms::from3);

  static final int PRESENT = STEPS.size() + 1;

  private OlderForms() {}

  static ObjectNode upgraded(ObjectNode stored) {
    int form = stored.path("v").asInt();
    if (form < 1 || form > PRESENT) {
      throw new IllegalStateException("stored by a newer Mainstay: form " + form);
    }
    STEPS.subList(form - 1, STEPS.size()).forEach(step -> everywhere(stored, step));
    return stored;
  }

  private static void everywhere(JsonNode node, Consumer<ObjectNode> step) {
    node.forEach(part -> everywhere(part, step));
    if (node instanceof ObjectNode object) {
      step.accept(object);
    }
  }

  /**
   * Form 2: the outcome of a run holds why it failed; where an entry goes is told beside the
   * reason, which decided it before.
   */
  private static void from1(ObjectNode object) {
    if (object.path("outcome").isString()) {
      outcome(object);
    }
    if (object.path("leaving").has("code")) {
      ObjectNode why = (ObjectNode) object.get("leaving");
      object.putObject("leaving").put("to", departure(why.path("code").asString())).set("why", why);
    }
  }

  /**
   * Form 3: a run names the changes that its test branch holds below what is tested: all that its
   * group stands on, or the context of its half. Queues keep results that are disjoint.
   */
  private static void from2(ObjectNode object) {
    if (object.has("mode") && object.has("concurrency")) {
      object.put("hermeticTests", true);
    }
    for (String groups : List.of("groups", "line", "side")) {
      if (object.path(groups) instanceof ArrayNode line) {
        line.forEach(group -> nameWhatIsHeld(group, line));
      }
    }
  }

  /**
   * Form 4: groups that fail only in flaky tests are tested again, once unless set otherwise. A run
   * counts what it held when it began. Numbers are those that were set.
   */
  private static void from3(ObjectNode object) {
    if (object.has("mode") && object.has("concurrency")) {
      object.put("flakeRetries", 1).put("batchSizing", "FIXED").put("timeoutSizing", "FIXED");
    }
    if (object.path("lands") instanceof ArrayNode lands && object.has("requestedAt")) {
      object.put("heldAtStart", lands.size());
    }
  }

  private static void nameWhatIsHeld(JsonNode group, ArrayNode line) {
    if (!(group.path("run") instanceof ObjectNode run)) {
      return;
    }
    ArrayNode lands = run.putArray("lands");
    if (group.has("half")) {
      group.path("half").path("context").forEach(lands::add);
      return;
    }
    var wanted = new HashSet<Long>();
    group.path("standsOn").forEach(id -> wanted.add(id.asLong()));
    var below = new ArrayDeque<JsonNode>();
    for (int i = line.size() - 1; i >= 0; i--) {
      JsonNode other = line.get(i);
      if (wanted.contains(other.path("id").asLong())) {
        other.path("standsOn").forEach(id -> wanted.add(id.asLong()));
        below.addFirst(other);
      }
    }
    below.forEach(other -> other.path("members").forEach(lands::add));
  }

  private static void outcome(ObjectNode run) {
    String was = run.get("outcome").asString();
    JsonNode failure = run.remove("failure");
    JsonNode blamesOther = run.remove("blamesOther");
    ObjectNode outcome = run.putObject("outcome");
    switch (was) {
      case "IN_PROGRESS" -> outcome.put("is", "InProgress");
      case "SUCCEEDED" -> outcome.put("is", "Succeeded");
      case "FAILED" -> {
        outcome.put("is", "Failed");
        outcome.set("why", failure == null ? unknown(outcome) : failure);
        if (blamesOther != null) {
          outcome.set("blamesOther", blamesOther);
        }
      }
      default -> throw new IllegalStateException("no outcome: " + was);
    }
  }

  /** A run that was to be cancelled was stored without the reason of its failure. */
  private static ObjectNode unknown(ObjectNode outcome) {
    return outcome.objectNode().put("code", "TEST_FAILED").put("sentence", "Its tests failed.");
  }

  private static String departure(String code) {
    return switch (code) {
      case "CANCELLED_BY_USER", "CLOSED" -> "CANCELLED";
      case "MERGED_MANUALLY" -> "MERGED";
      case "MERGE_REFUSED" -> "FAILED";
      default -> "NOT_READY";
    };
  }
}
