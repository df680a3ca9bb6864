package dev.mainstay.core.queue;

import dev.mainstay.core.code.PullRequestRef;
import java.time.Instant;
import java.util.Optional;

/**
 * A pull request changed its state, or began the same one again (a restarted test is TESTING to
 * TESTING). The first one of an entry comes from nowhere.
 */
public record Transition(
    EntryId entry,
    PullRequestRef pr,
    Optional<PullRequestState> from,
    PullRequestState to,
    Reason reason,
    Instant at) {
  /** It was further and waits for a slot again. */
  public boolean fallsBack() {
    return to == PullRequestState.PENDING
        && from.filter(f -> f != PullRequestState.NOT_READY).isPresent();
  }
}
