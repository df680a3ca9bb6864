package dev.mainstay.server.queue;

import dev.mainstay.core.queue.QueueState;
import java.time.Instant;
import java.util.List;
import org.jdbi.v3.core.Handle;

/** The table {@code queue_event}. */
final class EventStore {
  private EventStore() {}

  /** An event, or the state that a log begins with. */
  record Logged(long seq, Instant at, String json) {}

  static void insert(Handle handle, long queueId, List<Logged> events) {
    if (events.isEmpty()) {
      return;
    }
    var batch =
        handle.prepareBatch(
            "INSERT INTO queue_event (queue_id, seq, at, event) VALUES (?, ?, ?, CAST(? AS json))");
    events.forEach(e -> batch.add(queueId, e.seq(), e.at(), e.json()));
    batch.execute();
  }

  static void begin(Handle handle, long queueId, QueueState state, Instant now) {
    insert(handle, queueId, List.of(new Logged(0, now, StoredJson.state(state))));
  }

  /** The next rows after one, in order. */
  static List<Logged> after(Handle handle, long queueId, long seq, int most) {
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
