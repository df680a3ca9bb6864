package dev.mainstay.server.event;

import dev.mainstay.server.platform.Json;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
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
        .put("host", repository.path("host").asString(""))
        .put("owner", repository.path("owner").asString(""))
        .put("name", repository.path("name").asString(""));
  }

  private static ObjectNode status(ObjectNode body, JsonNode data) {
    ObjectNode change = body.putObject("status_change");
    change
        .putObject("current_status")
        .put("value", data.path("status").asString(""))
        .put("reason", data.path("reason").path("message").asString(""))
        .put("timestamp", body.path("timestamp").asString(""));
    change.put("previous_status", data.path("previous_status").asString(""));
    return body.set("test_case", data.path("test_case"));
  }

  /** It is spelled otherwise there. */
  private static ObjectNode setting(ObjectNode body, JsonNode data, Event event) {
    body.put("type", "test_case.quarantining_setting_changed");
    ObjectNode change = body.putObject("quarantine_setting_changed");
    change.putObject("actor").put("full_name", data.path("by").asString(""));
    change
        .put("previous_quarantining_setting", word(data.path("previous_setting")))
        .put("updated_quarantining_setting", word(data.path("setting")))
        .put("reason", data.path("reason").path("message").asString(""))
        .put("timestamp", event.at().toString());
    return body.set("test_case", data.path("test_case"));
  }

  private static String word(JsonNode setting) {
    return setting.asString("").equals("NONE") ? "UNSPECIFIED" : setting.asString("");
  }

  private static ObjectNode monitor(ObjectNode body, JsonNode data) {
    body.set("monitor", data.path("monitor"));
    return body.set("test_case", data.path("test_case"));
  }
}
