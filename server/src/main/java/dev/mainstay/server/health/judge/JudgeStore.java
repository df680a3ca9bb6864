package dev.mainstay.server.health.judge;

import dev.mainstay.core.health.HistoryNeed;
import dev.mainstay.server.health.result.FeedStore.Arrived;
import dev.mainstay.server.platform.Columns;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/** The tables {@code judge_cursor} and {@code judge_due}: the tests that are to be judged. */
final class JudgeStore {
  private JudgeStore() {}

  /** Begins the judging of a repository, with its first monitors, unless it has begun. */
  static void setUp(Handle handle, long repositoryId, Instant now) {
    int made =
        handle.execute(
            "INSERT INTO judge_cursor (repository_id, stamp) VALUES (?, 0) ON CONFLICT DO NOTHING",
            repositoryId);
    if (made == 1) {
      MonitorStore.insertFirst(handle, repositoryId, now);
    }
  }

  /**
   * Locks the judging of a repository. Judgements share this lock; a change of monitors has it
   * alone, so that no judgement by the old ones comes after.
   */
  static void lock(Handle handle, long repositoryId, boolean alone) {
    handle.execute(
        "SELECT FROM judge_cursor WHERE repository_id = ? " + (alone ? "FOR UPDATE" : "FOR SHARE"),
        repositoryId);
  }

  /** Repositories that have uploads nobody has looked through. */
  static List<Long> behind(Handle handle) {
    return handle
        .select(
            """
            SELECT f.repository_id FROM result_feed_view f LEFT JOIN judge_cursor c USING (repository_id)
            WHERE f.stamp > coalesce(c.stamp, 0) ORDER BY f.repository_id
            """)
        .mapTo(Long.class)
        .list();
  }

  /** The cursor of a repository, locked; empty while another node has it. */
  static Optional<Long> lockCursor(Handle handle, long repositoryId) {
    return handle
        .select(
            "SELECT stamp FROM judge_cursor WHERE repository_id = ? FOR UPDATE SKIP LOCKED",
            repositoryId)
        .mapTo(Long.class)
        .findOne();
  }

  static void moveCursor(Handle handle, long repositoryId, long stamp) {
    handle.execute(
        "UPDATE judge_cursor SET stamp = ? WHERE repository_id = ?", stamp, repositoryId);
  }

  /** Marks tests that went both ways on the commits of some uploads. */
  static void markSplit(Handle handle, long repositoryId, Collection<String> commits) {
    handle
        .createUpdate(
            """
            INSERT INTO judge_due (repository_id, test_id)
            SELECT DISTINCT repository_id, test_id FROM commit_failure_view
            WHERE repository_id = :repository AND commit_sha = ANY (:commits) AND passes > 0 AND failures > 0
            ORDER BY test_id
            ON CONFLICT DO NOTHING
            """)
        .bind("repository", repositoryId)
        .bindArray("commits", String.class, commits)
        .execute();
  }

  /**
   * Marks tests of some uploads that failed since a time, in them or before, or are not healthy.
   */
  static void markRun(Handle handle, long repositoryId, List<Arrived> uploads, Instant since) {
    handle
        .createUpdate(
            """
            WITH ran AS MATERIALIZED (
              SELECT DISTINCT test_id FROM run_view
              WHERE repository_id = :repository AND upload_id = ANY (:uploads)
                AND ran_at >= :from AND ran_at <= :to
            )
            INSERT INTO judge_due (repository_id, test_id)
            SELECT :repository, test_id FROM ran WHERE
              EXISTS (SELECT FROM recent_failure_view f
                WHERE f.repository_id = :repository AND f.test_id = ran.test_id AND f.failed_at >= :since)
              OR EXISTS (SELECT FROM test_view t
                WHERE t.repository_id = :repository AND t.id = ran.test_id AND t.status <> 'healthy')
            ORDER BY test_id
            ON CONFLICT DO NOTHING
            """)
        .bind("repository", repositoryId)
        .bindArray("uploads", Long.class, uploads.stream().map(Arrived::uploadId).toList())
        .bind("from", uploads.stream().map(Arrived::from).min(Instant::compareTo))
        .bind("to", uploads.stream().map(Arrived::to).max(Instant::compareTo))
        .bind("since", since)
        .execute();
  }

