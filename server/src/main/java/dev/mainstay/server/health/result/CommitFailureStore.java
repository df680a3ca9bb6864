package dev.mainstay.server.health.result;

import dev.mainstay.server.platform.Columns;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.SqlStatement;

/**
 * The table {@code commit_failure}. Uploads that may meet at its rows are of one commit, and take
 * turns.
 */
public final class CommitFailureStore {
  private static final String OUTCOMES =
      """
      (:tests, :failures, :passes, :hours, :first_failed, :last_failed, :first_passed)
        AS n (test_id, failures, passes, hour, first_failed, last_failed, first_passed)\
      """;

  private CommitFailureStore() {}

  /** Uploads of one commit take turns from here to the end of the transaction. */
  public static void lockCommit(Handle handle, long repositoryId, String commit) {
    handle.execute(
        "SELECT pg_advisory_xact_lock(hashtextextended(?, 0))", repositoryId + "@" + commit);
  }

  /** Tests that are known to have failed in a job on a commit, as many as {@code most}. */
  public static List<UUID> failed(
      Handle handle, long repositoryId, String commit, String job, int most) {
    return handle
        .select(
            """
            SELECT test_id FROM commit_failure WHERE repository_id = ? AND commit_sha = ? AND job = ? LIMIT ?
            """,
            repositoryId,
            commit,
            job,
            most)
        .mapTo(UUID.class)
        .list();
  }

  /**
   * Adds outcomes of an upload to the known failures of its job on its commit; returns how many of
   * its tests passed now after a failure in an earlier upload.
   */
  public static int addToKnownFailures(
      Handle handle, long repositoryId, String commit, String job, List<CommitOutcome> outcomes) {
    return (int)
        bound(
                handle.createQuery(
                    """
                    UPDATE commit_failure c SET passes = c.passes + n.passes, failures = c.failures + n.failures,
                      last_ran_at = greatest(c.last_ran_at, %s),
                      last_failed_at = greatest(c.last_failed_at, %s),
                      first_passed_at = least(c.first_passed_at, %s)
                    FROM unnest%s
                    WHERE c.repository_id = :repository AND c.commit_sha = :commit AND c.job = :job
                      AND c.test_id = n.test_id
                    RETURNING n.passes > 0 AND n.failures = 0
                    """
                        .formatted(
                            time("hour"), time("last_failed"), time("first_passed"), OUTCOMES)),
                repositoryId,
                commit,
                job,
                outcomes)
            .mapTo(Boolean.class)
            .stream()
            .filter(passedNow -> passedNow)
            .count();
  }

  /**
   * Keeps those failures of an upload that are new for the job on the commit, with the passes of
   * its earlier uploads.
   */
  public static void addNewFailures(
      Handle handle,
      long repositoryId,
      String commit,
      String job,
      String branch,
      List<CommitOutcome> outcomes,
      UploadStore.Earlier earlier) {
    List<CommitOutcome> failed = outcomes.stream().filter(o -> o.failures() > 0).toList();
    if (failed.isEmpty()) {
      return;
    }
    bound(
            handle.createUpdate(
                """
                INSERT INTO commit_failure
                  (repository_id, commit_sha, job, test_id, branch, failures, passes, first_failed_at, last_failed_at,
                    first_passed_at, last_ran_at)
                SELECT :repository, :commit, :job, n.test_id, :branch, n.failures, n.passes + before.passes,
                  %s, %s, least(%s, before.passed_at), %s
                FROM unnest%s
                CROSS JOIN LATERAL (
                  SELECT count(*) AS passes, min(r.ran_at) AS passed_at FROM run r
                  WHERE r.repository_id = :repository AND r.test_id = n.test_id AND r.ran_at >= :since
                    AND r.upload_id = ANY (:earlier) AND r.outcome = 0
                ) before
                ORDER BY n.test_id
                ON CONFLICT DO NOTHING
                """
                    .formatted(
                        time("first_failed"),
                        time("last_failed"),
                        time("first_passed"),
                        time("hour"),
                        OUTCOMES)),
            repositoryId,
            commit,
            job,
            failed)
        .bind("branch", branch)
        .bind("since", earlier.since())
        .bindArray("earlier", Long.class, earlier.ids())
        .execute();
  }

  private static <S extends SqlStatement<S>> S bound(
      S statement, long repositoryId, String commit, String job, List<CommitOutcome> outcomes) {
    return statement
        .bind("repository", repositoryId)
        .bind("commit", commit)
        .bind("job", job)
        .bind("tests", Columns.ids(outcomes, CommitOutcome::test))
        .bind("failures", Columns.numbers(outcomes, CommitOutcome::failures))
        .bind("passes", Columns.numbers(outcomes, CommitOutcome::passes))
        .bind("hours", Columns.numbers(outcomes, CommitOutcome::hour))
        .bind("first_failed", Columns.numbers(outcomes, CommitOutcome::firstFailedAt))
        .bind("last_failed", Columns.numbers(outcomes, CommitOutcome::lastFailedAt))
        .bind("first_passed", Columns.numbers(outcomes, CommitOutcome::firstPassedAt));
  }

  private static String time(String column) {
    return "to_timestamp(nullif(n.%s, -9223372036854775807 - 1) / 1000.0)".formatted(column);
  }

  /** Forgets failures of commits last run before a time, some at once; returns how many. */
  public static int deleteExpired(Handle handle, long repositoryId, Instant before, int most) {
    return handle
        .createUpdate(
            """
            DELETE FROM commit_failure WHERE repository_id = :repository AND (commit_sha, job, test_id) IN (
              SELECT commit_sha, job, test_id FROM commit_failure
              WHERE repository_id = :repository AND last_ran_at < :before LIMIT :most)
            """)
        .bind("repository", repositoryId)
        .bind("before", before)
        .bind("most", most)
        .execute();
  }
}
