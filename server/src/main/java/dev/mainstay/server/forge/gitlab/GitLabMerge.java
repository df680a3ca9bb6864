package dev.mainstay.server.forge.gitlab;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.CredentialsRefused;
import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.forge.GitRepository.Head;
import dev.mainstay.server.forge.GitRepository.Method;
import dev.mainstay.server.forge.rest.Answer;
import dev.mainstay.server.platform.Json;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * Merges by GitLab itself, if the head is this one. It refuses while it is still finding out
 * whether something merges: then it is asked again.
 */
record GitLabMerge(GitLabProject project, GitLabRequests requests, Patience patience) {
  private static final int TRIES = 5;
  private static final int NOT_ALLOWED = 405;
  private static final Duration SOON = Duration.ofSeconds(5);

  /** Where {@code waits}, a GitLab that has not found out yet is asked again later. */
  Answer merge(Head head, Method method, String message, boolean waits) {
    Optional<String> unable = unable(method);
    if (unable.isPresent()) {
      return said(NOT_ALLOWED, unable.get());
    }
    for (int i = 0; i < TRIES; i++) {
      Answer answer = once(head, method, message);
      if (answer.status() != NOT_ALLOWED) {
        return answer.ok() ? answer : said(answer.status(), GitLabProject.words(answer));
      }
      Optional<JsonNode> now = requests.raw(head.pr());
      if (now.filter(MergeStatus::isNotYet).isEmpty()) {
        return said(NOT_ALLOWED, why(head.pr(), now));
      }
      patience.pause();
    }
    String sentence = "it is still finding out whether it may.";
    if (waits) {
      throw ForgeUnavailable.notYet(
          "GitLab does not merge %s yet: %s".formatted(head.pr(), sentence), SOON);
    }
    return said(NOT_ALLOWED, sentence);
  }

  /** By a merge call, commits are replayed only where the project lets nothing else in. */
  private Optional<String> unable(Method method) {
    boolean linear = project.lately().path("merge_method").asString("").equals("ff");
    return method == Method.REBASE && !linear
        ? Optional.of("The project makes merge commits, and the queue replays commits.")
        : Optional.empty();
  }

  private Answer once(Head head, Method method, String message) {
    try {
      return project.call(
          "PUT",
          GitLabProject.request(head.pr()) + "/merge",
          Map.of(
              "sha",
              head.commit().value(),
              "squash",
              method == Method.SQUASH,
              "squash_commit_message",
              message,
              "merge_commit_message",
              message));
    } catch (CredentialsRefused e) {
      // Here it is the answer for whoever may not merge into the branch.
      return said(NOT_ALLOWED, "the token may not merge into this branch.");
    }
  }

  private static String why(PullRequestRef pr, Optional<JsonNode> now) {
    return now.map(MergeStatus::obstacles).orElseGet(List::of).stream()
        .findFirst()
        .orElse(
            "it gives the status \"%s\" of %s."
                .formatted(now.map(MergeStatus::word).orElse("none"), pr));
  }

  private static Answer said(int status, String words) {
    return new Answer(status, Json.object().put("message", words), Map.of(), false);
  }
}
