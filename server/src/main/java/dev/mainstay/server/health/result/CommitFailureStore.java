package dev.mainstay.server.health.result;

import java.time.Instant;
import java.util.List;
import org.jdbi.v3.core.Handle;

/**
 * The table {@code commit_failure}. Rows that uploads may meet at are written in the order of their
 * keys, so that they wait for each other and never in a circle.
 */
public final class CommitFailureStore {
  private CommitFailureStore() {}

  /** Uploads of one commit take turns from here to the end of the transaction. */
  public static void lockCommit(Handle handle, long repositoryId, String commit) {
    handle.execute(
        "SELECT pg_advisory_xact_lock(hashtextextended(?, 0))", repositoryId + "@" + commit);
  }

  /** Sets the outcomes of an upload down, for the statements of this transaction. */
  public static void stage(Handle handle, CommitRows outcomes) {
    handle.execute(
        """
        CREATE TEMP TABLE IF NOT EXISTS incoming_hour (
          test_id uuid, hour timestamptz, last_failed_at timestamptz, first_passed_at timestamptz, passes integer,
          failures integer
        ) ON COMMIT DELETE ROWS
        """);
    outcomes.rows.copy(
        handle,
        """
        COPY incoming_hour (test_id, hour, last_failed_at, first_passed_at, passes, failures)
        FROM STDIN (FORMAT binary)
        """);
  }

  /**
   * Adds the staged upload to the known failures of its job on its commit; returns how many of its
   * tests passed now after a failure in an earlier upload.
   */
  public static int addToKnownFailures(
      Handle handle, long repositoryId, String commit, String job) {
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
              WHERE c.repository_id = :repository AND c.commit_sha = :commit AND c.job = :job
                AND c.test_id = n.test_id
              RETURNING n.passes, n.failures
            )
            SELECT count(*) FROM known WHERE passes > 0 AND failures = 0
            """)
        .bind("repository", repositoryId)
        .bind("commit", commit)
        .bind("job", job)
        .mapTo(Integer.class)
        .one();
  }

  /** True where a test is known to have failed in a job on a commit. */
  public static boolean hasFailed(Handle handle, long repositoryId, String commit, String job) {
    return handle
        .select(
            """
            SELECT EXISTS (SELECT FROM commit_failure
              WHERE repository_id = ? AND commit_sha = ? AND job = ?)
            """,
            repositoryId,
            commit,
            job)
        .mapTo(Boolean.class)
        .one();
  }

  /**
   * Keeps the staged failures that are new for the job on the commit, with the passes of its
   * earlier uploads.
   */
  public static void addNewFailures(
      Handle handle,
      long repositoryId,
      String commit,
      String job,
      String branch,
      List<Long> earlierUploads,
      Instant since) {
    handle
        .createUpdate(
            """
            INSERT INTO commit_failure
              (repository_id, commit_sha, job, test_id, branch, failures, passes, first_failed_at, last_failed_at,
                first_passed_at, last_ran_at)
            SELECT :repository, :commit, :job, i.test_id, :branch, i.failures, i.passes + before.passes,
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
        .bind("job", job)
        .bind("branch", branch)
        .bind("since", since)
        .bindArray("earlier", Long.class, earlierUploads)
        .execute();
  }

  /** Forgets failures of commits past the retention, some at a time; returns how many. */
  public static int deleteExpired(Handle handle, Instant now, int most) {
    return handle
        .createUpdate(
            """
            DELETE FROM commit_failure c USING (
              SELECT c.repository_id, c.commit_sha, c.job, c.test_id FROM repository_view r
              JOIN commit_failure c ON c.repository_id = r.id
                AND c.last_ran_at < CAST(:now AS timestamptz) - make_interval(days => r.retention_days + 2)
              LIMIT :most
            ) old
            WHERE c.repository_id = old.repository_id AND c.commit_sha = old.commit_sha AND c.job = old.job
              AND c.test_id = old.test_id
            """)
        .bind("now", now)
        .bind("most", most)
        .execute();
  }
}
