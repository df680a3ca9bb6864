package dev.mainstay.server.connection;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.StatementContext;

/**
 * Hooks of the table {@code repository_connection}: how they are proven, and the looks that they
 * and others ask for.
 */
public final class HookStore {
  private static final int MOST = 100;

  private HookStore() {}

  /** The secret of a connection's hook, locked for its repository. */
  static final class Secret {
    final long repositoryId;
    final byte[] locked;

    private Secret(ResultSet row, StatementContext context) throws SQLException {
      repositoryId = row.getLong("repository_id");
      locked = row.getBytes("hook_secret");
    }
  }

  public static boolean lookNow(Handle handle, long repositoryId) {
    return handle.execute(
            "UPDATE repository_connection SET look_at = ? WHERE repository_id = ? AND disconnected_at IS NULL",
            ConnectionStore.ASKED_FOR,
            repositoryId)
        == 1;
  }

  /**
   * Has these looked at; false where all of them are about to be. Hooks come in storms, and only
   * the first since the last look is written.
   */
  static boolean lookNow(Handle handle, List<Long> repositories) {
    return handle
            .createUpdate(
                """
                UPDATE repository_connection SET look_at = :asked
                WHERE repository_id = ANY(:repositories) AND look_at > :asked AND disconnected_at IS NULL
                """)
            .bind("asked", ConnectionStore.ASKED_FOR)
            .bindArray("repositories", Long.class, repositories)
            .execute()
        > 0;
  }

  /** The next look is due then, if it is not earlier. */
  public static void lookBy(Handle handle, long repositoryId, Instant then) {
    handle.execute(
        "UPDATE repository_connection SET look_at = ? WHERE repository_id = ? AND look_at > ?",
        then,
        repositoryId,
        then);
  }

  static Optional<Long> lookNow(Handle handle, String kind, byte[] hookHash) {
    return handle
        .createQuery(
            """
            UPDATE repository_connection SET look_at = :asked
            WHERE hook_hash = :hash AND kind = :kind AND disconnected_at IS NULL RETURNING repository_id
            """)
        .bind("asked", ConnectionStore.ASKED_FOR)
        .bind("kind", kind)
        .bind("hash", hookHash)
        .mapTo(Long.class)
        .findOne();
  }

  /** The secrets of whoever is connected to this path: several organizations may be. */
  static List<Secret> secrets(Handle handle, String kind, String path) {
    return handle
        .createQuery(
            """
            SELECT repository_id, hook_secret FROM repository_connection
            WHERE kind = :kind AND path = :path AND hook_secret IS NOT NULL AND disconnected_at IS NULL
            ORDER BY repository_id LIMIT :most
            """)
        .bind("kind", kind)
        .bind("path", path)
        .bind("most", MOST)
        .map(Secret::new)
        .list();
  }

  /** The secret of an App in an organization, by any repository that is connected by it. */
  static Optional<Secret> ofApp(
      Handle handle, long organizationId, String kind, String host, String app) {
    return handle
        .createQuery(
            """
            SELECT c.repository_id, c.hook_secret FROM repository_connection c
            JOIN repository_view r ON r.id = c.repository_id
            WHERE r.organization_id = :organization AND c.kind = :kind AND c.host = :host AND c.app = :app
              AND c.hook_secret IS NOT NULL AND c.disconnected_at IS NULL
            ORDER BY c.repository_id LIMIT 1
            """)
        .bind("organization", organizationId)
        .bind("kind", kind)
        .bind("host", host)
        .bind("app", app)
        .map(Secret::new)
        .findOne();
  }

  /** The secrets of whoever is connected by this App: organizations have their own. */
  static List<Secret> ofApp(Handle handle, String kind, String app) {
    return handle
        .createQuery(
            """
            SELECT DISTINCT ON (r.organization_id, c.host) c.repository_id, c.hook_secret FROM repository_connection c
            JOIN repository_view r ON r.id = c.repository_id
            WHERE c.kind = :kind AND c.app = :app AND c.hook_secret IS NOT NULL AND c.disconnected_at IS NULL
            ORDER BY r.organization_id, c.host, c.repository_id LIMIT :most
            """)
        .bind("kind", kind)
        .bind("app", app)
        .bind("most", MOST)
        .map(Secret::new)
        .list();
  }

  /** The repositories whose hooks have one secret with this one: all of its App, or itself. */
  static List<Long> sharing(Handle handle, long organizationId, long repositoryId) {
    return handle
        .createQuery(
            """
            SELECT c.repository_id FROM repository_connection c
            JOIN repository_view r ON r.id = c.repository_id
            JOIN repository_connection own ON own.repository_id = :repository
            WHERE r.organization_id = :organization AND c.hook_secret IS NOT NULL AND c.disconnected_at IS NULL
              AND (c.repository_id = :repository OR (c.kind = own.kind AND c.host = own.host AND c.app = own.app))
            ORDER BY c.repository_id FOR UPDATE OF c
            """)
        .bind("organization", organizationId)
        .bind("repository", repositoryId)
        .mapTo(Long.class)
        .list();
  }

  static void secret(Handle handle, long repositoryId, byte[] locked) {
    handle.execute(
        "UPDATE repository_connection SET hook_secret = ? WHERE repository_id = ?",
        locked,
        repositoryId);
  }
}
