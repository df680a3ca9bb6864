package dev.mainstay.server.health.ingest;

import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/**
 * The rows that an upload adds to the tables that grow with every one: {@code test}, {@code run},
 * {@code failure}, and the roll-ups {@code recent_failure}, {@code test_hour} and {@code
 * commit_failure}. Rows that uploads may meet at are written in the order of their keys, so that
 * they wait for each other and never in a circle.
 */
public final class ResultStore {
  private ResultStore() {}

  static void copyRuns(Handle handle, UploadBatch batch, CopyRows hours) {
    copy(
        handle,
        "run",
        "repository_id, test_id, ran_at, upload_id, duration_ms, retention_days, outcome, attempt",
        batch.runs);
    copy(
        handle,
        "failure",
        "repository_id, test_id, ran_at, upload_id, retention_days, outcome, attempt, branch_class,"
            + " pr_number, commit_sha, type, message, stack",
        batch.failures);
    copy(
        handle,
        "recent_failure",
        "repository_id, test_id, failed_at, upload_id, shape, pr_number, title",
        batch.recentFailures);
    copy(
        handle,
        "test_hour",
        "repository_id, test_id, hour, last_failed_at, passes, failures, skips, retention_days",
        hours);
  }

  static void stageTests(Handle handle, CopyRows tests) {
    handle.execute(
        """
        CREATE TEMP TABLE IF NOT EXISTS incoming_test (
          id uuid, name text, variant text, parent text, file text, classname text, codeowners text[]
        ) ON COMMIT DELETE ROWS
        """);
    copy(handle, "incoming_test", "id, name, variant, parent, file, classname, codeowners", tests);
  }

  static void stageCommit(Handle handle, CopyRows rows) {
    handle.execute(
        """
        CREATE TEMP TABLE IF NOT EXISTS incoming_hour (
          test_id uuid, hour timestamptz, last_failed_at timestamptz, first_passed_at timestamptz, passes integer,
          failures integer
        ) ON COMMIT DELETE ROWS
        """);
    copy(
        handle,
        "incoming_hour",
        "test_id, hour, last_failed_at, first_passed_at, passes, failures",
        rows);
  }

  /** Makes the tests known that were not; returns how many. */
  static int addTests(Handle handle, long repositoryId, Instant now) {
    return handle.execute(
        """
        INSERT INTO test (repository_id, id, name, variant, parent, file, classname, codeowners, first_seen_at)
        SELECT ?, id, name, variant, parent, file, classname, codeowners, ? FROM incoming_test ORDER BY id
        ON CONFLICT DO NOTHING
        """,
        repositoryId,
        now);
  }

  static void updateOwners(Handle handle, long repositoryId) {
    // Without statistics of the temporary table the planner would read all tests of all
    // repositories.
    handle.execute("SET LOCAL enable_hashjoin = off");
    handle.execute("SET LOCAL enable_mergejoin = off");
    handle.execute(
        """
        UPDATE test t SET codeowners = i.codeowners FROM incoming_test i
        WHERE t.repository_id = ? AND t.id = i.id AND t.codeowners IS DISTINCT FROM i.codeowners
        """,
        repositoryId);
    handle.execute("SET LOCAL enable_hashjoin = on");
    handle.execute("SET LOCAL enable_mergejoin = on");
  }

  /** Uploads of one commit take turns from here to the end of the transaction. */
  static void lockCommit(Handle handle, long repositoryId, String commit) {
    handle.execute(
        "SELECT pg_advisory_xact_lock(hashtextextended(?, 0))", repositoryId + "@" + commit);
  }

  /**
   * Adds this upload to the known failures of its commit; returns how many of its tests passed now
   * after a failure in an earlier upload.
   */
  static int addToKnownFailures(Handle handle, long repositoryId, String commit) {
    return handle
        .createQuery(
            """
            WITH now AS (
              SELECT test_id, sum(passes)::int AS passes, sum(failures)::int AS failures, max(hour) AS hour,
                max(last_failed_at) AS failed_at, min(first_passed_at) AS passed_at
              FROM incoming_hour GROUP BY test_id
            ), known AS (
              UPDATE commit_failure c SET passes = c.passes + n.passes, failures = c.failures + n.failures,
                last_ran_at = greatest(c.last_ran_at, n.hour),
                last_failed_at = greatest(c.last_failed_at, n.failed_at),
                first_passed_at = least(c.first_passed_at, n.passed_at)
              FROM now n
              WHERE c.repository_id = :repository AND c.commit_sha = :commit AND c.test_id = n.test_id
              RETURNING n.passes, n.failures
            )
            SELECT count(*) FROM known WHERE passes > 0 AND failures = 0
            """)
        .bind("repository", repositoryId)
        .bind("commit", commit)
        .mapTo(Integer.class)
        .one();
  }

