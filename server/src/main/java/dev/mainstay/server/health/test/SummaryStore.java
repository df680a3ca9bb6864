package dev.mainstay.server.health.test;

import dev.mainstay.core.code.RepoName;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.StatementContext;

/** Reads which repositories an organization has, and which of them are connected. */
public final class SummaryStore {
  private SummaryStore() {}

  /** A repository of a list. */
  public record Listed(long id, RepoName name, boolean connected) {}

  /** The repositories after this key, in the order of their keys. */
  public static List<Listed> page(Handle handle, long organizationId, String after, int most) {
    return handle
        .select(
            """
            SELECT r.id, r.host, r.owner, r.name, c.repository_id IS NOT NULL AS connected
            FROM repository_view r LEFT JOIN repository_connection_view c ON c.repository_id = r.id
            WHERE r.organization_id = ? AND r.key > ? ORDER BY r.key LIMIT ?
            """,
            organizationId,
            after,
            most)
        .map(SummaryStore::read)
        .list();
  }

  /** The repository of this name, if there is one. */
  public static List<Listed> one(Handle handle, long organizationId, RepoName name) {
    return handle
        .select(
            """
            SELECT r.id, r.host, r.owner, r.name, c.repository_id IS NOT NULL AS connected
            FROM repository_view r LEFT JOIN repository_connection_view c ON c.repository_id = r.id
            WHERE r.organization_id = ? AND r.key = ?
            """,
            organizationId,
            name.key())
        .map(SummaryStore::read)
        .list();
  }

  private static Listed read(ResultSet row, StatementContext context) throws SQLException {
    return new Listed(
        row.getLong("id"),
        new RepoName(row.getString("host"), row.getString("owner"), row.getString("name")),
        row.getBoolean("connected"));
  }
}
