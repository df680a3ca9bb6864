package dev.mainstay.server.queue.store;

import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.server.platform.Convoy;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** The table {@code queue_event}. */
public final class EventStore {
  private EventStore() {}

  /**
   * A row of the log: the events of one transaction in their order, or the whole state at that
   * moment.
   */
  public record Logged(long seq, Instant at, String json) {}

  /** Logs the events of one transaction. {@code seq} is the version that they led to. */
  public static void insert(
      Convoy convoy, long queueId, long seq, Instant at, List<QueueEvent> events) {
    if (!events.isEmpty()) {
      convoy.add(
          "INSERT INTO queue_event (queue_id, seq, at, event) VALUES (:queue, :seq, :at, CAST(:event AS json))",
          new Convoy.Values()
              .with("queue", queueId)
              .with("seq", seq)
              .with("at", at)
              .with("event", StoredJson.events(events)));
    }
  }

  /** Begins the log of a queue; {@code seq} is the version it begins with. */
  public static void begin(Handle handle, long queueId, long seq, QueueState state, Instant now) {
    state(handle, queueId, seq, state, now);
  }

  /** Deletes the log of a queue that is deleted itself. */
  public static void deleteAll(Handle handle, long queueId) {
    handle.execute("DELETE FROM queue_event WHERE queue_id = ?", queueId);
  }

  /** Writes the whole state, so that the log can be played from here. */
  public static void state(Handle handle, long queueId, long seq, QueueState state, Instant now) {
    handle.execute(
        "INSERT INTO queue_event (queue_id, seq, at, event, whole) VALUES (?, ?, ?, CAST(? AS json), true)",
        queueId,
        seq,
        now,
        StoredJson.state(state));
  }

  /** The first row that the log can be played from; empty where it has none. */
  public static Optional<Long> first(Handle handle, long queueId) {
    return handle
        .select("SELECT min(seq) FROM queue_event WHERE queue_id = ? AND whole", queueId)
        .mapTo(Long.class)
        .findOne();
  }

  /** Queues with events since their last logged state, which is older than that. */
  public static List<Long> withoutState(Handle handle, Instant since) {
    return handle
        .select(
            """
            SELECT q.id FROM merge_queue q CROSS JOIN LATERAL (
              SELECT seq, at FROM queue_event e WHERE e.queue_id = q.id AND whole ORDER BY seq DESC LIMIT 1
            ) s
            WHERE s.at <= ? AND EXISTS (SELECT 1 FROM queue_event e WHERE e.queue_id = q.id AND e.seq > s.seq)
            """,
            since)
        .mapTo(Long.class)
        .list();
  }

  /** Deletes some rows before a state that is this old itself; returns how many. */
  public static int deleteBefore(Handle handle, Instant time, int most) {
    return handle.execute(
        """
        DELETE FROM queue_event d USING (
          SELECT e.queue_id, e.seq FROM merge_queue q CROSS JOIN LATERAL (
            SELECT max(seq) AS seq FROM queue_event w WHERE w.queue_id = q.id AND whole AND w.at <= ?
          ) s JOIN queue_event e ON e.queue_id = q.id AND e.seq < s.seq
          ORDER BY e.queue_id, e.seq LIMIT ?
        ) o WHERE d.queue_id = o.queue_id AND d.seq = o.seq
        """,
        time,
        most);
  }

  /** The next rows after one, in order. */
  public static List<Logged> after(Handle handle, long queueId, long seq, int most) {
    return handle
        .select(
            "SELECT seq, at, event FROM queue_event WHERE queue_id = ? AND seq > ? ORDER BY seq LIMIT ?",
            queueId,
            seq,
            most)
        .map(
            (row, context) ->
                new Logged(row.getLong(1), row.getTimestamp(2).toInstant(), row.getString(3)))
        .list();
  }
}