  /** True where a test is known to have failed on a commit. */
  static boolean hasFailed(Handle handle, long repositoryId, String commit) {
    return handle
        .select(
            "SELECT EXISTS (SELECT FROM commit_failure WHERE repository_id = ? AND commit_sha = ?)",
            repositoryId,
            commit)
        .mapTo(Boolean.class)
        .one();
  }

  /** Keeps the failures that are new for the commit, with the passes of its earlier uploads. */
  static void addNewFailures(
      Handle handle,
      long repositoryId,
      String commit,
      String branch,
      List<Long> earlierUploads,
      Instant since) {
    handle
        .createUpdate(
            """
            INSERT INTO commit_failure
              (repository_id, commit_sha, test_id, branch, failures, passes, first_failed_at, last_failed_at,
                first_passed_at, last_ran_at)
            SELECT :repository, :commit, i.test_id, :branch, i.failures, i.passes + before.passes,
              i.first_failed_at, i.last_failed_at, least(i.passed_at, before.passed_at), i.hour
            FROM (
              SELECT test_id, sum(failures) AS failures, sum(passes) AS passes,
                min(last_failed_at) AS first_failed_at, max(last_failed_at) AS last_failed_at,
                min(first_passed_at) AS passed_at, max(hour) AS hour
              FROM incoming_hour GROUP BY test_id HAVING sum(failures) > 0
            ) i
            CROSS JOIN LATERAL (
              SELECT count(*) AS passes, min(r.ran_at) AS passed_at FROM run r
              WHERE r.repository_id = :repository AND r.test_id = i.test_id AND r.ran_at >= :since
                AND r.upload_id = ANY (:earlier) AND r.outcome = 0
            ) before
            ORDER BY i.test_id
            ON CONFLICT DO NOTHING
            """)
        .bind("repository", repositoryId)
        .bind("commit", commit)
        .bind("branch", branch)
        .bind("since", since)
        .bindArray("earlier", Long.class, earlierUploads)
        .execute();
  }

  /** The quarantined ones of some tests; the switches say that quarantining is on. */
  static List<UUID> quarantined(
      Handle handle, long repositoryId, Collection<UUID> ids, boolean automatic, Instant now) {
    return handle
        .createQuery(
            """
            SELECT id FROM test
            WHERE repository_id = :repository AND id = ANY (:ids) AND coalesce(
              CASE WHEN coalesce(override_until > :now, true)
                THEN quarantine_override = 'ALWAYS_QUARANTINE' END,
              :automatic AND status <> 'healthy')
            """)
        .bind("repository", repositoryId)
        .bind("now", now)
        .bindArray("ids", UUID.class, ids)
        .bind("automatic", automatic)
        .mapTo(UUID.class)
        .list();
  }

  /** The quarantined tests of a repository, as many as fit a bound. */
  static List<QuarantineConfig.Sent> allQuarantined(
      Handle handle, long repositoryId, boolean automatic, Instant now) {
    return handle
        .createQuery(
            """
            SELECT id, name, parent, classname, file, variant FROM test
            WHERE repository_id = :repository AND (status <> 'healthy' OR quarantine_override IS NOT NULL)
              AND coalesce(
                CASE WHEN coalesce(override_until > :now, true)
                  THEN quarantine_override = 'ALWAYS_QUARANTINE' END,
                :automatic AND status <> 'healthy')
            LIMIT 100000
            """)
        .bind("repository", repositoryId)
        .bind("now", now)
        .bind("automatic", automatic)
        .map(
            (row, context) ->
                new QuarantineConfig.Sent(
                    row.getString("id"),
                    row.getString("name"),
                    row.getString("parent"),
                    row.getString("classname"),
                    row.getString("file"),
                    row.getString("variant")))
        .list();
  }

  /** Forgets failures of commits past the retention, some at a time; returns how many. */
  public static int deleteExpired(Handle handle, Instant now, int most) {
    return handle
        .createUpdate(
            """
            DELETE FROM commit_failure c USING (
              SELECT c.repository_id, c.commit_sha, c.test_id FROM repository_view r
              JOIN commit_failure c ON c.repository_id = r.id
                AND c.last_ran_at < CAST(:now AS timestamptz) - make_interval(days => r.retention_days + 2)
              LIMIT :most
            ) old
            WHERE c.repository_id = old.repository_id AND c.commit_sha = old.commit_sha AND c.test_id = old.test_id
            """)
        .bind("now", now)
        .bind("most", most)
        .execute();
  }

  private static void copy(Handle handle, String table, String columns, CopyRows rows) {
    if (rows.rows() == 0) {
      return;
    }
    String sql = "COPY %s (%s) FROM STDIN (FORMAT binary)".formatted(table, columns);
    try {
      CopyIn copy = handle.getConnection().unwrap(PGConnection.class).getCopyAPI().copyIn(sql);
      try {
        rows.read((bytes, length) -> write(copy, bytes, length));
        copy.endCopy();
      } finally {
        if (copy.isActive()) {
          copy.cancelCopy();
        }
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void write(CopyIn copy, byte[] bytes, int length) {
    try {
      copy.writeToCopy(bytes, 0, length);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
