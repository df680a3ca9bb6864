package dev.mainstay.server.forge.github;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.Host;
import dev.mainstay.server.forge.RefNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * What GitHub asks for before it would merge, and we do too: approvals, ends of conversations,
 * required checks that did not fail on the head. A branch that only we may push to, our own check,
 * and checks that nobody has reported are no obstacles.
 */
record Obstacles(GitHubClient client, Required required, Checks checks) {
  /** What GitHub says of a pull request that it would let in, or that others look after. */
  private static final Set<String> READY =
      Set.of("clean", "unstable", "has_hooks", "behind", "dirty", "draft");

  private static final Set<Host.Verdict> FAILED =
      Set.of(Host.Verdict.FAILURE, Host.Verdict.TIMED_OUT);

  private static final String QUESTION =
      """
      query($owner: String!, $name: String!, $number: Int!) {
        repository(owner: $owner, name: $name) {
          pullRequest(number: $number) {
            reviewDecision
            latestOpinionatedReviews(first: 100) { nodes { state author { login } } }
            reviewThreads(first: 100) { nodes { isResolved } }
          }
        }
      }
      """;

  List<String> of(PullRequestRef pr, JsonNode pull) {
    String base = pull.path("base").path("ref").asString("");
    if (READY.contains(pull.path("mergeable_state").asString("")) || !RefNames.isBranch(base)) {
      return List.of();
    }
    var obstacles = new ArrayList<String>();
    List<JsonNode> rules = required.rules(base);
    JsonNode reviews = client.ask(QUESTION, pr.number());
    approvals(obstacles, rules, reviews);
    conversations(obstacles, rules, reviews);
    failures(obstacles, base, pull.path("head").path("sha").asString(""));
    return obstacles;
  }

  private static void approvals(List<String> obstacles, List<JsonNode> rules, JsonNode reviews) {
    var approving = new TreeSet<String>();
    var objecting = new TreeSet<String>();
    for (JsonNode review : reviews.path("latestOpinionatedReviews").path("nodes")) {
      String login = review.path("author").path("login").asString("somebody");
      switch (review.path("state").asString("")) {
        case "APPROVED" -> approving.add(login);
        case "CHANGES_REQUESTED" -> objecting.add(login);
        default -> {}
      }
    }
    int needed =
        parameters(rules)
            .mapToInt(p -> p.path("required_approving_review_count").asInt(0))
            .max()
            .orElse(0);
    String decision = reviews.path("reviewDecision").asString("");
    if (decision.equals("CHANGES_REQUESTED")) {
      String by = objecting.isEmpty() ? "" : " by " + String.join(", ", objecting);
      obstacles.add("Changes are requested%s.".formatted(by));
    } else if (approving.size() < needed) {
      obstacles.add(
          "It needs %d %s and has %d."
              .formatted(needed, needed == 1 ? "approval" : "approvals", approving.size()));
    } else if (decision.equals("REVIEW_REQUIRED")) {
      obstacles.add("A review that the branch requires is missing.");
    }
  }

  private static Stream<JsonNode> parameters(List<JsonNode> rules) {
    return rules.stream()
        .filter(r -> r.path("type").asString("").equals("pull_request"))
        .map(r -> r.path("parameters"));
  }

  private static void conversations(
      List<String> obstacles, List<JsonNode> rules, JsonNode reviews) {
    boolean asked =
        parameters(rules)
            .anyMatch(p -> p.path("required_review_thread_resolution").asBoolean(false));
    int open = 0;
    for (JsonNode thread : reviews.path("reviewThreads").path("nodes")) {
      open += thread.path("isResolved").asBoolean(true) ? 0 : 1;
    }
    if (asked && open > 0) {
      obstacles.add(
          open == 1
              ? "One conversation is not resolved."
              : "%d conversations are not resolved.".formatted(open));
    }
  }

  private void failures(List<String> obstacles, String base, String head) {
    List<String> names = required.checks(base).orElse(List.of());
    if (names.isEmpty() || head.isBlank()) {
      return;
    }
    for (Host.Status status : checks.statuses(new CommitSha(head))) {
      if (FAILED.contains(status.verdict()) && names.contains(status.name())) {
        obstacles.add("The required check %s failed on its head.".formatted(status.name()));
      }
    }
  }
}
