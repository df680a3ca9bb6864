package dev.mainstay.server.health.ingest;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/**
 * The tables {@code result_feed} and {@code arrival}: in which order uploads became visible. The
 * number of an upload tells nothing of that, since it is taken before its transaction begins.
 */
public final class FeedStore {
  private FeedStore() {}

  /**
   * Stamps an upload, as the last statement of its transaction: from here to its end, other uploads
   * of the repository wait.
   */
  static void arrived(
      Handle handle, long repositoryId, long uploadId, Optional<Instant> earliestRun) {
    handle
        .createUpdate(
            """
            WITH next AS (
              INSERT INTO result_feed AS f (repository_id, stamp, unfolded_from) VALUES (:repository, 1, :hour)
              ON CONFLICT (repository_id) DO UPDATE
                SET stamp = f.stamp + 1, unfolded_from = least(f.unfolded_from, excluded.unfolded_from)
              RETURNING stamp
            )
            INSERT INTO arrival (repository_id, stamp, upload_id) SELECT :repository, stamp, :upload FROM next
            """)
        .bind("repository", repositoryId)
        .bind("upload", uploadId)
        .bind("hour", earliestRun.map(time -> time.truncatedTo(ChronoUnit.HOURS)))
        .execute();
  }

  /** Forgets the arrival of uploads that are forgotten themselves; returns how many. */
  public static int deleteExpired(Handle handle, int most) {
    return handle.execute(
        """
        DELETE FROM arrival a USING (
          SELECT a.repository_id, a.stamp FROM result_feed f
          CROSS JOIN LATERAL (
            SELECT a.repository_id, a.stamp FROM arrival a
            WHERE a.repository_id = f.repository_id AND a.upload_id < coalesce((
              SELECT u.id FROM upload u WHERE u.repository_id = f.repository_id ORDER BY u.id LIMIT 1
            ), 9223372036854775807)
            LIMIT ?
          ) a
          LIMIT ?
        ) old WHERE a.repository_id = old.repository_id AND a.stamp = old.stamp
        """,
        most,
        most);
  }
}
