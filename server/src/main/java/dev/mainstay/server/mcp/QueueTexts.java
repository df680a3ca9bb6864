package dev.mainstay.server.mcp;

import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** What the API says of queues, in a few lines. */
final class QueueTexts {
  private QueueTexts() {}

  static String repositories(JsonNode page) {
    return list(
        page.path("repositories"),
        "The organization has no repositories.",
        r -> repo(r) + (r.path("connected").asBoolean() ? ", connected" : ", not connected"),
        page);
  }

  static String queues(JsonNode page) {
    return list(
        page.path("queues"),
        "There are no queues.",
        q ->
            "%s, branch %s: %s, %d in it"
                .formatted(
                    repo(q),
                    q.path("branch").asString(),
                    q.path("state").asString(),
                    q.path("enqueuedCount").asInt()),
        page);
  }

  static String queue(JsonNode queue) {
    JsonNode inIt = queue.path("enqueuedPullRequests");
    return "The queue of %s is %s (%s, concurrency %d). %s"
        .formatted(
            queue.path("branch").asString(),
            queue.path("state").asString(),
            queue.path("mode").asString(),
            queue.path("concurrency").asInt(),
            inIt.isEmpty()
                ? "Nothing is in it."
                : "In it are %d:\n%s"
                    .formatted(
                        inIt.size(),
                        inIt.valueStream()
                            .map(QueueTexts::pullRequest)
                            .collect(Collectors.joining("\n"))));
  }

  static String pullRequest(JsonNode pr) {
    var text = new StringBuilder("#").append(pr.path("prNumber").asInt());
    said(pr, "prTitle").ifPresent(title -> text.append(" \"").append(title).append('"'));
    said(pr, "prAuthor").ifPresent(author -> text.append(" by ").append(author));
    text.append(
        " is %s since %s: %s (%s)"
            .formatted(
                pr.path("state").asString(),
                pr.path("stateChangedAt").asString(),
                Texts.line(pr.path("reason").path("message").asString("")),
                pr.path("reason").path("code").asString("")));
    said(pr, "position").ifPresent(place -> text.append(" Place ").append(place).append('.'));
    JsonNode ahead = pr.path("waitsFor");
    if (!ahead.isEmpty()) {
      text.append(" It stands on ").append(all(ahead, "#")).append('.');
    }
    JsonNode missing = pr.path("readiness").path("waitingFor");
    if (!missing.isEmpty()) {
      text.append(" It waits for: ").append(all(missing, ""));
    }
    said(pr.path("landed"), "sha").ifPresent(sha -> text.append(" Landed as ").append(sha));
    return text.toString();
  }

  private static String all(JsonNode list, String before) {
    return list.valueStream()
        .limit(20)
        .map(item -> before + Texts.line(item.asString()))
        .collect(Collectors.joining(", "));
  }

  private static String repo(JsonNode of) {
    JsonNode repo = of.path("repo");
    return "%s/%s/%s"
        .formatted(
            repo.path("host").asString(),
            repo.path("owner").asString(),
            repo.path("name").asString());
  }

  /** A field on one line; empty where there is nothing in it. */
  static Optional<String> said(JsonNode node, String field) {
    return Optional.of(Texts.line(node.path(field).asString(""))).filter(t -> !t.isEmpty());
  }

  /** A line for each, and how to get at more. */
  static String list(JsonNode items, String none, Function<JsonNode, String> line, JsonNode page) {
    String lines = items.valueStream().map(line).collect(Collectors.joining("\n"));
    return (items.isEmpty() ? none : lines)
        + (page.has("nextCursor") ? "\nThere are more: call again with cursor." : "");
  }
}
