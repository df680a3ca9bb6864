package dev.mainstay.server.forge.gitlab;

import dev.mainstay.server.forge.gitlab.FakeCall.Reply;
import dev.mainstay.server.platform.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** The pipelines of the fake, each with its jobs; statuses that others write are jobs too. */
final class FakePipelines {
  /** A job of a pipeline, or a status that somebody wrote. */
  static final class Job {
    final int id;
    final String name;
    String status;
    boolean mayFail;
    String why = "script_failure";
    String description = "";

    Job(int id, String name, String status) {
      this.id = id;
      this.name = name;
      this.status = status;
    }
  }

  static final class Pipeline {
    final int id;
    final String sha;
    final String ref;
    final String source;
    String status;
    final List<Job> jobs = new ArrayList<>();

    Pipeline(int id, String sha, String ref, String source, String status) {
      this.id = id;
      this.sha = sha;
      this.ref = ref;
      this.source = source;
      this.status = status;
    }
  }

  final List<Pipeline> all = new ArrayList<>();
  private int last = 1000;

  Pipeline start(String sha, String ref, String source, String status) {
    var made = new Pipeline(++last, sha, ref, source, status);
    all.add(made);
    return made;
  }

  Job job(Pipeline pipeline, String name, String status) {
    var made = new Job(++last, name, status);
    pipeline.jobs.add(made);
    return made;
  }

  Optional<Pipeline> newest(String sha) {
    return all.reversed().stream().filter(p -> p.sha.equals(sha)).findFirst();
  }

  private Optional<Pipeline> byId(FakeCall call) {
    return all.stream().filter(p -> p.id == call.number()).findFirst();
  }

  Reply list(FakeCall call) {
    return Reply.ok(
        all.reversed().stream()
            .filter(p -> call.query("sha").map(p.sha::equals).orElse(true))
            .filter(p -> call.query("ref").map(p.ref::equals).orElse(true))
            .map(FakePipelines::shape)
            .toList());
  }

  Reply jobs(FakeCall call) {
    Optional<String> scope = call.query("scope%5B%5D");
    return byId(call)
        .map(
            p ->
                Reply.ok(
                    p.jobs.stream()
                        .filter(j -> scope.map(j.status::equals).orElse(true))
                        .map(j -> shape(p, j))
                        .toList()))
        .orElseGet(Reply::notFound);
  }

  Reply statuses(FakeCall call) {
    int id = Integer.parseInt(call.query("pipeline_id").orElse("0"));
    return Reply.ok(
        all.stream()
            .filter(p -> p.sha.equals(call.parts().getFirst()) && (id == 0 || p.id == id))
            .flatMap(p -> p.jobs.stream().map(j -> shape(p, j)))
            .toList());
  }

  Reply retry(FakeCall call) {
    byId(call).ifPresent(p -> p.status = "running");
    return byId(call).map(p -> new Reply(201, shape(p))).orElseGet(Reply::notFound);
  }

  Reply cancel(FakeCall call) {
    byId(call).ifPresent(p -> p.status = "canceled");
    return byId(call).map(p -> Reply.ok(shape(p))).orElseGet(Reply::notFound);
  }

  Reply retryJob(FakeCall call) {
    Optional<Job> job =
        all.stream().flatMap(p -> p.jobs.stream()).filter(j -> j.id == call.number()).findFirst();
    job.ifPresent(j -> j.status = "pending");
    return job.isPresent() ? new Reply(201, Json.object()) : Reply.notFound();
  }

  /** In the newest pipeline of the commit, else in one of its own; the same again is refused. */
  Reply write(FakeCall call) {
    String sha = call.parts().getFirst();
    String name = call.text("name").orElseThrow();
    String state = call.text("state").orElseThrow();
    Pipeline pipeline =
        newest(sha).orElseGet(() -> start(sha, call.text("ref").orElse("x"), "external", state));
    Optional<Job> before = pipeline.jobs.stream().filter(j -> j.name.equals(name)).findFirst();
    if (before.filter(j -> j.status.equals(state)).isPresent()) {
      return Reply.not(
          400,
          "Cannot transition status via :run from :%s (Reason(s): Status cannot transition via \"run\")"
              .formatted(state));
    }
    before.ifPresent(pipeline.jobs::remove);
    Job job = job(pipeline, name, state);
    job.description = call.text("description").orElse("");
    return new Reply(201, shape(pipeline, job));
  }

  private static ObjectNode shape(Pipeline pipeline) {
    ObjectNode json = Json.object().put("id", pipeline.id).put("iid", pipeline.id);
    json.put("project_id", FakeRequests.PROJECT).put("sha", pipeline.sha).put("ref", pipeline.ref);
    json.put("status", pipeline.status).put("source", pipeline.source);
    return json.put("web_url", "https://gitlab.example/-/pipelines/" + pipeline.id);
  }

  private static ObjectNode shape(Pipeline pipeline, Job job) {
    ObjectNode json = Json.object().put("id", job.id).put("sha", pipeline.sha);
    json.put("ref", pipeline.ref).put("status", job.status).put("name", job.name);
    json.put("allow_failure", job.mayFail).put("description", job.description);
    json.put("target_url", "https://gitlab.example/-/jobs/" + job.id);
    json.put("pipeline_id", pipeline.id)
        .put("failure_reason", job.status.equals("failed") ? job.why : null);
    return json;
  }
}
