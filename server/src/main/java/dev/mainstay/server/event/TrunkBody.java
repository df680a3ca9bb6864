package dev.mainstay.server.event;

import dev.mainstay.server.platform.Json;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The flat bodies that consumers of Trunk know. What Trunk does not tell is not sent. */
final class TrunkBody {
  private TrunkBody() {}

  static Optional<ObjectNode> of(Event event) {
    JsonNode data = event.data();
    ObjectNode body =
        Json.object().put("type", event.kind()).put("timestamp", event.at().toString());
    return switch (event.kind()) {
      case String kind when kind.startsWith("pull_request.") ->
          Optional.of(pullRequest(body, kind, data));
      case "test_case.status_changed" -> Optional.of(status(body, data));
      case "v2.test_case.status_changed" -> Optional.of(newerStatus(body, data));
      case "test_case.quarantine_setting_changed" -> Optional.of(setting(body, data, event));
      case "test_case.monitor_status_changed" -> Optional.of(monitor(body, data));
      case "webhook.test" -> Optional.of(body.set("data", data));
      default -> Optional.empty();
    };
  }

  private static ObjectNode pullRequest(ObjectNode body, String kind, JsonNode data) {
    JsonNode pr = data.path("pullRequest");
    body.put("action", kind.substring(kind.indexOf('.') + 1))
        .put("pr_number", pr.path("number").asInt())
        .put("pr_title", pr.path("title").asString(""))
        .put("pr_author", pr.path("author").asString(""))
        .put("status", pr.path("state").asString("").toLowerCase(Locale.ROOT))
        .put("target_branch", data.path("queue").path("targetBranch").asString(""));
    body.set("repository", names(data));
    JsonNode run = data.path("testRun");
    if (run.isObject()) {
      body.put("test_branch", run.path("testBranch").asString(""))
          .put("test_branch_sha", run.path("testBranchSha").asString(""));
    }
    if (kind.endsWith("failed") || kind.endsWith("pending_failure")) {
      body.put("failure_reason", data.path("reason").path("message").asString(""));
    }
    return body;
  }

  private static ObjectNode names(JsonNode data) {
    JsonNode repository = data.path("repository");
    return Json.object()
        .put("host", text(repository, "host"))
        .put("owner", text(repository, "owner"))
        .put("name", text(repository, "name"));
  }

  private static String text(JsonNode node, String field) {
    return node.path(field).asString("");
  }

  private static ObjectNode status(ObjectNode body, JsonNode data) {
    ObjectNode change = body.putObject("status_change");
    change.set("current_status", currentStatus(body, data));
    change.put("previous_status", text(data, "previous_status"));
    return body.set("test_case", testCase(body, data));
  }

  private static ObjectNode currentStatus(ObjectNode body, JsonNode data) {
    return Json.object()
        .put("value", text(data, "status"))
        .put("reason", text(data.path("reason"), "message"))
        .put("timestamp", text(body, "timestamp"));
  }

  /** The same in a newer form, whose statuses are in capitals. */
  private static ObjectNode newerStatus(ObjectNode body, JsonNode data) {
    body.put("previous_status", text(data, "previous_status").toUpperCase(Locale.ROOT))
        .put("new_status", text(data, "status").toUpperCase(Locale.ROOT));
    JsonNode monitor = data.path("monitor");
    body.putObject("triggered_by")
        .put("monitor_id", text(monitor, "id"))
        .put("monitor_type", text(monitor, "type"))
        .put("monitor_status", text(monitor, "status"));
    body.set("repository", repository(data));
    return body.set("test_case", testCase(body, data));
  }

  /** It is spelled otherwise there. */
  private static ObjectNode setting(ObjectNode body, JsonNode data, Event event) {
    body.put("type", "test_case.quarantining_setting_changed");
    ObjectNode change = body.putObject("quarantine_setting_changed");
    change.putObject("actor").put("full_name", text(data, "by"));
    change
        .put("previous_quarantining_setting", word(data.path("previous_setting")))
        .put("updated_quarantining_setting", word(data.path("setting")))
        .put("reason", text(data.path("reason"), "message"))
        .put("timestamp", event.at().toString());
    return body.set("test_case", testCase(body, data));
  }

  private static String word(JsonNode setting) {
    return setting.asString("").equals("NONE") ? "UNSPECIFIED" : setting.asString("");
  }

  private static ObjectNode monitor(ObjectNode body, JsonNode data) {
    body.set("monitor", data.path("monitor"));
    if (data.has("evidence")) {
      body.set("evidence", data.path("evidence"));
    }
    body.set("repository", repository(data));
    return body.set("test_case", testCase(body, data));
  }

  private static ObjectNode repository(JsonNode data) {
    JsonNode names = data.path("repository");
    return Json.object()
        .put(
            "html_url",
            "https://%s/%s/%s"
                .formatted(text(names, "host"), text(names, "owner"), text(names, "name")));
  }

  /** All that consumers read of a test is there, also where it is not known. */
  private static ObjectNode testCase(ObjectNode body, JsonNode data) {
    JsonNode test = data.path("test_case");
    boolean quarantined = test.path("quarantined").asBoolean(false);
    ObjectNode told =
        Json.object()
            .put("id", text(test, "id"))
            .put("name", text(test, "name"))
            .put("variant", text(test, "variant"))
            .put("classname", text(test, "classname"))
            .put("file_path", text(test, "file_path"))
            .put("test_suite", text(test, "parent"))
            .put("html_url", text(data.path("links"), "test"))
            .put("quarantined", quarantined)
            .put("quarantine", quarantined)
            .put("failure_rate_last_7d", test.path("failure_rate_last_7d").asDouble(0))
            .put(
                "pull_requests_impacted_last_7d",
                test.path("pull_requests_impacted_last_7d").asInt(0));
    ArrayNode owners = told.putArray("codeowners");
    test.path("codeowners").forEach(owners::add);
    told.putArray("most_common_failures");
    told.set("repository", repository(data));
    if (data.has("status")) {
      told.set("status", currentStatus(body, data));
    }
    if (test.has("ticket_url")) {
      told.putObject("ticket").put("html_url", text(test, "ticket_url"));
    }
    return told;
  }
}
