package dev.mainstay.server.event;

import dev.mainstay.server.platform.Columns;
import dev.mainstay.server.platform.Json;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/** The table {@code webhook_event}, and the names of repositories. */
final class EventStore {
  private EventStore() {}

  static void insert(Handle handle, Collection<Event> events, Instant now) {
    handle
        .createUpdate(
            """
            INSERT INTO webhook_event (organization_id, number, id, repository_id, repo, kind, subject, at, told_at, data)
            SELECT e.organization_id, e.number, CAST(e.id AS uuid), e.repository_id, e.repo, e.kind, e.subject,
              timestamptz 'epoch' + e.at * interval '1 microsecond', :now, CAST(e.data AS json)
            FROM unnest(:organizations, :numbers, :ids, :repositories, :repos, :kinds, :subjects, :times, :data)
              AS e (organization_id, number, id, repository_id, repo, kind, subject, at, data)
            """)
        .bind("now", now)
        .bind("organizations", Columns.numbers(events, Event::organizationId))
        .bind("numbers", Columns.numbers(events, Event::number))
        .bind("ids", Columns.texts(events, e -> e.id().toString()))
        .bind("repositories", Columns.numbers(events, Event::repositoryId))
        .bind("repos", Columns.texts(events, Event::repo))
        .bind("kinds", Columns.texts(events, Event::kind))
        .bind("subjects", Columns.texts(events, Event::subject))
        .bind("times", Columns.times(events, Event::at))
        .bind("data", Columns.texts(events, EventStore::text))
        .execute();
  }

  private static String text(Event event) {
    return new String(Json.write(event.data()), StandardCharsets.UTF_8);
  }

  static Optional<Event> find(Handle handle, long organizationId, long number) {
    return handle
        .select(
            "SELECT * FROM webhook_event WHERE organization_id = ? AND number = ?",
            organizationId,
            number)
        .map((row, context) -> read(row))
        .findOne();
  }

  /** The events of these deliveries, by number; one that is not kept any more is left out. */
  static Map<Long, Event> some(Handle handle, Collection<DeliveryStore.Taken> deliveries) {
    var found = new HashMap<Long, Event>();
    handle
        .createQuery(
            """
            SELECT e.* FROM webhook_event e
            JOIN (SELECT DISTINCT * FROM unnest(:organizations, :numbers)) AS t (organization, number)
              ON e.organization_id = t.organization AND e.number = t.number
            """)
        .bind("organizations", Columns.numbers(deliveries, DeliveryStore.Taken::organizationId))
        .bind("numbers", Columns.numbers(deliveries, DeliveryStore.Taken::number))
        .map((row, context) -> read(row))
        .list()
        .forEach(event -> found.put(event.number(), event));
    return found;
  }

  private static Event read(ResultSet row) throws SQLException {
    return new Event(
        row.getLong("organization_id"),
        row.getLong("number"),
        row.getObject("id", UUID.class),
        row.getLong("repository_id"),
        row.getString("repo"),
        row.getString("kind"),
        row.getString("subject"),
        row.getTimestamp("at").toInstant(),
        Json.readObject(row.getString("data").getBytes(StandardCharsets.UTF_8)));
  }

  static String organization(Handle handle, long organizationId) {
    return handle
        .select("SELECT slug FROM organization_view WHERE id = ?", organizationId)
        .mapTo(String.class)
        .one();
  }

  /** A repository by its names. */
  record Repo(String organization, String key, String host, String owner, String name) {}

  static Map<Long, Repo> repos(Handle handle, Collection<Long> repositories) {
    var repos = new HashMap<Long, Repo>();
    handle
        .createQuery(
            """
            SELECT id, organization, key, host, owner, name FROM repository_view WHERE id = ANY (:ids)
            """)
        .bindArray("ids", Long.class, repositories)
        .map(
            (row, context) ->
                repos.put(
                    row.getLong("id"),
                    new Repo(
                        row.getString("organization"),
                        row.getString("key"),
                        row.getString("host"),
                        row.getString("owner"),
                        row.getString("name"))))
        .list();
    return repos;
  }

  /** One node after the other turns the facts of an organization into events; others go on. */
  static boolean lock(Handle handle, long organizationId) {
    return handle
        .select(
            "SELECT pg_try_advisory_xact_lock(hashtextextended('webhook-events', ?))",
            organizationId)
        .mapTo(Boolean.class)
        .one();
  }

  /** Forgets events that were told before a time, some at once; returns how many. */
  static int deleteBefore(Handle handle, Instant before, int most) {
    return handle.execute(
        """
        DELETE FROM webhook_event e USING (
          SELECT organization_id, number FROM webhook_event WHERE told_at < ? LIMIT ?) old
        WHERE e.organization_id = old.organization_id AND e.number = old.number
        """,
        before,
        most);
  }
}
