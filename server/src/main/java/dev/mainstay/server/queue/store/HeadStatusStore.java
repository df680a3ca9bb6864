package dev.mainstay.server.queue.store;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.queue.CheckState;
import java.time.Instant;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/** The table {@code head_status}. */
public final class HeadStatusStore {
  private HeadStatusStore() {}

  /** Keeps the last word on a status; false where the commit would have more than {@code most}. */
  public static boolean set(
      Handle handle,
      long queueId,
      CommitSha head,
      String name,
      CheckState state,
      Instant now,
      int most) {
    return handle
            .createUpdate(
                """
                INSERT INTO head_status (queue_id, head, name, state, reported_at)
                SELECT :queue, :head, :name, :state, :now
                WHERE EXISTS (SELECT FROM head_status WHERE queue_id = :queue AND head = :head AND name = :name)
                  OR (SELECT count(*) FROM head_status WHERE queue_id = :queue AND head = :head) < :most
                ON CONFLICT (queue_id, head, name) DO UPDATE
                  SET state = excluded.state, reported_at = excluded.reported_at
                """)
            .bind("queue", queueId)
            .bind("head", head.value())
            .bind("name", name)
            .bind("state", state.name())
            .bind("now", now)
            .bind("most", most)
            .execute()
        == 1;
  }

  /** The statuses that have passed on a commit. */
  public static Set<String> passed(Handle handle, long queueId, CommitSha head) {
    return handle
        .select(
            "SELECT name FROM head_status WHERE queue_id = ? AND head = ? AND state = 'SUCCESS' ORDER BY name",
            queueId,
            head.value())
        .mapTo(String.class)
        .set();
  }

  /** Deletes some that were reported before that; returns how many. */
  public static int deleteBefore(Handle handle, Instant time, int most) {
    return handle.execute(
        """
        DELETE FROM head_status t USING (
          SELECT queue_id, head, name FROM head_status WHERE reported_at < ? ORDER BY reported_at LIMIT ?
        ) o WHERE t.queue_id = o.queue_id AND t.head = o.head AND t.name = o.name
        """,
        time,
        most);
  }
}
