package dev.mainstay.server.health.result;

import dev.mainstay.core.health.BranchClass;
import dev.mainstay.server.platform.Json;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import tools.jackson.databind.node.ObjectNode;

/** The table {@code upload}. */
public final class UploadStore {
  private UploadStore() {}

  public static long nextNumber(Handle handle) {
    return handle.select("SELECT nextval('upload_number')").mapTo(Long.class).one();
  }

  /** The answer that an upload of this content got. */
  public static Optional<ObjectNode> answer(Handle handle, long repositoryId, byte[] contentKey) {
    return handle
        .select(
            "SELECT answer FROM upload WHERE repository_id = ? AND content_key = ? AND answer IS NOT NULL",
            repositoryId,
            contentKey)
        .mapTo(String.class)
        .findOne()
        .map(json -> Json.readObject(json.getBytes(StandardCharsets.UTF_8)));
  }

  /**
   * Inserts an upload; false when the same content is there already. Waits for another transaction
   * that is about to insert it. {@code queued} are the pull requests that the branch of a merge
   * queue is known to hold.
   */
  public static boolean insert(
      Handle handle,
      long repositoryId,
      long id,
      UUID publicId,
      byte[] contentKey,
      UploadOrigin about,
      BranchClass branchClass,
      List<Integer> queued,
      Instant receivedAt,
      Optional<Instant> firstRanAt) {
    return handle
            .createUpdate(
                """
                INSERT INTO upload (repository_id, id, public_id, content_key, received_at, branch, branch_class,
                  commit_sha, pr_number, job, variant, ci_url, attempt, first_ran_at, pull_requests)
                VALUES (:repositoryId, :id, :publicId, :contentKey, :receivedAt, :branch, :branchClass,
                  :commit, :pr, :job, :variant, :ciUrl, :attempt, :firstRanAt,
                  nullif(CAST(:queued AS integer[]), '{}'))
                ON CONFLICT (repository_id, content_key) DO NOTHING
                """)
            .bind("repositoryId", repositoryId)
            .bind("id", id)
            .bind("publicId", publicId)
            .bind("contentKey", contentKey)
            .bind("receivedAt", receivedAt)
            .bind("branch", about.branch())
            .bind("branchClass", branchClass.code())
            .bind("commit", about.commit())
            .bind("pr", about.pullRequest())
            .bind("job", about.job())
            .bind("variant", about.variant())
            .bind("ciUrl", about.ciUrl())
            .bind(
                "attempt",
                about.attempt().orElseGet(() -> nextAttempt(handle, repositoryId, about)))
            .bind("firstRanAt", firstRanAt)
            .bindArray("queued", Integer.class, queued)
            .execute()
        == 1;
  }

  /** The attempt of an upload that does not say it: one more than its job has on its commit. */
  private static int nextAttempt(Handle handle, long repositoryId, UploadOrigin about) {
    if (about.commit().isEmpty()) {
      return 1;
    }
    return handle
        .select(
            """
            SELECT 1 + count(*) FROM upload
            WHERE repository_id = ? AND commit_sha = ? AND commit_sha <> '' AND job = ? AND variant = ?
            """,
            repositoryId,
            about.commit(),
            about.job(),
            about.variant())
        .mapTo(Integer.class)
        .one();
  }

  public static void finish(
      Handle handle,
      long repositoryId,
      long id,
      ObjectNode answer,
      boolean setAside,
      int tests,
      int failedTests) {
    handle.execute(
        """
        UPDATE upload SET answer = ?::jsonb, set_aside = ?, tests = ?, failed_tests = ?
        WHERE repository_id = ? AND id = ?
        """,
        new String(Json.write(answer), StandardCharsets.UTF_8),
        setAside,
        tests,
        failedTests,
        repositoryId,
        id);
  }

  /**
   * The failures in the newest uploads of a commit on a branch, as their answers told them, some at
   * most.
   */
  public static List<ObjectNode> failures(
      Handle handle, long repositoryId, String branch, String commit, int mostUploads, int most) {
    return handle
        .createQuery(
            """
            SELECT jsonb_array_elements(answer -> 'verdict' -> 'failures') FROM (
              SELECT answer FROM upload
              WHERE repository_id = :repository AND commit_sha = :commit AND commit_sha <> ''
                AND branch IN (:branch, 'refs/heads/' || :branch) AND answer IS NOT NULL
              ORDER BY id DESC LIMIT :uploads) newest
            LIMIT :most
            """)
        .bind("repository", repositoryId)
        .bind("commit", commit)
        .bind("branch", branch)
        .bind("uploads", mostUploads)
        .bind("most", most)
        .mapTo(String.class)
        .map(json -> Json.readObject(json.getBytes(StandardCharsets.UTF_8)))
        .list();
  }

  /** There are uploads of a commit on a branch. */
  public static boolean exists(Handle handle, long repositoryId, String branch, String commit) {
    return handle
        .createQuery(
            """
            SELECT EXISTS (
              SELECT 1 FROM upload
              WHERE repository_id = :repository AND commit_sha = :commit AND commit_sha <> ''
                AND branch IN (:branch, 'refs/heads/' || :branch) AND answer IS NOT NULL)
            """)
        .bind("repository", repositoryId)
        .bind("commit", commit)
        .bind("branch", branch)
        .mapTo(Boolean.class)
        .one();
  }

  /** Of the newest uploads since a time, as many as {@code most}, one is of such a branch. */
  public static boolean isRecent(
      Handle handle, long repositoryId, String prefix, Instant since, int most) {
    return handle
        .createQuery(
            """
            SELECT EXISTS (
              SELECT 1 FROM (
                SELECT branch FROM upload WHERE repository_id = :repository AND received_at >= :since
                ORDER BY received_at DESC LIMIT :most) newest
              WHERE starts_with(branch, :prefix) OR starts_with(branch, 'refs/heads/' || :prefix))
            """)
        .bind("repository", repositoryId)
        .bind("since", since)
        .bind("most", most)
        .bind("prefix", prefix)
        .mapTo(Boolean.class)
        .one();
  }

  /** Other uploads of a job on a commit, and when the first run in any of them was. */
  public record Earlier(List<Long> ids, Instant since) {}

  public static Earlier ofCommit(
      Handle handle, long repositoryId, String commit, String job, long exceptId) {
    var rows =
        handle
            .select(
                """
                SELECT id, coalesce(first_ran_at, received_at) FROM upload
                WHERE repository_id = ? AND commit_sha = ? AND commit_sha <> '' AND job = ? AND id <> ?
                  AND NOT set_aside
                ORDER BY id
                """,
                repositoryId,
                commit,
                job,
                exceptId)
            .map((row, context) -> Map.entry(row.getLong(1), row.getTimestamp(2).toInstant()))
            .list();
    return new Earlier(
        rows.stream().map(Map.Entry::getKey).toList(),
        rows.stream().map(Map.Entry::getValue).min(Instant::compareTo).orElse(Instant.EPOCH));
  }

  /** Forgets uploads of before a time, some at once; returns how many. */
  public static int deleteExpired(Handle handle, long repositoryId, Instant before, int most) {
    return handle
        .createUpdate(
            """
            DELETE FROM upload WHERE repository_id = :repository AND id IN (
              SELECT id FROM upload WHERE repository_id = :repository AND received_at < :before LIMIT :most)
            """)
        .bind("repository", repositoryId)
        .bind("before", before)
        .bind("most", most)
        .execute();
  }
}
