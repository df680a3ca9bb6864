package dev.mainstay.core.queue;

import dev.mainstay.core.code.CommitSha;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A pull request as the forge showed it at {@code asOf}; an older snapshot never replaces a newer
 * one. {@code mergeBase} is the commit of the target branch it was last brought up to date with,
 * {@code passedStatuses} what has succeeded on its head commit. {@code heldBy} is a commit of the
 * target branch that holds all it changes already, {@code empty} says that it changes nothing since
 * its merge base. {@code obstacles} are what the forge asks for before it may merge, a sentence
 * each. {@code author} and {@code changedFiles} are there where the forge tells.
 */
public record PullRequestSnapshot(
    CommitSha head,
    String baseBranch,
    Status status,
    Mergeability mergeability,
    Optional<CommitSha> mergeBase,
    Set<String> passedStatuses,
    Instant asOf,
    Optional<CommitSha> heldBy,
    boolean empty,
    List<String> obstacles,
    Optional<String> author,
    Optional<Integer> changedFiles) {
  public PullRequestSnapshot {
    obstacles = List.copyOf(obstacles);
    passedStatuses = Collections.unmodifiableSet(new LinkedHashSet<>(passedStatuses));
  }

  /** A pull request that brings something. */
  public PullRequestSnapshot(
      CommitSha head,
      String baseBranch,
      Status status,
      Mergeability mergeability,
      Optional<CommitSha> mergeBase,
      Set<String> passedStatuses,
      Instant asOf) {
    this(
        head,
        baseBranch,
        status,
        mergeability,
        mergeBase,
        passedStatuses,
        asOf,
        Optional.empty(),
        false,
        List.of(),
        Optional.empty(),
        Optional.empty());
  }

  /** The pull request's status at the forge. */
  public enum Status {
    OPEN,
    DRAFT,
    CLOSED,
    MERGED
  }

  /** The forge's word on a merge of the pull request with the target branch itself. */
  public enum Mergeability {
    UNSPECIFIED,
    IN_PROGRESS,
    MERGEABLE,
    NOT_MERGEABLE
  }

  /** The same, of which the forge tells who wrote it and how large it is. */
  public PullRequestSnapshot by(Optional<String> writer, Optional<Integer> files) {
    return new PullRequestSnapshot(
        head,
        baseBranch,
        status,
        mergeability,
        mergeBase,
        passedStatuses,
        asOf,
        heldBy,
        empty,
        obstacles,
        writer,
        files);
  }

  /** The same, where this status has passed on the head commit, or has not. */
  public PullRequestSnapshot with(String name, boolean passed) {
    var statuses = new LinkedHashSet<>(passedStatuses);
    if (passed) {
      statuses.add(name);
    } else {
      statuses.remove(name);
    }
    return new PullRequestSnapshot(
        head,
        baseBranch,
        status,
        mergeability,
        mergeBase,
        statuses,
        asOf,
        heldBy,
        empty,
        obstacles,
        author,
        changedFiles);
  }

  /** The same, with another answer to whether it merges. */
  public PullRequestSnapshot with(Mergeability answer) {
    return new PullRequestSnapshot(
        head,
        baseBranch,
        status,
        answer,
        mergeBase,
        passedStatuses,
        asOf,
        heldBy,
        empty,
        obstacles,
        author,
        changedFiles);
  }
}
