package dev.mainstay.server.health.test;

import dev.mainstay.core.code.RepoName;
import dev.mainstay.core.health.Quarantine;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.StatementContext;

/** Reads a {@link RepoView} from the tables of others by one statement. */
public final class RepoViewStore {
  private static final String VIEW =
      """
      SELECT r.id, r.organization, r.host, r.owner, r.name, r.features, r.ticket_url, f.stamp,
        f.unfolded_from, s.quarantining_enabled, s.auto_quarantine, s.quarantining_since, s.automatic_since
      FROM repository_view r
      LEFT JOIN result_feed_view f ON f.repository_id = r.id
      LEFT JOIN test_settings s ON s.repository_id = r.id
      """;

  private RepoViewStore() {}

  static Optional<RepoView> find(Handle handle, long organizationId, RepoName name) {
    return handle
        .select(VIEW + "WHERE r.organization_id = ? AND r.key = ?", organizationId, name.key())
        .map(RepoViewStore::read)
        .findOne();
  }

  public static Optional<RepoView> find(Handle handle, long repositoryId) {
    return handle.select(VIEW + "WHERE r.id = ?", repositoryId).map(RepoViewStore::read).findOne();
  }

  private static RepoView read(ResultSet row, StatementContext context) throws SQLException {
    return new RepoView(
        row.getLong("id"),
        row.getString("organization"),
        new RepoName(row.getString("host"), row.getString("owner"), row.getString("name")),
        Set.of((String[]) row.getArray("features").getArray()),
        Optional.ofNullable(row.getString("ticket_url")),
        row.getLong("stamp"),
        time(row, "unfolded_from"),
        new Quarantine.Switches(
            row.getBoolean("quarantining_enabled"), row.getBoolean("auto_quarantine")),
        time(row, "quarantining_since"),
        time(row, "automatic_since"));
  }

  static Optional<Instant> time(ResultSet row, String column) throws SQLException {
    return Optional.ofNullable(row.getTimestamp(column)).map(Timestamp::toInstant);
  }
}
