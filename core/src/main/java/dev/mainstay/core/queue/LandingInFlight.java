package dev.mainstay.core.queue;

import dev.mainstay.core.code.CommitSha;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The one merge that has been asked for and not yet answered: of these groups, proven by the last
 * of them. Moves of the target branch that are told meanwhile wait here, until it is known which of
 * them were our own.
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

  public LandingInFlight holding(QueueEvent.TargetMoved move) {
    var moves = new ArrayList<>(heldMoves);
    moves.add(move);
    return new LandingInFlight(id, groups, onto, requestedAt, moves);
  }

  public LandingInFlight askedAgain(Instant at) {
    return new LandingInFlight(id, groups, onto, at, heldMoves);
  }
}
