package dev.mainstay.server.forge.github;

import dev.mainstay.server.forge.github.FakeRoute.Call;
import dev.mainstay.server.forge.github.FakeRoute.Reply;
import dev.mainstay.server.platform.Json;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The check runs and statuses of commits. */
final class FakeChecks {
  private static final List<String> PASSED = List.of("success", "skipped", "neutral");

  /** The App that GitHub Actions is. */
  static final int ACTIONS = 15368;

  /** A check run, with the App that it is of. */
  record Run(int id, String sha, int app, ObjectNode json) {
    String name() {
      return json.get("name").asString();
    }
  }

  /** A status as somebody wrote it; the newest of a name counts. */
  record Written(String sha, ObjectNode json) {
    String name() {
      return json.get("context").asString();
    }
  }

  private final FakeRepository repository;
  private final List<Run> runs = new ArrayList<>();
  private final List<Written> statuses = new ArrayList<>();

  /** The buttons of check runs, by their numbers: they are written, and in no answer. */
  final Map<Integer, JsonNode> buttons = new ConcurrentHashMap<>();

  FakeChecks(FakeRepository repository) {
    this.repository = repository;
  }

  List<Run> runs(String sha) {
    return runs.stream().filter(r -> r.sha().equals(sha)).toList();
  }

  List<Written> statuses(String sha) {
    return statuses.stream().filter(s -> s.sha().equals(sha)).toList();
  }

  /** A CI system reports; without a conclusion it still runs. */
  void report(String sha, String name, int app, Optional<String> conclusion) {
    ObjectNode json = Json.object().put("name", name);
    json.put("status", conclusion.isPresent() ? "completed" : "in_progress");
    json.put("conclusion", conclusion.orElse(null));
    add(sha, app, json);
  }

  /** A CI system reports by a status. */
  void status(String sha, String context, String state) {
    ObjectNode json = Json.object().put("context", context).put("state", state);
    add(sha, json.put("target_url", "https://ci.example/" + context));
  }

  boolean passed(String sha, String name) {
    Stream<String> ofRuns =
        latest(sha).stream()
            .filter(r -> r.name().equals(name))
            .map(r -> r.json().path("conclusion").asString(""));
    Stream<String> ofStatuses =
        newest(sha).stream()
            .filter(s -> s.name().equals(name))
            .map(s -> s.json().path("state").asString(""));
    List<String> all = Stream.concat(ofRuns, ofStatuses).toList();
    return !all.isEmpty() && PASSED.containsAll(all);
  }

  private Run add(String sha, int app, ObjectNode json) {
    int id = 5000 + runs.size();
    json.put("id", id).put("head_sha", sha).put("html_url", "https://ci.example/runs/" + id);
    json.put("node_id", "CR_" + id).put("url", FakeShapes.repoApi("check-runs/" + id));
    json.set("app", FakeShapes.app(app, app == FakeTokens.APP_ID ? FakeTokens.SLUG : "ci"));
    json.putObject("check_suite").put("id", 600 + app);
    json.putArray("pull_requests");
    var run = new Run(id, sha, app, completed(json));
    runs.add(run);
    return run;
  }

  /** With all that an answer has, whatever was written. */
  private static ObjectNode completed(ObjectNode run) {
    for (String name :
        List.of("conclusion", "details_url", "external_id", "started_at", "completed_at")) {
      run.putIfAbsent(name, run.nullNode());
    }
    if (run.path("conclusion").isString()) {
      run.put("completed_at", FakeShapes.THEN);
    }
    ObjectNode output = run.withObject("output");
    for (String name : List.of("title", "summary", "text")) {
      output.putIfAbsent(name, output.nullNode());
    }
    output.put("annotations_count", 0);
    output.put("annotations_url", run.get("url").asString() + "/annotations");
    return run;
  }

  private ObjectNode add(String sha, ObjectNode status) {
    int id = 7000 + statuses.size();
    status
        .put("id", id)
        .put("node_id", "SC_" + id)
        .put("url", FakeShapes.repoApi("statuses/" + sha));
    status.put("created_at", FakeShapes.THEN).put("updated_at", FakeShapes.THEN);
    for (String name : List.of("description", "target_url", "avatar_url")) {
      status.putIfAbsent(name, status.nullNode());
    }
    statuses.add(new Written(sha, status));
    return status;
  }

  private List<Run> latest(String sha) {
    var newest = new LinkedHashMap<String, Run>();
    runs(sha).forEach(r -> newest.put(r.app() + " " + r.name(), r));
    return List.copyOf(newest.values());
  }

