package dev.mainstay.core.queue.rules;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.Change;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.Reason;
import dev.mainstay.core.queue.ReasonCode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Batches that are not full yet: with a slot free, their members wait for others to come. How many
 * there are changes with every one that comes, so that it is found for whoever asks.
 */
final class Filling {
  private Filling() {}

  /** The reasons of those who wait for their batch to fill. */
  static Map<PullRequestRef, Reason> reasons(QueueState state) {
    Map<PullRequestRef, Reason> reasons = new HashMap<>();
    if (!state.settings().batch() || RunStart.freeSlots(state) <= 0) {
      return reasons;
    }
    int full = InForce.groupSize(state);
    for (Batching.Forming forming : Batching.form(state)) {
      Instant latest = forming.goesAt(state.settings());
      if (!latest.equals(Instant.MIN)) {
        List<Change> members = forming.members();
        Reason why = reason(members.size(), full, latest);
        members.forEach(m -> reasons.put(m.pr(), why));
      }
    }
    return reasons;
  }

  private static Reason reason(int size, int full, Instant latest) {
    return new Reason(
        ReasonCode.BATCH_FILLING,
        "It waits for its batch to fill: %d of %d, until %s at the latest."
            .formatted(size, full, latest.truncatedTo(ChronoUnit.SECONDS)));
  }
}
