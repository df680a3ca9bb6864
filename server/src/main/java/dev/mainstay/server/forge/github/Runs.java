package dev.mainstay.server.forge.github;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.server.forge.CredentialsRefused;
import dev.mainstay.server.forge.RefNames;
import dev.mainstay.server.forge.rest.Answer;
import dev.mainstay.server.platform.Json;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * The runs of CI on a commit: tried again, or stopped. Workflows of GitHub Actions are asked
 * themselves, other Apps by way of their checks. Who may not ask has CI go on as it does.
 */
record Runs(GitHubClient client) {
  private static final int MOST = 300;

  boolean again(CommitSha commit, String name) {
    if (!RefNames.isCommit(commit)) {
      return false;
    }
    String path =
        "/commits/%s/check-runs?filter=latest&check_name=%s&"
            .formatted(commit, GitHubClient.encoded(name));
    try {
      List<JsonNode> runs = client.all(path, "check_runs", MOST);
      return !runs.isEmpty() && runs.stream().allMatch(run -> again(commit, run));
    } catch (CredentialsRefused e) {
      return false;
    }
  }

  private boolean again(CommitSha commit, JsonNode run) {
    long suite = run.path("check_suite").path("id").asLong(0);
    Optional<Long> workflow =
        workflows(commit).stream()
            .filter(w -> suite > 0 && w.path("check_suite_id").asLong(-1) == suite)
            .map(w -> w.path("id").asLong(0))
            .findFirst();
    return workflow.isPresent()
        ? asked("/actions/runs/" + workflow.get() + "/rerun")
        : asked("/check-runs/" + run.path("id").asLong(0) + "/rerequest");
  }

  void stop(CommitSha commit) {
    if (!RefNames.isCommit(commit)) {
      return;
    }
    try {
      for (JsonNode run : workflows(commit)) {
        if (!run.path("status").asString("").equals("completed")) {
          asked("/actions/runs/" + run.path("id").asLong(0) + "/cancel");
        }
      }
    } catch (CredentialsRefused e) {
      // it goes on, and costs time of CI alone
    }
  }

  /** In progress, by a pull request, on this head, of another repository than ours. */
  boolean isForFork(long run, CommitSha head) {
    Answer answer = client.get("/actions/runs/" + run);
    JsonNode found = answer.json();
    String of = found.path("repository").path("full_name").asString("");
    String from = found.path("head_repository").path("full_name").asString("");
    return answer.ok()
        && found.path("id").asLong(0) == run
        && found.path("event").asString("").equals("pull_request")
        && found.path("status").asString("").equals("in_progress")
        && found.path("head_sha").asString("").equals(head.value())
        && !of.isEmpty()
        && !from.isEmpty()
        && !from.equalsIgnoreCase(of);
  }

  private List<JsonNode> workflows(CommitSha commit) {
    return client.all("/actions/runs?head_sha=" + commit + "&", "workflow_runs", MOST);
  }

  private boolean asked(String path) {
    return client.send("POST", path, Json.object()).ok();
  }
}
