package dev.mainstay.server.forge;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import java.util.List;
import java.util.Optional;

/**
 * The part of a forge that is not git: statuses, checks, comments, people. A host implements what
 * its {@link Abilities} name and leaves the rest. Every call may be repeated, and leads to the
 * same: one check of a name, one comment, one test pull request. Every call may throw {@link
 * ForgeUnavailable} or {@link CredentialsRefused}.
 */
public interface Host {
  /** The name of our check on heads and on commits that land. */
  String CHECK = "mainstay";

  /** A status of a commit, by the host's own checks or those of a CI system. */
  record Status(String name, Verdict verdict, Optional<String> url) {}

  enum Verdict {
    PENDING,
    SUCCESS,
    FAILURE,
    /** It ran too long for CI. */
    TIMED_OUT,
    /** Somebody or something ended it: says nothing about the commit. */
    CANCELLED,
    /** Stale or never begun: says nothing about the commit. */
    NONE
  }

  /** Our check on a commit, which replaces the one of the same name there. */
  record Check(
      CommitSha commit,
      String name,
      Verdict verdict,
      String title,
      String text,
      Optional<String> url) {}

  /** The rights of a person in the repository, each with those before it. */
  enum Permission {
    NONE,
    READ,
    WRITE,
    ADMIN
  }

  /** A pull request that exists only so that CI tests a branch; nobody is to merge it. */
  record TestPullRequest(String branch, String targetBranch, String title, String text) {}

  /** The answer to {@link #markMerged}. */
  sealed interface Marking {
    /** The host shows it as merged, by this call or before it. */
    record Merged() implements Marking {}

    /** The host does not take it, and will not when asked again. */
    record Declined(String sentence) implements Marking {}
  }

  /** All statuses of a commit, the newest of each name. */
  default List<Status> statuses(CommitSha commit) {
    throw unable();
  }

  /** Has CI try again what it cancelled; false where it does not let itself be asked. */
  default boolean rerun(CommitSha commit, String name) {
    throw unable();
  }

  /** Has CI stop testing a commit; what is over already does not matter. */
  default void stop(CommitSha commit) {
    throw unable();
  }

  /** True where a run of CI of this number is under way for a fork's pull request on this head. */
  default boolean runsForFork(long run, CommitSha head) {
    throw unable();
  }

  default void write(Check check) {
    throw unable();
  }

  /** Our one comment on a pull request: written, or changed to this text. */
  default void comment(PullRequestRef pr, String text) {
    throw unable();
  }

  /** The rights of a person; none where there is no such person. */
  default Permission permission(String login) {
    throw unable();
  }

  /** Opens the pull request of a test branch, unless it is open. */
  default PullRequestRef open(TestPullRequest test) {
    throw unable();
  }

  /** Closes a test pull request; one that is closed already does not matter. */
  default void close(PullRequestRef test) {
    throw unable();
  }

  /** Shows a pull request as merged by the commit that it landed in. */
  default Marking markMerged(PullRequestRef pr, CommitSha landed) {
    throw unable();
  }

  private static UnsupportedOperationException unable() {
    return new UnsupportedOperationException("not among the abilities of this forge");
  }
}
