package dev.mainstay.server.repository;

import dev.mainstay.core.code.RepoName;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.StatementContext;

/** The table {@code repository}. */
public final class RepositoryStore {
  private RepositoryStore() {}

  public static Optional<Repository> find(Handle handle, long organizationId, RepoName name) {
    return handle
        .select(
            """
            SELECT id, organization_id, host, owner, name, retention_days FROM repository_view
            WHERE organization_id = ? AND key = ?
            """,
            organizationId,
            name.key())
        .map(RepositoryStore::read)
        .findOne();
  }

  public static Repository findOrCreate(
      Handle handle, long organizationId, RepoName name, Instant now) {
    return find(handle, organizationId, name)
        .orElseGet(
            () -> {
              handle.execute(
                  """
                  INSERT INTO repository (organization_id, key, host, owner, name, created_at)
                  VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
                  """,
                  organizationId,
                  name.key(),
                  name.host(),
                  name.owner(),
                  name.name(),
                  now);
              return find(handle, organizationId, name).orElseThrow();
            });
  }

  public static Optional<Repository> find(Handle handle, long id) {
    return handle
        .select(
            """
            SELECT id, organization_id, host, owner, name, retention_days FROM repository_view
            WHERE id = ?
            """,
            id)
        .map(RepositoryStore::read)
        .findOne();
  }

  /** The repositories of an organization after this key, in the order of their keys. */
  public static List<Repository> page(Handle handle, long organizationId, String after, int most) {
    return handle
        .select(
            """
            SELECT id, organization_id, host, owner, name, retention_days FROM repository_view
            WHERE organization_id = ? AND key > ? ORDER BY key LIMIT ?
            """,
            organizationId,
            after,
            most)
        .map(RepositoryStore::read)
        .list();
  }

  /** The repository of an organization, if everybody may look at its pages. */
  static Optional<Repository> findPublic(Handle handle, String organization, RepoName name) {
    return handle
        .select(
            """
            SELECT v.id, v.organization_id, v.host, v.owner, v.name, v.retention_days
            FROM repository_view v JOIN repository r ON r.id = v.id
            WHERE v.organization = ? AND v.key = ? AND r.public_pages
            """,
            organization,
            name.key())
        .map(RepositoryStore::read)
        .findOne();
  }

  public static void setPublicPages(Handle handle, long id, boolean on) {
    handle.execute("UPDATE repository SET public_pages = ? WHERE id = ?", on, id);
  }

  /** Those of the repositories whose pages everybody may look at. */
  public static Set<Long> withPublicPages(Handle handle, List<Long> ids) {
    return handle
        .createQuery("SELECT id FROM repository WHERE id = ANY (:ids) AND public_pages")
        .bindArray("ids", Long.class, ids)
        .mapTo(Long.class)
        .set();
  }

  /** The slug of the organization a repository belongs to. */
  public static String organization(Handle handle, Repository repository) {
    return handle
        .select("SELECT organization FROM repository_view WHERE id = ?", repository.id())
        .mapTo(String.class)
        .one();
  }

  private static Repository read(ResultSet row, StatementContext context) throws SQLException {
    return new Repository(
        row.getLong("id"),
        row.getLong("organization_id"),
        new RepoName(row.getString("host"), row.getString("owner"), row.getString("name")),
        row.getInt("retention_days"));
  }
}
