package dev.mainstay.server.queue.store;

import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.Reason;
import dev.mainstay.core.queue.ReasonCode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** What happened to entries, from their transitions. */
public final class StoryStore {
  private StoryStore() {}

  /** A move of an entry to a state, and the run that it is about. */
  public record Move(Instant at, PullRequestState state, Reason reason, Optional<Long> run) {}

  private record OfEntry(long entry, Move move) {}

  /** The last moves of each entry, in order. */
  public static Map<Long, List<Move>> moves(
      Handle handle, long queueId, Collection<Long> entries, int mostOfEach) {
    var moves = new HashMap<Long, List<Move>>();
    handle
        .createQuery(
            """
            SELECT e.entry, t.at, t.to_state, t.reason_code, t.reason, t.run
            FROM unnest(:entries) AS e (entry) CROSS JOIN LATERAL (
              SELECT * FROM pull_request_transition
              WHERE queue_id = :queue AND entry = e.entry ORDER BY number DESC LIMIT :most
            ) t ORDER BY t.number
            """)
        .bind("queue", queueId)
        .bindArray("entries", Long.class, entries)
        .bind("most", mostOfEach)
        .map(
            (row, context) -> {
              long run = row.getLong("run");
              boolean hasRun = !row.wasNull();
              return new OfEntry(
                  row.getLong("entry"),
                  new Move(
                      row.getTimestamp("at").toInstant(),
                      PullRequestState.valueOf(row.getString("to_state")),
                      new Reason(
                          ReasonCode.valueOf(row.getString("reason_code")),
                          row.getString("reason")),
                      hasRun ? Optional.of(run) : Optional.empty()));
            })
        .forEach(m -> moves.computeIfAbsent(m.entry(), e -> new ArrayList<>()).add(m.move()));
    return moves;
  }
}
