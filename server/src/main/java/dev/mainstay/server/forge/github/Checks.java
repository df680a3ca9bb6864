package dev.mainstay.server.forge.github;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.server.forge.Host.Status;
import dev.mainstay.server.forge.Host.Verdict;
import dev.mainstay.server.forge.RefNames;
import dev.mainstay.server.forge.hosted.HostApi;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * The check runs and statuses of a commit, by name. Where there are several of one name, the worst
 * counts: GitHub lets a commit in only where all of them passed. Our own is left out.
 */
record Checks(GitHubClient client, Required required) {
  private static final int MOST = 1000;

  List<Status> statuses(CommitSha commit) {
    if (!RefNames.isCommit(commit)) {
      return List.of();
    }
    var found = new ArrayList<Status>();
    String path = "/commits/" + commit;
    for (JsonNode run : client.all(path + "/check-runs?filter=latest&", "check_runs", MOST)) {
      String name = run.path("name").asString("");
      if (required.counts(name, run.path("app").path("id").asLong(0))) {
        found.add(new Status(name, verdict(run), url(run.path("html_url"))));
      }
    }
    for (JsonNode status : client.all(path + "/status?", "statuses", MOST)) {
      Verdict verdict = verdict(status.path("state").asString(""));
      found.add(
          new Status(status.path("context").asString(""), verdict, url(status.path("target_url"))));
    }
    Map<String, Status> worst = new LinkedHashMap<>();
    found.stream()
        .filter(s -> !s.name().isBlank() && !s.name().equals(HostApi.CHECK))
        .forEach(s -> worst.merge(s.name(), s, Checks::worse));
    return List.copyOf(worst.values());
  }

  private static Verdict verdict(JsonNode run) {
    if (!run.path("status").asString("").equals("completed")) {
      return Verdict.PENDING;
    }
    return switch (run.path("conclusion").asString("")) {
      case "success", "skipped", "neutral" -> Verdict.SUCCESS;
      case "failure" -> Verdict.FAILURE;
      case "timed_out" -> Verdict.TIMED_OUT;
      case "cancelled" -> Verdict.CANCELLED;
      default -> Verdict.NONE;
    };
  }

  private static Verdict verdict(String state) {
    return switch (state) {
      case "success" -> Verdict.SUCCESS;
      case "failure", "error" -> Verdict.FAILURE;
      case "pending" -> Verdict.PENDING;
      default -> Verdict.NONE;
    };
  }

  private static Status worse(Status one, Status other) {
    return badness(one.verdict()) >= badness(other.verdict()) ? one : other;
  }

  private static int badness(Verdict verdict) {
    return switch (verdict) {
      case SUCCESS -> 0;
      case NONE -> 1;
      case CANCELLED -> 2;
      case PENDING -> 3;
      case TIMED_OUT -> 4;
      case FAILURE -> 5;
    };
  }

  private static Optional<String> url(JsonNode json) {
    return Optional.of(json.asString("")).filter(u -> u.matches("https?://\\S{1,2000}"));
  }
}
