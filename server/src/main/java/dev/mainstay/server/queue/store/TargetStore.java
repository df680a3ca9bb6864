package dev.mainstay.server.queue.store;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.ImpactedTargets;
import java.time.Instant;
import org.jdbi.v3.core.Handle;

/** The table {@code impacted_targets}. */
public final class TargetStore {
  private TargetStore() {}

  public static void set(
      Handle handle,
      long queueId,
      PullRequestRef pr,
      CommitSha head,
      ImpactedTargets targets,
      Instant now) {
    TargetSetStore.save(handle, queueId, targets, now);
    handle.execute(
        """
        INSERT INTO impacted_targets (queue_id, number, head, targets, set_at) VALUES (?, ?, ?, CAST(? AS json), ?)
        ON CONFLICT (queue_id, number, head) DO UPDATE SET targets = excluded.targets, set_at = excluded.set_at
        """,
        queueId,
        pr.number(),
        head.value(),
        StoredJson.targets(targets),
        now);
  }

  /** Deletes some that were set before that; returns how many. */
  public static int deleteBefore(Handle handle, Instant time, int most) {
    return handle.execute(
        """
        DELETE FROM impacted_targets t USING (
          SELECT queue_id, number, head FROM impacted_targets WHERE set_at < ? ORDER BY set_at LIMIT ?
        ) o WHERE t.queue_id = o.queue_id AND t.number = o.number AND t.head = o.head
        """,
        time,
        most);
  }
}
