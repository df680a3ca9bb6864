package dev.mainstay.server.forge.gitlab;

import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.forge.Host.Check;
import dev.mainstay.server.forge.Host.Verdict;
import dev.mainstay.server.forge.RefNames;
import dev.mainstay.server.forge.hosted.HostJson;
import dev.mainstay.server.forge.rest.Answer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * Our check as a commit status, which GitLab makes a job of the newest pipeline of that commit, or
 * of a new one.
 */
record GitLabChecks(GitLabProject project) {
  /** The longest that the host keeps. */
  private static final int MOST_TEXT = 255;

  private static final int MOST_REQUESTS = 20;

  void write(Check check) {
    if (!RefNames.isCommit(check.commit())) {
      throw new ForgeUnavailable("There is no commit to write a check on.");
    }
    Map<String, String> body = new HashMap<>();
    body.put("name", check.name());
    body.put("state", state(check.verdict()));
    body.put("description", HostJson.cut(check.title(), MOST_TEXT));
    check.url().ifPresent(url -> body.put("target_url", HostJson.cut(url, MOST_TEXT)));
    String path = "/statuses/" + check.commit();
    Answer answer = project.call("POST", path, body);
    if (answer.status() == 404) {
      // No branch of the project holds the head of a fork.
      answer = withReference(check, path, body, answer);
    }
    if (!answer.ok() && !isSame(answer)) {
      throw new ForgeUnavailable(
          "The host of %s does not take our check: %s (%d)."
              .formatted(project.place(), GitLabProject.words(answer), answer.status()));
    }
  }

  private Answer withReference(
      Check check, String path, Map<String, String> body, Answer otherwise) {
    List<JsonNode> requests =
        project.all(
            "/repository/commits/%s/merge_requests?per_page=20".formatted(check.commit()),
            MOST_REQUESTS);
    return requests.stream()
        .flatMap(request -> HostJson.number(request.path("iid")).stream())
        .findFirst()
        .map(
            pr -> {
              body.put("ref", "refs/merge-requests/%d/head".formatted(pr.number()));
              return project.call("POST", path, body);
            })
        .orElse(otherwise);
  }

  /** The same state once more is refused. */
  private static boolean isSame(Answer answer) {
    return answer.status() == 400
        && GitLabProject.words(answer).contains("Cannot transition status");
  }

  private static String state(Verdict verdict) {
    return switch (verdict) {
      case SUCCESS -> "success";
      case FAILURE, TIMED_OUT -> "failed";
      case CANCELLED -> "canceled";
      case PENDING, NONE -> "running";
    };
  }
}
