package dev.mainstay.core.queue;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;

/** The problem for which a merge did not happen, or not as it should. */
public sealed interface LandingProblem {
  /** The pull request was pushed to after its test. */
  record HeadMoved(PullRequestRef pr) implements LandingProblem {}

  /** The target branch is no longer where the queue believed it to be. */
  record TargetMoved(CommitSha head) implements LandingProblem {}

  /** The pull request no longer merges. */
  record Conflicted(PullRequestRef pr) implements LandingProblem {}

  /** The tree that would have landed is not the one that was tested. */
  record TreeDiffered() implements LandingProblem {}

  /** The forge does not allow this merge, and trying again would not help. */
  record Refused(PullRequestRef pr, String sentence) implements LandingProblem {}

  /** The forge's own merge made something of it that was not tested, and that is there now. */
  record Untested(String sentence) implements LandingProblem {}

  /** The forge did not answer, however often it was asked. */
  record ForgeUnavailable(String sentence) implements LandingProblem {}
}
