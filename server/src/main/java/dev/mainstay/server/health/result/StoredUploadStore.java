package dev.mainstay.server.health.result;

import dev.mainstay.server.platform.Json;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.StatementContext;

/** Reads uploads as they are stored, for whoever wants to know what came in. */
public final class StoredUploadStore {
  private StoredUploadStore() {}

  /** The number of an upload; newer ones have higher numbers. */
  public static Optional<Long> number(Handle handle, long repositoryId, UUID publicId) {
    return handle
        .select(
            "SELECT id FROM upload WHERE repository_id = ? AND public_id = ?",
            repositoryId,
            publicId)
        .mapTo(Long.class)
        .findOne();
  }

  /** Uploads before a number, the newest first, without the long lists of their answers. */
  public static List<StoredUpload> before(
      Handle handle, long repositoryId, long number, boolean onlyFailed, int most) {
    return handle
        .createQuery(
            """
            SELECT u.*, jsonb_build_object('counts', a.counts, 'skipped_total', a.skipped_total,
              'verdict', a.verdict - '{failures,unreadable,missing}'::text[]) AS told
            FROM (
              SELECT * FROM upload
              WHERE repository_id = :repository AND id < :number AND answer IS NOT NULL%s
              ORDER BY id DESC LIMIT :most
            ) u CROSS JOIN LATERAL jsonb_to_record(u.answer) AS a (counts jsonb, skipped_total integer, verdict jsonb)
            ORDER BY u.id DESC
            """
                .formatted(onlyFailed ? " AND failed_tests > 0" : ""))
        .bind("repository", repositoryId)
        .bind("number", number)
        .bind("most", most)
        .map(StoredUploadStore::read)
        .list();
  }

  /** An upload with its whole answer. */
  public static Optional<StoredUpload> find(Handle handle, long repositoryId, UUID publicId) {
    return handle
        .select(
            """
            SELECT *, answer AS told FROM upload
            WHERE repository_id = ? AND public_id = ? AND answer IS NOT NULL
            """,
            repositoryId,
            publicId)
        .map(StoredUploadStore::read)
        .findOne();
  }

  private static StoredUpload read(ResultSet row, StatementContext context) throws SQLException {
    return new StoredUpload(
        row.getObject("public_id", UUID.class),
        row.getTimestamp("received_at").toInstant(),
        row.getString("branch"),
        row.getString("commit_sha"),
        Optional.ofNullable(row.getObject("pr_number", Integer.class)),
        row.getString("job"),
        row.getString("variant"),
        Optional.ofNullable(row.getString("ci_url")),
        row.getInt("attempt"),
        row.getBoolean("set_aside"),
        Json.readObject(row.getString("told").getBytes(StandardCharsets.UTF_8)));
  }
}
