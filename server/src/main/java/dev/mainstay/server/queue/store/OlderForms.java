package dev.mainstay.server.queue.store;

import java.util.List;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The forms that stored JSON had in older versions: each step leads from one form to the next, so
 * that a database of any of them starts.
 */
final class OlderForms {
  /** The steps, of which the first leads from form 1 to form 2. */
  private static final List<Consumer<ObjectNode>> STEPS = List.of(OlderForms::from1);

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
