package dev.mainstay.server.connection;

import dev.mainstay.core.code.RepoName;
import dev.mainstay.server.platform.Columns;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.StatementContext;

/** The table {@code repository_connection}. */
public final class ConnectionStore {
  private ConnectionStore() {}

  /**
   * A look asked for by somebody who knows that something moved: due before all that are merely
   * due.
   */
  static final Instant ASKED_FOR = Instant.EPOCH;

  /**
   * A connection of a repository; each change of it has a version of its own. {@code fault} is that
   * of the last look, {@code refusal} a no to its credentials that a good look does not lift.
   */
  public record Row(
      long repositoryId,
      long version,
      String kind,
      String address,
      String host,
      Optional<String> testCommand,
      Duration testTimeout,
      Instant connectedAt,
      Optional<Instant> seenAt,
      Optional<String> fault,
      Optional<String> refusal,
      Optional<String> ownersAt) {}

  /** A look that is due; {@code askedFor} where somebody knows that something moved. */
  public record Due(Row how, boolean askedFor) {}

  /** A connection to be kept; its secrets are locked. */
  record Made(
      String kind,
      String address,
      String host,
      String path,
      Optional<String> app,
      Optional<byte[]> credentials,
      Optional<byte[]> hookSecret,
      Optional<String> testCommand,
      Duration testTimeout) {}

