package dev.mainstay.core.queue;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import java.time.Instant;
import java.util.Optional;

/**
 * A pull request in the queue, from its submission to its end. {@code readySince} is when it was
 * first let in with its present head; {@code companions} names the group it came out of a bisection
 * with: those are tested together again and with nobody else. {@code leaving} is why it must go,
 * once that is known.
 */
public record Entry(
    EntryId id,
    PullRequestRef pr,
    Priority priority,
    boolean noBatch,
    Optional<PullRequestSnapshot> snapshot,
    Optional<HeadTargets> targets,
    PullRequestState state,
    Reason reason,
    Instant stateChangedAt,
    Instant submittedAt,
    Optional<Instant> readySince,
    Optional<GroupId> companions,
    Optional<Reason> leaving) {

  /** The head commit the forge showed last. */
  public Optional<CommitSha> head() {
    return snapshot.map(PullRequestSnapshot::head);
  }

  /** The impacted targets, where they are known for the present head commit. */
  public Optional<ImpactedTargets> knownTargets() {
    return targets.filter(t -> head().equals(Optional.of(t.head()))).map(HeadTargets::targets);
  }

  public boolean is(PullRequestState wanted) {
    return state == wanted;
  }
}
