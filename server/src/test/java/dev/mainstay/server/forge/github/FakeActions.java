package dev.mainstay.server.forge.github;

import dev.mainstay.server.forge.github.FakeRoute.Call;
import dev.mainstay.server.forge.github.FakeRoute.Reply;
import dev.mainstay.server.platform.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** The runs of workflows. */
final class FakeActions {
  private final List<ObjectNode> runs = new ArrayList<>();

  /** A workflow begins, whose jobs report as the checks of Actions on this commit. */
  ObjectNode start(String sha, String workflow) {
    ObjectNode run = Json.object().put("id", 800 + runs.size()).put("name", workflow);
    run.put("check_suite_id", 600 + FakeChecks.ACTIONS)
        .put("head_sha", sha)
        .put("status", "in_progress")
        .putNull("conclusion");
    run.put("node_id", "WFR_1").put("head_branch", "main").put("event", "push");
    run.put("display_title", workflow).put("path", ".github/workflows/ci.yml");
    run.put("run_number", 1).put("workflow_id", 1).putNull("head_commit");
    run.put("created_at", FakeShapes.THEN).put("updated_at", FakeShapes.THEN);
    run.set("repository", FakeShapes.minimalRepository("acme", "app", false));
    run.set("head_repository", FakeShapes.minimalRepository("acme", "app", false));
    String own = FakeShapes.repoApi("actions/runs/" + run.get("id").asInt());
    for (String name :
        List.of("jobs", "logs", "check_suite", "cancel", "rerun", "artifacts", "workflow")) {
      run.put(name + "_url", own + "/" + name);
    }
    run.put("url", own).put("html_url", own).putArray("pull_requests");
    runs.add(run);
    return run;
  }

  Reply get(Call call) {
    return run(call).map(Reply::ok).orElseGet(Reply::notFound);
  }

  Reply list(Call call) {
    String sha = call.query().getOrDefault("head_sha", "");
    List<ObjectNode> found =
        runs.stream().filter(r -> r.get("head_sha").asString().equals(sha)).toList();
    return Reply.ok(new FakePages.Named("workflow_runs", found));
  }

  private Optional<ObjectNode> run(Call call) {
    return runs.stream().filter(r -> r.get("id").asInt() == call.number()).findFirst();
  }

  Reply cancel(Call call) {
    Optional<ObjectNode> run = run(call);
    if (run.isEmpty()) {
      return Reply.notFound();
    }
    if (run.get().get("status").asString().equals("completed")) {
      return Reply.not(409, "Cannot cancel a workflow run that is completed.");
    }
    run.get().put("status", "completed").put("conclusion", "cancelled");
    return new Reply(202, Json.object());
  }

  Reply rerun(Call call) {
    Optional<ObjectNode> run = run(call);
    run.ifPresent(r -> r.put("status", "queued").putNull("conclusion"));
    return run.isPresent() ? new Reply(201, Json.object()) : Reply.notFound();
  }
}