  static Row save(Handle handle, long repositoryId, Made made, byte[] hookHash, Instant now) {
    return handle
        .createQuery(
            """
            INSERT INTO repository_connection AS c (repository_id, version, kind, address, host, path, app, credentials,
              hook_secret, hook_hash, test_command, test_timeout_seconds, connected_at, look_at, seen_at)
            VALUES (:repository, 1, :kind, :address, :host, :path, :app, :credentials,
              :secret, :hook, :command, :timeout, :now, :look, :now)
            ON CONFLICT (repository_id) DO UPDATE SET version = c.version + 1, kind = excluded.kind,
              address = excluded.address, host = excluded.host, path = excluded.path, app = excluded.app,
              credentials = excluded.credentials, hook_secret = excluded.hook_secret, hook_hash = excluded.hook_hash,
              test_command = excluded.test_command, test_timeout_seconds = excluded.test_timeout_seconds,
              look_at = excluded.look_at, seen_at = excluded.seen_at,
              fault = NULL, refusal = NULL, owners_at = NULL, disconnected_at = NULL,
              connected_at = CASE WHEN c.disconnected_at IS NULL THEN c.connected_at ELSE excluded.connected_at END
            RETURNING *
            """)
        .bind("repository", repositoryId)
        .bind("kind", made.kind())
        .bind("address", made.address())
        .bind("host", made.host())
        .bind("path", made.path())
        .bind("app", made.app())
        .bind("credentials", made.credentials().orElse(null))
        .bind("secret", made.hookSecret().orElse(null))
        .bind("hook", hookHash)
        .bind("command", made.testCommand())
        .bind("timeout", Math.toIntExact(made.testTimeout().toSeconds()))
        .bind("now", now)
        .bind("look", ASKED_FOR)
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

  /** The connections of these repositories, as far as they are connected. */
  static Map<Long, Row> find(Handle handle, Set<Long> repositoryIds) {
    return handle
        .createQuery(
            """
            SELECT * FROM repository_connection
            WHERE repository_id = ANY (:ids) AND disconnected_at IS NULL
            """)
        .bind("ids", Columns.numbers(repositoryIds, id -> id))
        .map(ConnectionStore::row)
        .collectToMap(Row::repositoryId, row -> row);
  }

  /** The connections of these repositories, also those that a landing still needs. */
  static Map<Long, Row> kept(Handle handle, Set<Long> repositoryIds) {
    return handle
        .createQuery("SELECT * FROM repository_connection WHERE repository_id = ANY (:ids)")
        .bind("ids", Columns.numbers(repositoryIds, id -> id))
        .map(ConnectionStore::row)
        .collectToMap(Row::repositoryId, row -> row);
  }

  /** A connected repository, and whose it is. */
  public record Owned(long organizationId, long repositoryId) {}

  /** The repositories of this name that are connected, each of another organization. */
  public static List<Owned> named(Handle handle, RepoName name) {
    return handle
        .select(
            """
            SELECT r.organization_id, r.id FROM repository_connection c JOIN repository_view r ON r.id = c.repository_id
            WHERE c.path = ? AND r.key = ? AND c.disconnected_at IS NULL ORDER BY r.id LIMIT 100
            """,
            (name.owner() + "/" + name.name()).toLowerCase(Locale.ROOT),
            name.key())
        .map((row, context) -> new Owned(row.getLong(1), row.getLong(2)))
        .list();
  }

  /** Where a repository is. */
  record Place(String kind, String address) {}

  /** The places of all repositories that are connected, or that a landing still needs. */
  static List<Place> places(Handle handle) {
    return handle
        .createQuery("SELECT DISTINCT kind, address FROM repository_connection")
        .map((row, context) -> new Place(row.getString(1), row.getString(2)))
        .list();
  }

  /** Those of the repositories that are connected. */
  static Set<Long> connected(Handle handle, List<Long> repositoryIds) {
    return handle
        .createQuery(
            """
            SELECT repository_id FROM repository_connection
            WHERE repository_id = ANY (:ids) AND disconnected_at IS NULL
            """)
        .bindArray("ids", Long.class, repositoryIds)
        .mapTo(Long.class)
        .set();
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
   * The credentials of a connection as they are now, for this address of this kind: those that it
   * is connected with meanwhile are for another.
   */
  static Optional<byte[]> credentials(
      Handle handle, long repositoryId, String kind, String address) {
    return handle
        .select(
            """
            SELECT credentials FROM repository_connection
            WHERE repository_id = ? AND kind = ? AND address = ? AND credentials IS NOT NULL
            """,
            repositoryId,
            kind,
            address)
        .mapTo(byte[].class)
        .findOne();
  }

  /**
   * Takes connections whose repositories are to be looked at, those first that somebody asked for;
   * they are this node's until the lease or the node ends. Of {@code busy} hosts only those are
   * taken that were asked for, of {@code closed} ones none.
   */
  public static List<Due> take(
      Handle handle,
      int node,
      Instant now,
      Duration lease,
      Set<String> busy,
      Set<String> closed,
      int most) {
    return handle
        .createQuery(
            """
            WITH due AS (
              SELECT repository_id, look_at = :asked AS asked FROM repository_connection
              WHERE look_at <= :now AND disconnected_at IS NULL
                AND (look_at = :asked OR NOT (host = ANY (:busy))) AND NOT (host = ANY (:closed))
              ORDER BY look_at LIMIT :most FOR UPDATE SKIP LOCKED
            )
            UPDATE repository_connection c SET look_at = :until, node = :node FROM due
            WHERE c.repository_id = due.repository_id RETURNING c.*, due.asked
            """)
        .bind("asked", ASKED_FOR)
        .bindArray("busy", String.class, busy)
        .bindArray("closed", String.class, closed)
        .bind("node", node)
        .bind("now", now)
        .bind("until", now.plus(lease))
        .bind("most", most)
        .map((row, context) -> new Due(row(row, context), row.getBoolean("asked")))
        .list();
  }

  /** Ends a look that did not begin: the next one is due then. */
  public static void putOff(Handle handle, Row how, Instant leased, Instant next) {
    handle.execute(
        """
        UPDATE repository_connection SET look_at = ?, node = NULL
        WHERE repository_id = ? AND look_at = ?
        """,
        next,
        how.repositoryId(),
        leased);
  }

  /**
   * Ends a look: when the next one is due, and the fault of this one. A hook that came meanwhile
   * counts, and of a repository that was connected anew meanwhile this look says nothing.
   */
  public static void looked(
      Handle handle, Row how, Instant leased, Instant next, Instant now, Optional<String> fault) {
    handle
        .createUpdate(
            """
            UPDATE repository_connection SET fault = :fault,
              seen_at = CASE WHEN CAST(:fault AS text) IS NULL THEN :now ELSE seen_at END,
              look_at = CASE WHEN look_at = :leased THEN :next ELSE look_at END,
              node = CASE WHEN look_at = :leased THEN NULL ELSE node END
            WHERE repository_id = :repository AND version = :version AND connected_at = :connected
            """)
        .bind("repository", how.repositoryId())
        .bind("version", how.version())
        .bind("connected", how.connectedAt())
        .bind("leased", leased)
        .bind("next", next)
        .bind("now", now)
        .bind("fault", fault)
        .execute();
  }

  /** The owners' file of this commit is known, unless the repository was connected anew. */
  public static void ownersRead(Handle handle, Row how, String commit) {
    handle.execute(
        """
        UPDATE repository_connection SET owners_at = ?
        WHERE repository_id = ? AND version = ? AND connected_at = ?
        """,
        commit,
        how.repositoryId(),
        how.version(),
        how.connectedAt());
  }

  /**
   * The forge said no to the credentials, or takes them again. False where the repository was
   * connected anew: it is not said of those.
   */
  public static boolean refused(Handle handle, Row how, Optional<String> sentence) {
    return handle
            .createUpdate(
                """
                UPDATE repository_connection SET refusal = :sentence
                WHERE repository_id = :repository AND version = :version AND connected_at = :connected
                """)
            .bind("sentence", sentence.map(text -> text.replace('\0', ' ')))
            .bind("repository", how.repositoryId())
            .bind("version", how.version())
            .bind("connected", how.connectedAt())
            .execute()
        == 1;
  }

  /** True where a repository is connected as it was, until this transaction ends. */
  public static boolean stays(Handle handle, Row how) {
    return handle
        .select(
            """
            SELECT 1 FROM repository_connection
            WHERE repository_id = ? AND version = ? AND connected_at = ? FOR SHARE
            """,
            how.repositoryId(),
            how.version(),
            how.connectedAt())
        .mapTo(Integer.class)
        .findOne()
        .isPresent();
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

  private static Row row(ResultSet row, StatementContext context) throws SQLException {
    var seen = row.getTimestamp("seen_at");
    return new Row(
        row.getLong("repository_id"),
        row.getLong("version"),
        row.getString("kind"),
        row.getString("address"),
        row.getString("host"),
        Optional.ofNullable(row.getString("test_command")),
        Duration.ofSeconds(row.getInt("test_timeout_seconds")),
        row.getTimestamp("connected_at").toInstant(),
        seen == null ? Optional.empty() : Optional.of(seen.toInstant()),
        Optional.ofNullable(row.getString("fault")),
        Optional.ofNullable(row.getString("refusal")),
        Optional.ofNullable(row.getString("owners_at")));
  }
}
