package dev.mainstay.server.health.test;

import dev.mainstay.core.code.RepoName;
import dev.mainstay.core.health.Quarantine;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.StatementContext;

/**
 * Reads a {@link RepoView} from the tables of others: first which repository it is, then what is
 * kept of its tests, which may be on another server.
 */
public final class RepoViewStore {
  private static final String REPOSITORY =
      "SELECT id, organization, host, owner, name, features, ticket_url FROM repository_view ";

  private RepoViewStore() {}

  /** A repository, and for how many days its results are kept. */
  public record Kept(long repositoryId, int days) {}

  public static List<Kept> all(Handle handle) {
    return handle
        .select("SELECT id, retention_days FROM repository_view ORDER BY id")
        .map((row, context) -> new Kept(row.getLong(1), row.getInt(2)))
        .list();
  }

  static Optional<RepoView> find(Handle handle, long organizationId, RepoName name) {
    return handle
        .select(REPOSITORY + "WHERE organization_id = ? AND key = ?", organizationId, name.key())
        .map(RepoViewStore::read)
        .findOne()
        .map(repository -> view(handle, repository));
  }

  public static Optional<RepoView> find(Handle handle, long repositoryId) {
    return handle
        .select(REPOSITORY + "WHERE id = ?", repositoryId)
        .map(RepoViewStore::read)
        .findOne()
        .map(repository -> view(handle, repository));
  }

  private record Named(
      long id,
      String organization,
      RepoName name,
      Set<String> features,
      Optional<String> ticketUrl) {}

  private static Named read(ResultSet row, StatementContext context) throws SQLException {
    return new Named(
        row.getLong("id"),
        row.getString("organization"),
        new RepoName(row.getString("host"), row.getString("owner"), row.getString("name")),
        Set.of((String[]) row.getArray("features").getArray()),
        Optional.ofNullable(row.getString("ticket_url")));
  }

  private static RepoView view(Handle handle, Named repository) {
    return handle
        .createQuery(
            """
            SELECT f.stamp, f.unfolded_from, s.quarantining_enabled, s.auto_quarantine, s.quarantining_since,
              s.automatic_since
            FROM (VALUES (1)) AS always (here)
            LEFT JOIN result_feed_view f ON f.repository_id = :repository
            LEFT JOIN test_settings s ON s.repository_id = :repository
            """)
        .bind("repository", repository.id)
        .map(
            (row, context) ->
                new RepoView(
                    repository.id,
                    repository.organization,
                    repository.name,
                    repository.features,
                    repository.ticketUrl,
                    row.getLong("stamp"),
                    time(row, "unfolded_from"),
                    new Quarantine.Switches(
                        row.getBoolean("quarantining_enabled"), row.getBoolean("auto_quarantine")),
                    time(row, "quarantining_since"),
                    time(row, "automatic_since")))
        .one();
  }

  static Optional<Instant> time(ResultSet row, String column) throws SQLException {
    return Optional.ofNullable(row.getTimestamp(column)).map(Timestamp::toInstant);
  }
}
