package dev.mainstay.server.web.queue;

import dev.mainstay.server.web.queue.Answers.PullRequest;

/** What to do now, in one sentence, by the reason for which a pull request is where it is. */
final class Advice {
  private Advice() {}

  /** {@code allFlaky}: every test that failed is known to be flaky. */
  static String of(PullRequest pr, boolean allFlaky) {
    if (pr.state().equals("FAILED") && allFlaky) {
      return "Every test that failed is known to be flaky: submit it again, and quarantine those"
          + " tests so that they stop nobody else.";
    }
    return switch (pr.reason().code()) {
      case "test_failed" ->
          "Look at what failed below. If your change did it, push a fix and submit again; if not,"
              + " submit again.";
      case "flake_retry" ->
          "Nothing to do: only tests failed that are known to be flaky, and it is tested again.";
      case "target_suspected" ->
          "Nothing to do about it here: the target branch is tested by itself, and the queue goes on once"
              + " it passes. If that fails, mend the target branch.";
      case "test_timeout" ->
          "The tests took longer than the queue allows. See whether CI was stuck, then submit again.";
      case "merge_conflict" ->
          "Bring your branch up to date with the target branch, solve the conflict, push, and submit"
              + " again.";
      case "predecessors_conflict" ->
          "It conflicts with one ahead of it that may still leave. Nothing to do: it is tried again"
              + " when that one has landed or left.";
      case "ci_never_started" ->
          "No check ever began on the test branch: see that CI runs on branches that begin with"
              + " mainstay/.";
      case "ci_cancelled" -> "Somebody or something stopped its checks: submit it again.";
      case "forge_unavailable" -> "The forge did not answer. Submit it again when it does.";
      case "merge_refused", "forge_blocks" ->
          "The forge does not let it be merged: see what the forge asks for on the pull request.";
      case "head_moved" -> "There was a push after it was submitted: submit the new commits.";
      case "converted_to_draft" -> "Mark it as ready for review, then submit it again.";
      case "closed" -> "Open the pull request again, then submit it.";
      case "base_changed" -> "It now wants to go to another branch: submit it to that one's queue.";
      case "impacted_targets_missing" ->
          "The queue waits for its impacted targets: CI sends them with setImpactedTargets.";
      case "no_forge" -> "Connect the repository, or report statuses by hand.";
      case "no_required_statuses" ->
          "Tell the queue which checks must pass: set its required statuses.";
      case "queue_not_running" -> "The queue is paused or draining: it goes on when it runs again.";
      case "target_branch_missing" ->
          "The target branch is not there: push it, or correct its name.";
      default -> "";
    };
  }
}