  private List<Written> newest(String sha) {
    var newest = new LinkedHashMap<String, Written>();
    statuses(sha).forEach(s -> newest.put(s.name(), s));
    return List.copyOf(newest.values());
  }

  Reply runs(Call call) {
    String sha = call.parts().getFirst();
    if (!repository.hasCommit(sha)) {
      return Reply.not(422, "No commit found for SHA: " + sha);
    }
    List<Run> all = "all".equals(call.query().get("filter")) ? runs(sha) : latest(sha);
    Optional<String> name = Optional.ofNullable(call.query().get("check_name"));
    List<ObjectNode> found =
        all.stream()
            .filter(r -> name.isEmpty() || name.get().equals(r.name()))
            .sorted(Comparator.comparingInt(Run::id).reversed())
            .map(Run::json)
            .toList();
    return Reply.ok(new FakePages.Named("check_runs", found));
  }

  Reply status(Call call) {
    String sha = call.parts().getFirst();
    if (!repository.hasCommit(sha)) {
      return Reply.not(422, "No commit found for SHA: " + sha);
    }
    List<ObjectNode> all = newest(sha).stream().map(Written::json).toList();
    String own = FakeShapes.repoApi("commits/" + sha);
    ObjectNode around = Json.object().put("sha", sha).put("state", combined(all));
    around.put("url", own + "/status").put("commit_url", own);
    around.set("repository", FakeShapes.minimalRepository("acme", "app", false));
    return Reply.ok(new FakePages.Named("statuses", all, around));
  }

  private static String combined(List<ObjectNode> statuses) {
    List<String> states = statuses.stream().map(s -> s.get("state").asString()).toList();
    boolean failed = states.contains("failure") || states.contains("error");
    boolean pending = states.isEmpty() || states.contains("pending");
    return failed ? "failure" : pending ? "pending" : "success";
  }

  Reply write(Call call) {
    String sha = call.parts().getFirst();
    if (!repository.hasCommit(sha)) {
      return Reply.not(422, "No commit found for SHA: " + sha);
    }
    if (!List.of("error", "failure", "pending", "success").contains(call.text("state").orElse(""))
        || call.text("description").orElse("").length() > 140) {
      return Reply.not(422, "Validation Failed");
    }
    ObjectNode answer = add(sha, call.body()).deepCopy();
    answer.set("creator", FakeShapes.user("mainstay-bot"));
    return new Reply(201, answer);
  }

  Reply create(Call call) {
    String sha = call.text("head_sha").orElseThrow();
    if (!repository.hasCommit(sha)) {
      return Reply.not(422, "No commit found for SHA: " + sha);
    }
    Optional<Reply> fault = fault(call.body());
    return fault.orElseGet(
        () -> {
          Optional<JsonNode> actions = Optional.ofNullable(call.body().remove("actions"));
          Run made = add(sha, FakeTokens.APP_ID, call.body());
          actions.ifPresent(some -> buttons.put(made.id(), some));
          return new Reply(201, made.json());
        });
  }

  Reply update(Call call) {
    Optional<Run> run = runs.stream().filter(r -> r.id() == call.number()).findFirst();
    if (run.isEmpty()) {
      return Reply.notFound();
    }
    Optional<Reply> fault = fault(call.body());
    if (fault.isPresent()) {
      return fault.get();
    }
    Optional.ofNullable(call.body().remove("actions"))
        .ifPresent(some -> buttons.put(run.get().id(), some));
    run.get().json().putNull("conclusion").setAll(call.body());
    return Reply.ok(completed(run.get().json()));
  }

  private static Optional<Reply> fault(ObjectNode body) {
    boolean completed = body.path("status").asString("").equals("completed");
    JsonNode conclusion = body.path("conclusion");
    boolean concluded = conclusion.isString();
    JsonNode output = body.path("output");
    boolean tooLong = output.path("summary").asString("").length() > 65_535;
    boolean half = output.isObject() && !(output.has("title") && output.has("summary"));
    return completed != concluded || tooLong || half
        ? Optional.of(Reply.not(422, "Invalid request."))
        : Optional.empty();
  }

  Reply rerequest(Call call) {
    Optional<Run> run = runs.stream().filter(r -> r.id() == call.number()).findFirst();
    run.ifPresent(r -> r.json().put("status", "queued").putNull("conclusion"));
    return run.isPresent() ? new Reply(201, Json.object()) : Reply.notFound();
  }
}
