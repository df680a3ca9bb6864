package dev.mainstay.server.forge;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A repository as git itself can work on it, wherever it is hosted. Every call may be repeated,
 * also after a crash in the middle of it: what was done already is recognised and answered the same
 * way. Every call may throw {@link ForgeUnavailable} or {@link CredentialsRefused}; whatever else
 * can go wrong is part of the answer.
 */
public interface GitRepository {
  /** A pull request at one of its head commits. */
  record Head(PullRequestRef pr, CommitSha commit) {}

  /**
   * The test branch of a run: the base, then the commits that these heads become when they land in
   * this order. Asked for again, it is made of the same commits. Without heads it is the base, as a
   * commit of its own.
   */
  record TestBranch(String name, CommitSha base, List<Head> heads, Method method) {}

  sealed interface BuildResult {
    /**
     * The branch is pushed and ends in this commit. Heads that change nothing in what is there
     * before them have no commit in it.
     */
    record Built(CommitSha commit, List<PullRequestRef> bringNothing) implements BuildResult {
      public Built {
        bringNothing = List.copyOf(bringNothing);
      }
    }

    /** A pull request that does not merge: with the base itself, or only with those before it. */
    record Conflict(PullRequestRef pr, boolean withBase) implements BuildResult {}

    /** A pull request whose head commit is not to be found any more. */
    record HeadGone(PullRequestRef pr) implements BuildResult {}
  }

  enum Method {
    SQUASH,
    MERGE_COMMIT,
    REBASE
  }

  /**
   * A landing: heads that go onto the target branch, in order, if it is at {@code onto} and no head
   * has moved. Where {@code exactTree}, the result must have the tree of {@code tested}; else each
   * head must change the same as it did there. Where {@code keepHeads}, no branch of a head is
   * moved, whatever the host would show then. {@code at} is the same each time the landing is asked
   * for: a landing done before is recognised by it.
   */
  record Landing(
      String id,
      String targetBranch,
      CommitSha onto,
      List<Head> heads,
      Optional<CommitSha> tested,
      boolean exactTree,
      Method method,
      boolean keepHeads,
      Instant at) {}

  /**
   * The result of a landing: the pull requests that landed, in order, each with the commit the
   * target branch then ended in; and the fault where not all did.
   */
  record LandingResult(List<Landed> landed, Optional<LandingFault> fault) {}

  record Landed(PullRequestRef pr, CommitSha targetHead, How how) {}

  /** The way in which a pull request landed. */
  enum How {
    /** By the commit that was tested. */
    TESTED_COMMIT,
    /** By commits made anew. */
    REBUILT,
    /** By the forge's own merge. */
    BY_FORGE,
    /** It changes nothing, and has no commit. */
    ALREADY_THERE
  }

  sealed interface LandingFault {
    record HeadMoved(PullRequestRef pr) implements LandingFault {}

    record TargetMoved(CommitSha head) implements LandingFault {}

    record Conflict(PullRequestRef pr) implements LandingFault {}

    record TreeDiffered() implements LandingFault {}

    /** The forge's own merge is there, and has not the tree that was tested. */
    record Untested(String sentence) implements LandingFault {}

    /** A landing that the forge does not allow; trying again would not help. */
    record Refused(PullRequestRef pr, String sentence) implements LandingFault {}
  }

  BuildResult build(TestBranch branch);

  LandingResult land(Landing landing);

  /** Those of the heads that are reachable from one commit and not from another. */
  Set<CommitSha> reached(CommitSha from, CommitSha to, Set<CommitSha> heads);

  /** One commit has what another has with these heads merged into it, and nothing else. */
  boolean isSum(CommitSha to, CommitSha from, List<Head> heads);

  /** Deletes test branches; those that are gone already do not matter. */
  void deleteTestBranches(List<String> names);

  /** A file of the repository at a commit, such as CODEOWNERS; empty where there is none. */
  Optional<byte[]> file(CommitSha commit, String path);

  /**
   * Puts the files of a commit, such as that of a test branch, into an empty directory, as a git
   * work tree with its history and tags, and without a way back to the repository. Answers why no
   * disk of this node takes them, where that is so: the names in it may be such that none does.
   */
  Optional<String> checkout(CommitSha commit, Path directory);
}
