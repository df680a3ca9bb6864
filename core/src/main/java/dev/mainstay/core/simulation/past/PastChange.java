package dev.mainstay.core.simulation.past;

import dev.mainstay.core.queue.Change;
import dev.mainstay.core.queue.ImpactedTargets;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.ReasonCode;
import dev.mainstay.core.simulation.world.SimulatedChange.Origin;
import java.time.Instant;
import java.util.Optional;

/**
 * One submission that has ended.
 *
 * @param change the pull request and the head commit that was tested
 * @param arrived when it was first let in; empty where it never was
 */
public record PastChange(
    Change change,
    Optional<Instant> arrived,
    Instant ended,
    PullRequestState end,
    ReasonCode reason,
    Optional<ImpactedTargets> targets,
    Origin origin) {

  boolean landed() {
    return end == PullRequestState.MERGED && reason == ReasonCode.MERGED_BY_QUEUE;
  }

  /** The tests, or a conflict with those ahead, decided how it ended. */
  boolean wasJudged() {
    return landed()
        || (end == PullRequestState.FAILED
            && (reason == ReasonCode.TEST_FAILED
                || reason == ReasonCode.TEST_TIMEOUT
                || reason == ReasonCode.MERGE_CONFLICT));
  }
}
