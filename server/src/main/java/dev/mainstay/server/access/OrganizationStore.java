package dev.mainstay.server.access;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.StatementContext;

/** The table {@code organization}. */
final class OrganizationStore {
  private OrganizationStore() {}

  /** Keeps everybody else from making an organization until the transaction ends. */
  static void lock(Handle handle) {
    handle.execute("LOCK TABLE organization IN SHARE ROW EXCLUSIVE MODE");
  }

  static boolean isEmpty(Handle handle) {
    return !handle.select("SELECT EXISTS (SELECT FROM organization)").mapTo(Boolean.class).one();
  }

  /** Empty when the slug is taken. */
  static Optional<Organization> insert(Handle handle, String slug, String name, Instant now) {
    return handle
        .createQuery(
            """
            INSERT INTO organization (slug, name, created_at) VALUES (:slug, :name, :now)
            ON CONFLICT (slug) DO NOTHING
            RETURNING *
            """)
        .bind("slug", slug)
        .bind("name", name)
        .bind("now", now)
        .map(OrganizationStore::read)
        .findOne();
  }

  static List<Organization> all(Handle handle) {
    return handle
        .select("SELECT * FROM organization ORDER BY slug")
        .map(OrganizationStore::read)
        .list();
  }

  static Optional<Organization> find(Handle handle, String slug) {
    return handle
        .select("SELECT * FROM organization WHERE slug = ?", slug)
        .map(OrganizationStore::read)
        .findOne();
  }

  static OrganizationSettings settings(Handle handle, long id) {
    return handle
        .select(
            "SELECT slug, name, ticket_url, retention_days, features FROM organization WHERE id = ?",
            id)
        .map(
            (row, context) ->
                new OrganizationSettings(
                    row.getString("slug"),
                    row.getString("name"),
                    Optional.ofNullable(row.getString("ticket_url")),
                    row.getInt("retention_days"),
                    List.of((String[]) row.getArray("features").getArray())))
        .one();
  }

  /** Changes those that are given; an empty address is none. */
  static void change(
      Handle handle,
      long id,
      Optional<String> name,
      Optional<String> ticketUrl,
      Optional<Integer> retentionDays) {
    handle
        .createUpdate(
            """
            UPDATE organization SET name = coalesce(:name, name),
              ticket_url = CASE WHEN CAST(:url AS text) IS NULL THEN ticket_url ELSE nullif(:url, '') END,
              retention_days = coalesce(:days, retention_days)
            WHERE id = :id
            """)
        .bind("id", id)
        .bind("name", name)
        .bind("url", ticketUrl)
        .bind("days", retentionDays)
        .execute();
  }

  static boolean rename(Handle handle, String slug, String name) {
    return handle.execute("UPDATE organization SET name = ? WHERE slug = ?", name, slug) == 1;
  }

  static boolean setRetention(Handle handle, String slug, int days) {
    return handle.execute("UPDATE organization SET retention_days = ? WHERE slug = ?", days, slug)
        == 1;
  }

  static boolean setTicketUrl(Handle handle, String slug, String template) {
    return handle.execute(
            "UPDATE organization SET ticket_url = nullif(?, '') WHERE slug = ?", template, slug)
        == 1;
  }

  static boolean setFeature(Handle handle, String slug, String feature, boolean on) {
    return handle
            .createUpdate(
                """
                UPDATE organization SET features = CASE WHEN :on
                  THEN array_append(array_remove(features, :feature), :feature)
                  ELSE array_remove(features, :feature) END
                WHERE slug = :slug
                """)
            .bind("slug", slug)
            .bind("feature", feature)
            .bind("on", on)
            .execute()
        == 1;
  }

  private static Organization read(ResultSet row, StatementContext context) throws SQLException {
    return new Organization(
        row.getLong("id"),
        row.getString("slug"),
        row.getString("name"),
        row.getTimestamp("created_at").toInstant());
  }
}
