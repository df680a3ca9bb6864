package dev.mainstay.server.forge.gitlab;

import dev.mainstay.server.forge.Finding;
import dev.mainstay.server.forge.hosted.HostJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** Whether the project has a hook that calls us, and whether GitLab still calls it. */
record GitLabHookFindings(GitLabProject project) {
  private static final String PATH = "/hooks/gitlab";
  private static final String MAKE =
      "Add one under Settings, Webhooks, to https://YOUR-MAINSTAY/hooks/gitlab with the hook secret, for pushes, comments, merge requests and pipelines.";

  List<Finding> all() {
    Optional<JsonNode> hooks = project.findVisible("/hooks?per_page=100");
    if (hooks.isEmpty()) {
      return List.of(
          Finding.advice(
              "Whether the project has a hook is not to be seen: only maintainers see hooks.",
              MAKE));
    }
    List<JsonNode> ours =
        hooks
            .get()
            .valueStream()
            .filter(hook -> hook.path("url").asString("").replaceFirst("[?#].*", "").endsWith(PATH))
            .toList();
    if (ours.isEmpty()) {
      return List.of(
          Finding.advice(
              "The project has no hook that calls this service: what happens is noticed up to 20 seconds later. A hook of its group is not seen here.",
              MAKE));
    }
    return ours.stream().map(GitLabHookFindings::of).toList();
  }

  private static Finding of(JsonNode hook) {
    String url = HostJson.text(hook.path("url"), 300);
    String alert = hook.path("alert_status").asString("executable");
    if (!alert.equals("executable")) {
      return Finding.missing(
          "GitLab has switched off the hook to %s (%s), since calls of it failed."
              .formatted(url, HostJson.cut(alert, 50)),
          "See that GitLab reaches that address, then press Test, Push events, under Settings, Webhooks: a good answer revives it.");
    }
    List<String> silent = new ArrayList<>();
    Stream.of("push_events", "note_events", "merge_requests_events", "pipeline_events")
        .filter(event -> !hook.path(event).asBoolean(false))
        .forEach(silent::add);
    return silent.isEmpty()
        ? Finding.good("The project has a hook to %s.".formatted(url))
        : Finding.advice(
            "The hook to %s does not tell of %s.".formatted(url, String.join(", ", silent)),
            "Tick them under Settings, Webhooks.");
  }
}
