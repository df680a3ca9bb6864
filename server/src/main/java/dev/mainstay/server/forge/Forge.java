package dev.mainstay.server.forge;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A connected repository at its forge: where everything is now, its pull requests, and what can be
 * done with it. Git is one part of that; the other is the {@link Host}, which plain git has not.
 * Every call may be repeated, and may throw {@link ForgeUnavailable} or {@link CredentialsRefused};
 * whatever else can go wrong is part of the answer.
 */
public interface Forge extends AutoCloseable {
  /** The heads of all open pull requests and branches: enough to notice what moved. */
  record Heads(Map<PullRequestRef, CommitSha> pullRequests, Map<String, CommitSha> branches) {}

  /** The answer to a look. */
  sealed interface Look {
    /** Everything as it is now, and a mark by which a later look can tell whether it still is. */
    record Seen(Heads heads, String mark) implements Look {}

    /** Everything is as it was at the look that gave the mark. */
    record Unchanged() implements Look {}
  }

  /**
   * A pull request as it stands now. {@code mergeBase} is the newest commit it shares with the
   * target branch, {@code passedStatuses} what the forge says succeeded on its head. {@code heldBy}
   * is the head of the target branch where that holds all it changes, {@code empty} says that it
   * changes nothing since its merge base. {@code obstacles} are what the forge itself asks for
   * before it would merge, a sentence each. {@code changedFiles} is there where the host counts
   * them.
   */
  record PullRequestView(
      CommitSha head,
      String title,
      String description,
      String author,
      String url,
      String baseBranch,
      Status status,
      Mergeability mergeability,
      Optional<CommitSha> mergeBase,
      List<String> passedStatuses,
      Optional<CommitSha> heldBy,
      boolean empty,
      List<String> obstacles,
      Optional<Integer> changedFiles) {
    public PullRequestView {
      passedStatuses = List.copyOf(passedStatuses);
      obstacles = List.copyOf(obstacles);
    }
  }

  enum Status {
    OPEN,
    DRAFT,
    CLOSED,
    MERGED
  }

  enum Mergeability {
    UNSPECIFIED,
    IN_PROGRESS,
    MERGEABLE,
    NOT_MERGEABLE
  }

  /** Looks where everything is, as cheaply as it can; never unchanged without a mark. */
  Look look(Optional<String> mark);

  /** The heads as they are now. */
  default Heads heads() {
    return switch (look(Optional.empty())) {
      case Look.Seen seen -> seen.heads();
      case Look.Unchanged() -> throw new IllegalStateException("unchanged since nothing");
    };
  }

  /** A pull request, seen from this target branch; empty where there is none of this number. */
  Optional<PullRequestView> pullRequest(PullRequestRef pr, String targetBranch);

  /**
   * Those of several pull requests that are there, where to look at many costs little more than to
   * look at one; empty where each is to be looked at on its own.
   */
  default Optional<Map<PullRequestRef, PullRequestView>> pullRequests(
      Set<PullRequestRef> prs, String targetBranch) {
    return Optional.empty();
  }

  /** The statuses that the protection of a branch requires; empty where nothing is said. */
  Optional<List<String>> requiredStatuses(String targetBranch);

  /** Looks whether everything is set up for queues of these branches; what is right is told too. */
  List<Finding> findings(Set<String> targetBranches);

  GitRepository git();

  /** The abilities of this forge beyond git; none where it has no host. */
  Abilities abilities();

  /** The host beyond git; empty on plain git. */
  Optional<Host> host();

  /** Something that people should know of the repository, by what was seen so far. */
  default Optional<String> notice() {
    return Optional.empty();
  }

  /** The requests to the host, for whoever watches that; empty on plain git. */
  default Optional<HostUsage> usage() {
    return Optional.empty();
  }

  /**
   * Closes it for good, with all that this node kept of it. False while somebody still works with
   * it, who is let to the end of that: ask again later. Nothing more begins.
   */
  default boolean retire() {
    close();
    return true;
  }

  @Override
  void close();
}
