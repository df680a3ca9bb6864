package dev.mainstay.server.event;

import dev.mainstay.server.platform.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A message for an incoming webhook of Slack: one line that says what happened, why where that
 * matters, and where it was. That a test is healthy again is not said.
 */
final class SlackBody {
  private static final int MOST_TESTS = 5;
  private static final int LONGEST_TEXT = 2900;

  private SlackBody() {}

  static Optional<ObjectNode> of(Event event) {
    JsonNode data = event.data();
    return switch (event.kind()) {
      case "pull_request.failed", "pull_request.pending_failure" ->
          Optional.of(message(data, headline(":x:", event, data), why(data), tests(data)));
      case "pull_request.merged" ->
          Optional.of(message(data, headline(":white_check_mark:", event, data)));
      case String kind when kind.startsWith("pull_request.") ->
          Optional.of(message(data, headline(":arrow_right:", event, data), why(data)));
      case "queue.paused" ->
          Optional.of(message(data, ":double_vertical_bar: " + queue(data) + " is paused."));
      case "queue.resumed" ->
          Optional.of(message(data, ":arrow_forward: " + queue(data) + " goes on."));
      case "queue.stalled" ->
          Optional.of(message(data, ":hourglass: " + queue(data) + " does not move.", why(data)));
      case String kind when kind.startsWith("queue.") ->
          Optional.of(message(data, ":gear: %s: %s".formatted(queue(data), verb(kind))));
      case "test_case.status_changed" -> status(data);
      case "test_case.quarantine_ended" ->
          Optional.of(
              message(data, test(data) + " is no longer quarantined.", why(data), owners(data)));
      case String kind when kind.startsWith("test_case.") ->
          Optional.of(message(data, "%s: %s".formatted(test(data), verb(kind)), why(data)));
      case "upload.failed_tests" ->
          Optional.of(
              message(
                  data,
                  ":x: %s failed on %s"
                      .formatted(
                          count(data), mono(data.path("upload").path("branch").asString(""))),
                  tests(data)));
      case "webhook.switched_off" ->
          Optional.of(
              message(
                  data,
                  ":no_bell: The endpoint %s for events is switched off."
                      .formatted(mono(endpoint(data.path("webhook")))),
                  why(data)));
      case "webhook.test" ->
          Optional.of(message(data, ":wave: This is where Mainstay will say what happens."));
      default -> Optional.empty();
    };
  }

  private static String headline(String sign, Event event, JsonNode data) {
    JsonNode pr = data.path("pullRequest");
    String name = "#%d %s".formatted(pr.path("number").asInt(), pr.path("title").asString(""));
    String author = pr.path("author").asString("");
    return "%s %s %s%s"
        .formatted(
            sign,
            link(data.path("links").path("pullRequest"), name.strip()),
            verb(event.kind()),
            author.isEmpty() ? "" : " (by " + escaped(author) + ")");
  }

  private static Optional<ObjectNode> status(JsonNode data) {
    String status = data.path("status").asString("");
    return status.equals("healthy")
        ? Optional.empty()
        : Optional.of(
            message(
                data,
                "%s %s is %s now"
                    .formatted(
                        status.equals("broken") ? ":red_circle:" : ":large_yellow_circle:",
                        test(data),
                        escaped(status)),
                why(data),
                owners(data)));
  }

  private static String test(JsonNode data) {
    return link(
        data.path("links").path("test"), data.path("test_case").path("name").asString("a test"));
  }

  private static String owners(JsonNode data) {
    var owners = new ArrayList<String>();
    data.path("test_case").path("codeowners").forEach(o -> owners.add(escaped(o.asString(""))));
    return owners.isEmpty() ? "" : "Owner: " + String.join(", ", owners);
  }

  private static String queue(JsonNode data) {
    return link(
        data.path("links").path("queue"),
        "The queue of " + data.path("queue").path("targetBranch").asString(""));
  }

  private static String endpoint(JsonNode webhook) {
    String name = webhook.path("name").asString("");
    return name.isEmpty() ? webhook.path("id").asString("") : name;
  }

  private static String why(JsonNode data) {
    return escaped(data.path("reason").path("message").asString(""));
  }

  private static String count(JsonNode data) {
    int total = data.path("failed_tests_total").asInt(0);
    return total == 1 ? "1 test" : total + " tests";
  }

  private static String tests(JsonNode data) {
    boolean ofRun = data.has("failedTests");
    JsonNode tests = data.path(ofRun ? "failedTests" : "failed_tests");
    var lines = new ArrayList<String>();
    for (int i = 0; i < Math.min(MOST_TESTS, tests.size()); i++) {
      lines.add("• " + link(tests.get(i).path("url"), tests.get(i).path("name").asString("")));
    }
    int more =
        data.path(ofRun ? "failedTestsTotal" : "failed_tests_total").asInt(tests.size())
            - lines.size();
    if (more > 0) {
      lines.add("… and %d more".formatted(more));
    }
    return String.join("\n", lines);
  }

  private static String verb(String kind) {
    return kind.substring(kind.indexOf('.') + 1).replace('_', ' ').toLowerCase(Locale.ROOT);
  }

  /** The first part is the notification too; the last line says where. */
  private static ObjectNode message(JsonNode data, String first, String... others) {
    List<String> parts = new ArrayList<>(List.of(first));
    parts.addAll(List.of(others).stream().filter(o -> !o.isEmpty()).toList());
    ObjectNode body = Json.object().put("text", bounded(first));
    ArrayNode blocks = body.putArray("blocks");
    ObjectNode section = blocks.addObject().put("type", "section");
    section
        .putObject("text")
        .put("type", "mrkdwn")
        .put("text", bounded(parts.stream().collect(Collectors.joining("\n"))));
    JsonNode repository = data.path("repository");
    if (repository.isObject()) {
      ObjectNode context = blocks.addObject().put("type", "context");
      context
          .putArray("elements")
          .addObject()
          .put("type", "mrkdwn")
          .put("text", bounded(where(data, repository)));
    }
    return body;
  }

  private static String where(JsonNode data, JsonNode repository) {
    String name =
        repository.path("owner").asString("") + "/" + repository.path("name").asString("");
    String branch = data.path("queue").path("targetBranch").asString("");
    return link(data.path("links").path("repository"), name)
        + (branch.isEmpty() ? "" : " · " + mono(branch));
  }

  private static String link(JsonNode address, String words) {
    String text = escaped(words).replace("|", "¦");
    return address.isString() ? "<%s|%s>".formatted(address.asString(), text) : text;
  }

  private static String mono(String text) {
    return "`" + escaped(text).replace("`", "'") + "`";
  }

  /** The three characters that have a meaning in Slack's texts. */
  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  private static String bounded(String text) {
    return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT - 1) + "…";
  }
}
