package dev.mainstay.server.queue;

import dev.mainstay.core.queue.ImpactedTargets;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.Reason;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * All that happened to a pull request in a queue: its submissions, the newest first. {@code
 * pullRequest} is the newest of them, with its impacted targets where they are known.
 */
public record PullRequestStory(
    PullRequestView pullRequest,
    Optional<ImpactedTargets> impactedTargets,
    List<Submission> submissions) {
  static final int MOST_SUBMISSIONS = 20;
  static final int MOST_MOVES = 200;

  public PullRequestStory {
    submissions = List.copyOf(submissions);
  }

  /** A submission with its last moves and the test runs that these are about, both in order. */
  public record Submission(
      String id,
      Instant submittedAt,
      Optional<Instant> endedAt,
      PullRequestState state,
      Reason reason,
      List<Move> moves,
      List<String> testRunIds) {
    public Submission {
      moves = List.copyOf(moves);
      testRunIds = List.copyOf(testRunIds);
    }
  }

  /** A move to a state, or the same one begun again, and the run that it is about. */
  public record Move(
      Instant at, PullRequestState state, Reason reason, Optional<String> testRunId) {}
}
