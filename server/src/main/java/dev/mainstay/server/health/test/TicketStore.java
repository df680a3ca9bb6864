package dev.mainstay.server.health.test;

import dev.mainstay.core.code.RepoName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/** The table {@code ticket}: what is known of the tickets of other systems. */
public final class TicketStore {
  private TicketStore() {}

  /** How an organization links its tickets. */
  public record Owner(String slug, Optional<String> ticketUrl) {}

  public static Owner owner(Handle handle, long organizationId) {
    return handle
        .select("SELECT slug, ticket_url FROM organization_view WHERE id = ?", organizationId)
        .map(
            (row, context) ->
                new Owner(row.getString("slug"), Optional.ofNullable(row.getString("ticket_url"))))
        .one();
  }

  /** Whether a ticket of a repository's organization is closed; empty where nobody has said. */
  public static Optional<Boolean> isClosed(Handle handle, long repositoryId, String id) {
    return handle
        .select(
            """
            SELECT t.closed FROM repository_view r JOIN ticket t ON t.organization_id = r.organization_id
            WHERE r.id = ? AND t.id = ?
            """,
            repositoryId,
            id)
        .mapTo(Boolean.class)
        .findOne();
  }

  /** Whether a ticket of an organization is closed; empty where nobody has said. */
  public static Optional<Boolean> isClosedIn(Handle handle, long organizationId, String id) {
    return handle
        .select(
            "SELECT closed FROM ticket WHERE organization_id = ? AND id = ?", organizationId, id)
        .mapTo(Boolean.class)
        .findOne();
  }

  /** The tests that a ticket is linked to, by their repository, in the order of their names. */
  public static Map<RepoName, List<UUID>> linked(
      Handle handle, long organizationId, String id, int most) {
    var repositories = new LinkedHashMap<Long, RepoName>();
    handle
        .select(
            "SELECT id, host, owner, name FROM repository_view WHERE organization_id = ? ORDER BY key",
            organizationId)
        .map(
            (row, context) ->
                repositories.put(
                    row.getLong(1),
                    new RepoName(row.getString(2), row.getString(3), row.getString(4))))
        .list();
    var found = new HashMap<Long, List<UUID>>();
    handle
        .createQuery(
            """
            SELECT repository_id, id FROM test
            WHERE repository_id = ANY (:repositories) AND ticket_id = :ticket ORDER BY name, id LIMIT :most
            """)
        .bindArray("repositories", Long.class, repositories.keySet())
        .bind("ticket", id)
        .bind("most", most)
        .map((row, context) -> Map.entry(row.getLong(1), row.getObject(2, UUID.class)))
        .forEach(
            one -> found.computeIfAbsent(one.getKey(), r -> new ArrayList<>()).add(one.getValue()));
    var tests = new LinkedHashMap<RepoName, List<UUID>>();
    repositories.forEach(
        (repository, name) ->
            Optional.ofNullable(found.get(repository)).ifPresent(ids -> tests.put(name, ids)));
    return tests;
  }

  /** Those of some tickets of a repository's organization that are closed. */
  public static Set<String> closed(Handle handle, long repositoryId, Collection<String> ids) {
    return handle
        .createQuery(
            """
            SELECT t.id FROM repository_view r JOIN ticket t ON t.organization_id = r.organization_id
            WHERE r.id = :repository AND t.id = ANY (:ids) AND t.closed
            """)
        .bind("repository", repositoryId)
        .bindArray("ids", String.class, ids)
        .mapTo(String.class)
        .set();
  }

  /** Keeps the state of a ticket; false where that would be one more than {@code most}. */
  static boolean set(
      Handle handle, long organizationId, String id, boolean closed, Instant now, int most) {
    return handle
            .createUpdate(
                """
                INSERT INTO ticket (organization_id, id, closed, changed_at)
                SELECT :organization, :id, :closed, :now
                WHERE EXISTS (SELECT FROM ticket WHERE organization_id = :organization AND id = :id)
                  OR (SELECT count(*) FROM ticket WHERE organization_id = :organization) < :most
                ON CONFLICT (organization_id, id) DO UPDATE
                  SET closed = excluded.closed, changed_at = excluded.changed_at
                """)
            .bind("organization", organizationId)
            .bind("id", id)
            .bind("closed", closed)
            .bind("now", now)
            .bind("most", most)
            .execute()
        == 1;
  }
}
