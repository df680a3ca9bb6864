package dev.mainstay.server.forge.gitlab;

import dev.mainstay.server.forge.hosted.HostJson;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * What GitLab says of a merge request that it would merge, or not. A push asks none of that: so
 * what keeps its button grey keeps a merge request out of the queue, as a sentence.
 */
final class MergeStatus {
  /** Ready for us: a test of ours takes the place of these, git finds conflicts by itself. */
  private static final Set<String> READY =
      Set.of(
          "mergeable",
          "need_rebase",
          "ci_must_pass",
          "ci_still_running",
          "conflict",
          "draft_status",
          "not_open");

  private static final Set<String> NOT_YET =
      Set.of("checking", "unchecked", "preparing", "approvals_syncing");

  private MergeStatus() {}

  static boolean isNotYet(JsonNode request) {
    return NOT_YET.contains(word(request));
  }

  /** The one reason that GitLab gives; empty where there is none. */
  static List<String> obstacles(JsonNode request) {
    String word = word(request);
    return word.isEmpty() || READY.contains(word) ? List.of() : List.of(sentence(word));
  }

  /** Versions before 15.6 do not say it. */
  static String word(JsonNode request) {
    return HostJson.text(request.path("detailed_merge_status"), 100);
  }

  private static String sentence(String word) {
    return known(word)
        .orElse("GitLab would not merge it, and gives the reason \"%s\".".formatted(word));
  }

  private static Optional<String> known(String word) {
    return switch (word) {
      case "checking", "unchecked", "preparing", "approvals_syncing" ->
          Optional.of("GitLab is still finding out whether it may be merged.");
      case "not_approved" -> Optional.of("GitLab asks for approvals that it has not got yet.");
      case "requested_changes" ->
          Optional.of("A reviewer has asked for changes: have them looked at again.");
      case "discussions_not_resolved" ->
          Optional.of("Threads are open that must be resolved before it may be merged.");
      case "merge_request_blocked" ->
          Optional.of("Another merge request, which it depends on, must be merged first.");
      case "commits_status" ->
          Optional.of("Its source branch is gone, or has no commits of its own.");
      case "status_checks_must_pass" ->
          Optional.of("External status checks must pass before it may be merged.");
      case "security_policy_violations", "security_policy_pipeline_check" ->
          Optional.of("A security policy of the project keeps it from being merged.");
      case "jira_association_missing" ->
          Optional.of("Its title or text must name an issue of Jira.");
      case "locked_paths", "locked_lfs_files" ->
          Optional.of("It changes files that somebody has locked.");
      case "title_regex" -> Optional.of("Its title is not of the form that the project asks for.");
      case "merge_time" -> Optional.of("It is set to be merged at a later time only.");
      default -> Optional.empty();
    };
  }
}