  /** Marks every test that some monitors may have something to say about. */
  static void markAll(Handle handle, long repositoryId, HistoryNeed need) {
    handle
        .createUpdate(
            """
            INSERT INTO judge_due (repository_id, test_id)
            SELECT :repository, id FROM test_view WHERE repository_id = :repository AND status <> 'healthy'
            UNION
            SELECT :repository, id FROM test_view WHERE repository_id = :repository AND review_at IS NOT NULL
            UNION
            SELECT :repository, test_id FROM commit_failure_view
            WHERE repository_id = :repository AND passes > 0 AND last_ran_at >= CAST(:splits AS timestamptz)
            UNION
            SELECT :repository, test_id FROM recent_failure_view
            WHERE repository_id = :repository AND failed_at >= CAST(:hours AS timestamptz)
            ON CONFLICT DO NOTHING
            """)
        .bind("repository", repositoryId)
        .bind("splits", need.splitsSince())
        .bind("hours", need.hoursSince())
        .execute();
  }

  static void mark(Handle handle, long repositoryId, UUID test) {
    handle.execute(
        "INSERT INTO judge_due (repository_id, test_id) VALUES (?, ?) ON CONFLICT DO NOTHING",
        repositoryId,
        test);
  }

  /** Tests whose judgement may have changed by time alone and that are not marked, some of them. */
  static Map<Long, List<UUID>> toReview(Handle handle, Instant now, int most) {
    var tests = new TreeMap<Long, List<UUID>>();
    handle
        .select(
            """
            SELECT t.repository_id, t.id FROM test_view t WHERE t.review_at <= ? AND NOT EXISTS (
              SELECT FROM judge_due d WHERE d.repository_id = t.repository_id AND d.test_id = t.id)
            LIMIT ?
            """,
            now,
            most)
        .map((row, context) -> Map.entry(row.getLong(1), row.getObject(2, UUID.class)))
        .forEach(
            one -> tests.computeIfAbsent(one.getKey(), r -> new ArrayList<>()).add(one.getValue()));
    return tests;
  }

  /**
   * Marks tests; returns how many. No test is locked: whoever judges one holds its mark and waits
   * for the test, and the two would wait in a circle.
   */
  static int mark(Handle handle, long repositoryId, Collection<UUID> tests) {
    return handle
        .createUpdate(
            """
            INSERT INTO judge_due (repository_id, test_id)
            SELECT :repository, test FROM unnest(:tests) AS t (test) ORDER BY test
            ON CONFLICT DO NOTHING
            """)
        .bind("repository", repositoryId)
        .bind("tests", Columns.ids(tests, test -> test))
        .execute();
  }

  /** The first repository after one that has a marked test. */
  static Optional<Long> dueAfter(Handle handle, long repositoryId) {
    return handle
        .select(
            "SELECT repository_id FROM judge_due WHERE repository_id > ? ORDER BY repository_id LIMIT 1",
            repositoryId)
        .mapTo(Long.class)
        .findOne();
  }

  /**
   * Takes some tests to judge: their marks are gone when this transaction is. Those to take are
   * chosen once: as a part of the join they could be chosen again for each row.
   */
  static List<UUID> take(Handle handle, long repositoryId, int most) {
    return handle
        .select(
            """
            WITH due AS MATERIALIZED (
              SELECT repository_id, test_id FROM judge_due WHERE repository_id = ?
              ORDER BY test_id LIMIT ? FOR UPDATE SKIP LOCKED
            )
            DELETE FROM judge_due d USING due
            WHERE d.repository_id = due.repository_id AND d.test_id = due.test_id
            RETURNING d.test_id
            """,
            repositoryId,
            most)
        .mapTo(UUID.class)
        .list();
  }
}
