package dev.mainstay.core.queue;

import dev.mainstay.core.code.CommitSha;
import java.time.Instant;
import java.util.List;

/**
 * The one merge that has been asked for and not yet answered. Moves of the target branch that are
 * told meanwhile wait here, until it is known which of them were our own.
 */
public record LandingInFlight(
    LandingId id,
    List<GroupId> groups,
    CommitSha onto,
    Instant requestedAt,
    List<QueueEvent.TargetMoved> heldMoves) {
  public LandingInFlight {
    groups = List.copyOf(groups);
    heldMoves = List.copyOf(heldMoves);
  }
}
