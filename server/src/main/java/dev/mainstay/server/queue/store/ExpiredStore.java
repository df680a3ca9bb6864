package dev.mainstay.server.queue.store;

import java.time.Instant;
import org.jdbi.v3.core.Handle;

/**
 * Entries and test runs, with what hangs on them, that ended before the retention of their
 * organization began: deletes some at a time, and says how many.
 */
public final class ExpiredStore {
  private ExpiredStore() {}

  /** Deletes entries with their transitions, the longest ended first. */
  public static int deletePullRequests(Handle handle, Instant now, int most) {
    return handle
        .createUpdate(
            """
            WITH old AS MATERIALIZED (
              SELECT p.queue_id, p.entry FROM merge_queue q
              JOIN repository_view r ON r.id = q.repository_id
              JOIN pull_request p ON p.queue_id = q.id
                AND p.ended_at < CAST(:now AS timestamptz) - r.retention_days * interval '1 day'
              WHERE NOT p.open ORDER BY p.ended_at LIMIT :most
            ), transitions AS (
              DELETE FROM pull_request_transition t USING old
              WHERE t.queue_id = old.queue_id AND t.entry = old.entry
            )
            DELETE FROM pull_request p USING old WHERE p.queue_id = old.queue_id AND p.entry = old.entry
            """)
        .bind("now", now)
        .bind("most", most)
        .execute();
  }

  /**
   * Deletes runs with their statuses that no entry names any more, once their branches are gone.
   * Runs are numbered in their order: those from the first on that an ended entry still names stay
   * with it.
   */
  public static int deleteRuns(Handle handle, Instant now, int most) {
    return handle
        .createUpdate(
            """
            WITH kept AS MATERIALIZED (
              SELECT q.id, CAST(:now AS timestamptz) - r.retention_days * interval '1 day' AS since,
                (SELECT min(p.run) FROM pull_request p WHERE p.queue_id = q.id AND NOT p.open) AS first
              FROM merge_queue q JOIN repository_view r ON r.id = q.repository_id
            ), old AS MATERIALIZED (
              SELECT t.queue_id, t.run FROM kept k JOIN test_run t ON t.queue_id = k.id
              WHERE t.ended_at < k.since AND t.run < coalesce(k.first, t.run + 1) AND t.branch_deleted
                AND NOT EXISTS (SELECT 1 FROM pull_request p
                  WHERE p.queue_id = t.queue_id AND p.open AND p.run = t.run)
              LIMIT :most
            )
            DELETE FROM test_run t USING old WHERE t.queue_id = old.queue_id AND t.run = old.run
            """)
        .bind("now", now)
        .bind("most", most)
        .execute();
  }
}
