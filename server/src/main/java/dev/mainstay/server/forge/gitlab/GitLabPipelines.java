package dev.mainstay.server.forge.gitlab;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.server.forge.CredentialsRefused;
import dev.mainstay.server.forge.Host.Status;
import dev.mainstay.server.forge.Host.Verdict;
import dev.mainstay.server.forge.RefNames;
import dev.mainstay.server.forge.hosted.HostApi;
import dev.mainstay.server.forge.hosted.HostJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * The pipelines of commits. One commit may have several: of a branch, of a merge request, one that
 * was skipped, one of statuses that others wrote. Of a commit that is on a test branch, those of
 * test branches and of merge requests count; the newest is the one, and is a status by the name
 * {@link #NAME} beside its jobs.
 */
record GitLabPipelines(GitLabProject project) {
  static final String NAME = "pipeline";

  private static final int MOST_PIPELINES = 100;
  private static final int MOST_JOBS = 1000;
  private static final int MOST_NAME = 255;
  private static final Set<String> OVER =
      Set.of("success", "failed", "canceled", "skipped", "canceling");

  List<Status> statuses(CommitSha commit) {
    for (JsonNode pipeline : of(commit)) {
      List<JsonNode> jobs = jobs(commit, pipeline);
      List<JsonNode> others =
          jobs.stream().filter(job -> !name(job).equals(HostApi.CHECK)).toList();
      // A status of ours alone makes a pipeline too.
      if (!others.isEmpty() || jobs.isEmpty()) {
        return statuses(pipeline, others, jobs.size() > others.size());
      }
    }
    return List.of();
  }

  private List<Status> statuses(JsonNode pipeline, List<JsonNode> jobs, boolean withOurs) {
    var statuses = new ArrayList<Status>();
    Verdict verdict = withOurs ? together(jobs) : verdict(pipeline);
    statuses.add(new Status(NAME, verdict, HostJson.url(pipeline.path("web_url"))));
    for (JsonNode job : jobs) {
      if (!name(job).isEmpty() && !name(job).equals(NAME)) {
        statuses.add(new Status(name(job), jobVerdict(job), HostJson.url(job.path("target_url"))));
      }
    }
    return List.copyOf(statuses);
  }

  private static String name(JsonNode job) {
    return HostJson.text(job.path("name"), MOST_NAME);
  }

  /** Those that count for a commit, the newest first; skipped ones only where there is no other. */
  private List<JsonNode> of(CommitSha commit) {
    if (!RefNames.isCommit(commit)) {
      return List.of();
    }
    List<JsonNode> all =
        project.all("/pipelines?order_by=id&sort=desc&per_page=100&sha=" + commit, MOST_PIPELINES);
    boolean tested = all.stream().anyMatch(GitLabPipelines::isOfTestBranch);
    List<JsonNode> counting = all.stream().filter(p -> !tested || isOfTest(p)).toList();
    List<JsonNode> run = counting.stream().filter(p -> !word(p).equals("skipped")).toList();
    return run.isEmpty() ? counting : run;
  }

  private static boolean isOfTestBranch(JsonNode pipeline) {
    return pipeline.path("ref").asString("").startsWith(RefNames.TEST_BRANCHES);
  }

  private static boolean isOfTest(JsonNode pipeline) {
    return isOfTestBranch(pipeline)
        || pipeline.path("ref").asString("").startsWith("refs/merge-requests/");
  }

  /** Jobs, and what others wrote: the newest of each name. */
  private List<JsonNode> jobs(CommitSha commit, JsonNode pipeline) {
    return project.all(
        "/repository/commits/%s/statuses?per_page=100&pipeline_id=%d"
            .formatted(commit, id(pipeline)),
        MOST_JOBS);
  }

  private static long id(JsonNode one) {
    return one.path("id").asLong(0);
  }

  private static String word(JsonNode one) {
    return one.path("status").asString("");
  }

  private Verdict verdict(JsonNode pipeline) {
    return switch (word(pipeline)) {
      case "success" -> Verdict.SUCCESS;
      case "failed" -> isTimeout(pipeline) ? Verdict.TIMED_OUT : Verdict.FAILURE;
      case "canceled" -> Verdict.CANCELLED;
      case "skipped" ->
          project.lately().path("allow_merge_on_skipped_pipeline").asBoolean(false)
              ? Verdict.SUCCESS
              : Verdict.NONE;
      default -> Verdict.PENDING;
    };
  }

  /** All that failed of it, and may not, ran too long. */
  private boolean isTimeout(JsonNode pipeline) {
    List<JsonNode> failed =
        project
            .all(
                "/pipelines/%d/jobs?scope%%5B%%5D=failed&per_page=100".formatted(id(pipeline)),
                MOST_JOBS)
            .stream()
            .filter(job -> !job.path("allow_failure").asBoolean(false))
            .toList();
    return !failed.isEmpty()
        && failed.stream()
            .allMatch(
                job -> job.path("failure_reason").asString("").equals("job_execution_timeout"));
  }

  /** A pipeline that holds a status of ours is judged by all but that. */
  private static Verdict together(List<JsonNode> jobs) {
    List<Verdict> verdicts = jobs.stream().map(GitLabPipelines::jobVerdict).toList();
    for (Verdict worst : List.of(Verdict.FAILURE, Verdict.PENDING, Verdict.CANCELLED)) {
      if (verdicts.contains(worst)) {
        return worst;
      }
    }
    return verdicts.contains(Verdict.SUCCESS) ? Verdict.SUCCESS : Verdict.NONE;
  }

  /** A job is skipped where one before it failed: that is no success. */
  private static Verdict jobVerdict(JsonNode job) {
    boolean mayFail = job.path("allow_failure").asBoolean(false);
    return switch (word(job)) {
      case "success" -> Verdict.SUCCESS;
      case "failed" -> mayFail ? Verdict.SUCCESS : Verdict.FAILURE;
      case "canceled" -> mayFail ? Verdict.SUCCESS : Verdict.CANCELLED;
      case "skipped" -> Verdict.NONE;
      case "manual" -> mayFail ? Verdict.NONE : Verdict.PENDING;
      default -> Verdict.PENDING;
    };
  }

  /** The newest is tried again as a whole, or one job of it. */
  boolean again(CommitSha commit, String name) {
    try {
      Optional<JsonNode> newest = of(commit).stream().findFirst();
      if (newest.isEmpty() || name.equals(NAME)) {
        return newest.filter(p -> asked("/pipelines/%d/retry".formatted(id(p)))).isPresent();
      }
      return jobs(commit, newest.get()).stream()
          .filter(job -> name(job).equals(name))
          .findFirst()
          .filter(job -> asked("/jobs/%d/retry".formatted(id(job))))
          .isPresent();
    } catch (CredentialsRefused e) {
      return false;
    }
  }

  /** Only pipelines of tests: the same commit may be on a branch of somebody else by now. */
  void stop(CommitSha commit) {
    try {
      of(commit).stream()
          .filter(p -> isOfTest(p) && !OVER.contains(word(p)))
          .forEach(p -> asked("/pipelines/%d/cancel".formatted(id(p))));
    } catch (CredentialsRefused e) {
      // it goes on, and costs time of CI alone
    }
  }

  private boolean asked(String path) {
    return project.call("POST", path, Map.of()).ok();
  }
}
