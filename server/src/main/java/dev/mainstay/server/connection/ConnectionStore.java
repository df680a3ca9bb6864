package dev.mainstay.server.connection;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.StatementContext;

/** The table {@code repository_connection}. */
public final class ConnectionStore {
  private ConnectionStore() {}

  /** A connection of a repository; each change of it has a version of its own. */
  public record Row(
      long repositoryId,
      long version,
      String address,
      Optional<byte[]> credentials,
      Optional<String> testCommand,
      Duration testTimeout,
      Instant connectedAt,
      Optional<Instant> seenAt,
      Optional<String> fault,
      Optional<String> ownersAt) {}

  static Row save(
      Handle handle,
      long repositoryId,
      String address,
      Optional<byte[]> credentials,
      Optional<String> testCommand,
      Duration testTimeout,
      byte[] hookHash,
      Instant now) {
    return handle
        .createQuery(
            """
            INSERT INTO repository_connection AS c (repository_id, version, address, credentials, test_command,
              test_timeout_seconds, hook_hash, connected_at, look_at, seen_at)
            VALUES (:repository, 1, :address, :credentials, :command, :timeout, :hook, :now, :now, :now)
            ON CONFLICT (repository_id) DO UPDATE SET version = c.version + 1, address = excluded.address,
              credentials = excluded.credentials, test_command = excluded.test_command,
              test_timeout_seconds = excluded.test_timeout_seconds, hook_hash = excluded.hook_hash,
              look_at = excluded.look_at, seen_at = excluded.seen_at, fault = NULL,
              owners_at = NULL, disconnected_at = NULL,
              connected_at = CASE WHEN c.disconnected_at IS NULL THEN c.connected_at ELSE excluded.connected_at END
            RETURNING *
            """)
        .bind("repository", repositoryId)
        .bind("address", address)
        .bind("credentials", credentials.orElse(null))
        .bind("command", testCommand)
        .bind("timeout", Math.toIntExact(testTimeout.toSeconds()))
        .bind("hook", hookHash)
        .bind("now", now)
        .map(ConnectionStore::row)
        .one();
  }

  static boolean disconnect(Handle handle, long repositoryId, Instant now) {
    return handle.execute(
            """
            UPDATE repository_connection SET disconnected_at = ?
            WHERE repository_id = ? AND disconnected_at IS NULL
            """,
            now,
            repositoryId)
        == 1;
  }

  /** Forgets how a disconnected repository was reached. */
  public static void forget(Handle handle, long repositoryId) {
    handle.execute(
        """
        DELETE FROM repository_connection WHERE repository_id = ? AND disconnected_at IS NOT NULL
        """,
        repositoryId);
  }

  public static Optional<Row> find(Handle handle, long repositoryId) {
    return handle
        .select(
            "SELECT * FROM repository_connection WHERE repository_id = ? AND disconnected_at IS NULL",
            repositoryId)
        .map(ConnectionStore::row)
        .findOne();
  }

  /** The connection of a repository that was disconnected after that time. */
  static Optional<Row> findDisconnected(Handle handle, long repositoryId, Instant since) {
    return handle
        .select(
            "SELECT * FROM repository_connection WHERE repository_id = ? AND disconnected_at > ?",
            repositoryId,
            since)
        .map(ConnectionStore::row)
        .findOne();
  }

  /**
   * Takes connections whose repositories are to be looked at; they are this node's until the lease
   * or the node ends.
   */
  public static List<Row> take(Handle handle, int node, Instant now, Duration lease, int most) {
    return handle
        .createQuery(
            """
            WITH due AS (
              SELECT repository_id FROM repository_connection
              WHERE look_at <= :now AND disconnected_at IS NULL
              ORDER BY look_at LIMIT :most FOR UPDATE SKIP LOCKED
            )
            UPDATE repository_connection c SET look_at = :until, node = :node FROM due
            WHERE c.repository_id = due.repository_id RETURNING c.*
            """)
        .bind("node", node)
        .bind("now", now)
        .bind("until", now.plus(lease))
        .bind("most", most)
        .map(ConnectionStore::row)
        .list();
  }

  /**
   * Ends a look: when the next one is due, and the fault of this one. A hook that came meanwhile
   * counts.
   */
  public static void looked(
      Handle handle,
      long repositoryId,
      Instant leased,
      Instant next,
      Instant now,
      Optional<String> fault) {
    handle
        .createUpdate(
            """
            UPDATE repository_connection SET fault = :fault,
              seen_at = CASE WHEN CAST(:fault AS text) IS NULL THEN :now ELSE seen_at END,
              look_at = CASE WHEN look_at = :leased THEN :next ELSE look_at END,
              node = CASE WHEN look_at = :leased THEN NULL ELSE node END
            WHERE repository_id = :repository
            """)
        .bind("repository", repositoryId)
        .bind("leased", leased)
        .bind("next", next)
        .bind("now", now)
        .bind("fault", fault)
        .execute();
  }

  /** The owners' file of this commit is known, unless the repository was connected anew. */
  public static void ownersRead(Handle handle, Row how, String commit) {
    handle.execute(
        "UPDATE repository_connection SET owners_at = ? WHERE repository_id = ? AND version = ?",
        commit,
        how.repositoryId(),
        how.version());
  }

  /** Makes looks due whose nodes are gone. */
  public static int free(Handle handle, Instant now) {
    return handle.execute(
        """
        UPDATE repository_connection c SET look_at = least(look_at, ?), node = NULL
        FROM (SELECT repository_id FROM repository_connection
          WHERE node IS NOT NULL AND node NOT IN (SELECT n.id FROM node_view n) FOR UPDATE SKIP LOCKED) f
        WHERE c.repository_id = f.repository_id
        """,
        now);
  }

  public static boolean lookNow(Handle handle, long repositoryId, Instant now) {
    return handle.execute(
            "UPDATE repository_connection SET look_at = ? WHERE repository_id = ? AND disconnected_at IS NULL",
            now,
            repositoryId)
        == 1;
  }

  public static Optional<Long> lookNow(Handle handle, byte[] hookHash, Instant now) {
    return handle
        .createQuery(
            """
            UPDATE repository_connection SET look_at = :now
            WHERE hook_hash = :hash AND disconnected_at IS NULL RETURNING repository_id
            """)
        .bind("now", now)
        .bind("hash", hookHash)
        .mapTo(Long.class)
        .findOne();
  }

  private static Row row(ResultSet row, StatementContext context) throws SQLException {
    var seen = row.getTimestamp("seen_at");
    return new Row(
        row.getLong("repository_id"),
        row.getLong("version"),
        row.getString("address"),
        Optional.ofNullable(row.getBytes("credentials")),
        Optional.ofNullable(row.getString("test_command")),
        Duration.ofSeconds(row.getInt("test_timeout_seconds")),
        row.getTimestamp("connected_at").toInstant(),
        seen == null ? Optional.empty() : Optional.of(seen.toInstant()),
        Optional.ofNullable(row.getString("fault")),
        Optional.ofNullable(row.getString("owners_at")));
  }
}
