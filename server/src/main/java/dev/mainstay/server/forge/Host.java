package dev.mainstay.server.forge;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

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
      Optional<String> url,
      List<Button> buttons) {
    public Check {
      buttons = List.copyOf(buttons);
    }

    /** One without buttons. */
    public Check(
        CommitSha commit,
        String name,
        Verdict verdict,
        String title,
        String text,
        Optional<String> url) {
      this(commit, name, verdict, title, text, url, List.of());
    }
  }

  /**
   * A button beside a check, where the host has such: its name for programs, its label and what it
   * does, of at most 20, 20 and 40 characters.
   */
  record Button(String id, String label, String description) {}

  /**
   * A comment that somebody wrote, as far as it may be commands: its lines that begin with a slash,
   * some of them ({@link #MOST_LINES}).
   */
  record Comment(String id, PullRequestRef pr, String author, boolean bot, List<String> lines) {
    public Comment {
      lines = List.copyOf(lines);
    }
  }

  /** Some more lines than anybody needs: more than so many are not told. */
  int MOST_LINES = 21;

  /** New comments, the oldest first, and the mark after them. */
  record Comments(List<Comment> all, String mark) {
    public Comments {
      all = List.copyOf(all);
    }
  }

  /** The answer to a comment, for its writer to see. */
  enum Reaction {
    DONE,
    REFUSED
  }

  /**
   * The outside of a pull request: the branch it is for, its labels, and whether the host is to
   * merge it by itself when all is well.
   */
  record Cover(String baseBranch, boolean open, Set<String> labels, boolean armed) {
    public Cover {
      labels = Set.copyOf(labels);
    }
  }

  /** The covers that may have changed, those of closed ones too, and the mark after them. */
  record Covers(Map<PullRequestRef, Cover> all, String mark) {
    public Covers {
      all = Map.copyOf(all);
    }
  }

  /** What somebody did to a pull request, by the host's own number: a sign was set, or taken. */
  record Deed(String id, String who, boolean set) {}

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

  /**
   * The comments since a mark, on whatever pull request, edits left out: what was told once is not
   * told again. Without a mark none, and the mark of now.
   */
  default Comments comments(Optional<String> since) {
    throw unable();
  }

  /** Answers a comment; one that is gone does not matter. */
  default void react(PullRequestRef pr, String comment, Reaction reaction) {
    throw unable();
  }

  /** A pull request from outside; empty where there is none of this number. */
  default Optional<Cover> cover(PullRequestRef pr) {
    throw unable();
  }

  /** The covers of pull requests that may have changed since a mark; without one, all open ones. */
  default Covers covers(Optional<String> since) {
    throw unable();
  }

  /** The last that was done with a label; empty where nothing is known. */
  default Optional<Deed> labelled(PullRequestRef pr, String label) {
    throw unable();
  }

  /** The last that was done with the merge by the host itself; empty where nothing is known. */
  default Optional<Deed> armed(PullRequestRef pr) {
    throw unable();
  }

  /**
   * Takes back the merge by the host itself, once a queue has taken it over; false where somebody
   * else took it back before.
   */
  default boolean disarm(PullRequestRef pr) {
    throw unable();
  }

  /** Sets and takes labels, made where there are none of that name; others stay. */
  default void label(PullRequestRef pr, Set<String> set, Set<String> take) {
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
