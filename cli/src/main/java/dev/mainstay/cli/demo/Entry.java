package dev.mainstay.cli.demo;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** One submission as the service shows it. */
record Entry(
    int number, String title, String state, List<Integer> waitsFor, String code, String message) {
  private static final Set<String> ENDS = Set.of("MERGED", "FAILED", "CANCELLED");

  static Entry of(JsonNode pr) {
    return new Entry(
        pr.path("prNumber").asInt(),
        pr.path("prTitle").asString(),
        pr.path("state").asString(),
        pr.path("waitsFor").valueStream().map(JsonNode::asInt).toList(),
        pr.path("reason").path("code").asString(),
        pr.path("reason").path("message").asString());
  }

  boolean isOver() {
    return ENDS.contains(state);
  }

  /** A settled entry: the queue can do nothing more for it; a conflict waits for its author. */
  boolean isSettled() {
    return isOver() || state.equals("NOT_READY");
  }

  boolean isTesting() {
    return state.equals("TESTING");
  }

  /** The changes an entry is tested on top of, or why it is where it is. */
  String story() {
    return switch (state) {
      case "TESTING", "TESTS_PASSED" ->
          "on " + (waitsFor.isEmpty() ? "main" : "main + " + numbers());
      case "PENDING_FAILURE" ->
          message + (waitsFor.isEmpty() ? "" : " (waits for " + numbers() + ")");
      case "PENDING" -> waitsFor.isEmpty() ? "" : "behind " + numbers();
      default -> message;
    };
  }

  private String numbers() {
    return waitsFor.stream().map(n -> "#" + n).collect(Collectors.joining(" "));
  }
}
