package dev.mainstay.server.forge.github;

import dev.mainstay.server.platform.Json;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/**
 * An App as it is proposed to GitHub: its name, the address of this Mainstay, and where GitHub
 * leads the browser of whoever made it.
 */
public record AppManifest(String name, String url, String redirect) {
  private static final List<String> WRITTEN =
      List.of("actions", "checks", "contents", "issues", "pull_requests", "workflows");
  private static final List<String> READ = List.of("metadata", "statuses");

  /**
   * What installations tell comes to every App unasked, and GitHub refuses a manifest that asks for
   * it.
   */
  private static final List<String> EVENTS =
      List.of(
          "check_run",
          "check_suite",
          "delete",
          "issue_comment",
          "pull_request",
          "pull_request_review",
          "pull_request_review_thread",
          "push",
          "repository",
          "status",
          "workflow_run");

  public ObjectNode json() {
    var json = Json.object().put("name", name).put("url", url);
    json.putObject("hook_attributes").put("url", url + "/hooks/github").put("active", true);
    json.put("redirect_url", redirect).put("public", false);
    var permissions = json.putObject("default_permissions");
    WRITTEN.forEach(permission -> permissions.put(permission, "write"));
    READ.forEach(permission -> permissions.put(permission, "read"));
    EVENTS.forEach(json.withArray("default_events")::add);
    return json;
  }
}
