package dev.mainstay.server.queue.store;

import dev.mainstay.core.queue.ImpactedTargets;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;

/** The table {@code target_set}. */
public final class TargetSetStore {
  private static final Duration USED_AGAIN = Duration.ofDays(1);

  private TargetSetStore() {}

  /** Stores a list of targets that is too long to be written out, unless it is there. */
  public static void save(Handle handle, long queueId, ImpactedTargets targets, Instant now) {
    TargetSets.hash(targets).ifPresent(hash -> save(handle, queueId, hash, targets, now));
  }

  private static void save(
      Handle handle, long queueId, String hash, ImpactedTargets targets, Instant now) {
    byte[] key = HexFormat.of().parseHex(hash);
    handle.execute(
        """
        UPDATE target_set SET used_at = ? WHERE queue_id = ? AND hash = ? AND used_at < ?
        """,
        now,
        queueId,
        key,
        now.minus(USED_AGAIN));
    boolean known =
        handle
            .select("SELECT 1 FROM target_set WHERE queue_id = ? AND hash = ?", queueId, key)
            .mapTo(Integer.class)
            .findOne()
            .isPresent();
    if (!known) {
      handle.execute(
          """
          INSERT INTO target_set (queue_id, hash, names, used_at) VALUES (?, ?, ?, ?)
          ON CONFLICT DO NOTHING
          """,
          queueId,
          key,
          TargetSets.compressed(targets),
          now);
    }
  }

  /** Queues with lists that nobody has stored since that time. */
  public static List<Long> withUnused(Handle handle, Instant since) {
    return handle
        .select("SELECT DISTINCT queue_id FROM target_set WHERE used_at < ?", since)
        .mapTo(Long.class)
        .list();
  }

  /**
   * Deletes those of them that nothing names; the others are looked at again when they are that old
   * once more. Whoever stores one meanwhile either saves it from this, or stores it anew.
   */
  public static void deleteUnused(Handle handle, long queueId, Instant since, Instant now) {
    handle
        .createUpdate(
            """
            WITH texts AS (
              SELECT content::text AS text FROM pull_request WHERE queue_id = :queue
              UNION ALL SELECT targets::text FROM test_run WHERE queue_id = :queue
              UNION ALL SELECT targets::text FROM impacted_targets WHERE queue_id = :queue
              UNION ALL SELECT event::text FROM queue_event WHERE queue_id = :queue
              UNION ALL SELECT state::text || target::text || line::text || side::text
                FROM merge_queue WHERE id = :queue
            ), named AS (
              SELECT DISTINCT decode(m[1], 'hex') AS hash
              FROM texts, regexp_matches(text, '"([0-9a-f]{64})"', 'g') m
            ), kept AS (
              UPDATE target_set s SET used_at = :now FROM named n
              WHERE s.queue_id = :queue AND s.used_at < :since AND s.hash = n.hash
            )
            DELETE FROM target_set s WHERE s.queue_id = :queue AND s.used_at < :since
              AND NOT EXISTS (SELECT 1 FROM named n WHERE n.hash = s.hash)
            """)
        .bind("queue", queueId)
        .bind("since", since)
        .bind("now", now)
        .execute();
  }

  /** Finds lists of a queue by their hash. */
  public static Function<String, ImpactedTargets> reader(Handle handle, long queueId) {
    return hash ->
        TargetSets.decompressed(
            hash,
            handle
                .select(
                    "SELECT names FROM target_set WHERE queue_id = ? AND hash = ?",
                    queueId,
                    HexFormat.of().parseHex(hash))
                .mapTo(byte[].class)
                .one());
  }
}
