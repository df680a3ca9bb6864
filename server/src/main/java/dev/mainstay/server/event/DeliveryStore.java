package dev.mainstay.server.event;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/** The table {@code webhook_delivery}. */
final class DeliveryStore {
  private DeliveryStore() {}

  /** Hands events to the endpoints of their organization that want them and are on. */
  static void insert(Handle handle, long organizationId, Collection<Long> events, Instant now) {
    handle
        .createUpdate(
            """
            INSERT INTO webhook_delivery (webhook_id, number, organization_id, subject, due_at)
            SELECT w.id, e.number, w.organization_id, e.subject, :now
            FROM webhook w JOIN webhook_event e ON e.organization_id = w.organization_id
            WHERE w.organization_id = :organization AND e.number = ANY (:events) AND w.enabled
              AND e.kind = ANY (w.kinds) AND (w.repos IS NULL OR e.repo = ANY (w.repos))
            ON CONFLICT (webhook_id, number) DO NOTHING
            """)
        .bind("organization", organizationId)
        .bindArray("events", Long.class, events)
        .bind("now", now)
        .execute();
  }

  /** Delivers an event to an endpoint once more. */
  static void again(Handle handle, UUID webhook, Event event, Instant now) {
    handle.execute(
        """
        INSERT INTO webhook_delivery AS d (webhook_id, number, organization_id, subject, due_at)
        VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (webhook_id, number) DO UPDATE SET due_at = excluded.due_at, attempts = 0 WHERE d.node IS NULL
        """,
        webhook,
        event.number(),
        event.organizationId(),
        event.subject(),
        now);
  }

  /** Delivers the events since a time once more that an endpoint wants; returns how many. */
  static int againSince(Handle handle, UUID webhook, Instant since, Instant now, int most) {
    return handle
        .createUpdate(
            """
            INSERT INTO webhook_delivery AS d (webhook_id, number, organization_id, subject, due_at)
            SELECT w.id, e.number, w.organization_id, e.subject, :now
            FROM webhook w JOIN webhook_event e ON e.organization_id = w.organization_id
            WHERE w.id = :webhook AND e.at >= :since AND e.kind = ANY (w.kinds)
              AND (w.repos IS NULL OR e.repo = ANY (w.repos))
            ORDER BY e.at, e.number LIMIT :most
            ON CONFLICT (webhook_id, number) DO UPDATE SET due_at = excluded.due_at, attempts = 0 WHERE d.node IS NULL
            """)
        .bind("webhook", webhook)
        .bind("since", since)
        .bind("now", now)
        .bind("most", most)
        .execute();
  }

  /** A delivery in the hands of a node: it is its own until the lease or the node ends. */
  record Taken(UUID webhook, long organizationId, long number, int attempt, int node) {}

  /**
   * Takes deliveries that are due, of each endpoint as many as it has room for: {@code busy} says
   * how many of each this node has in hand. The first attempt of an event waits for the earlier
   * ones of its subject, unless those have failed twice.
   */
  static List<Taken> take(
      Handle handle,
      int node,
      Instant now,
      Duration lease,
      Map<UUID, Integer> busy,
      Collection<Long> fullOrganizations,
      int ofEach,
      int most) {
    var endpoints = List.copyOf(busy.keySet());
    return handle
        .createQuery(
            """
            WITH due AS (
              SELECT w.id, d.number FROM webhook w
              LEFT JOIN unnest(CAST(:busy AS uuid[]), CAST(:counts AS integer[])) AS b (id, count) ON b.id = w.id
              CROSS JOIN LATERAL (
                SELECT d.number FROM webhook_delivery d
                WHERE d.webhook_id = w.id AND d.due_at <= :now
                  AND NOT EXISTS (SELECT FROM webhook_delivery e
                    WHERE e.webhook_id = d.webhook_id AND e.subject = d.subject AND e.number < d.number
                      AND (e.attempts < 2 OR e.node IS NOT NULL))
                ORDER BY d.due_at, d.number
                LIMIT greatest(0, CASE WHEN w.failures > 0 THEN 1 ELSE :ofEach END - coalesce(b.count, 0))
                FOR UPDATE SKIP LOCKED
              ) d
              WHERE w.enabled AND coalesce(w.wait_until <= :now, true)
                AND NOT (w.organization_id = ANY (CAST(:full AS bigint[])))
              LIMIT :most
            )
            UPDATE webhook_delivery d SET due_at = :until, node = :node, attempts = d.attempts + 1
            FROM due WHERE d.webhook_id = due.id AND d.number = due.number
            RETURNING d.webhook_id, d.organization_id, d.number, d.attempts
            """)
        .bind("node", node)
        .bind("now", now)
        .bind("until", now.plus(lease))
        .bindArray("busy", UUID.class, endpoints)
        .bindArray("counts", Integer.class, endpoints.stream().map(busy::get).toList())
        .bindArray("full", Long.class, fullOrganizations)
        .bind("ofEach", ofEach)
        .bind("most", most)
        .map(
            (row, context) ->
                new Taken(
                    row.getObject(1, UUID.class),
                    row.getLong(2),
                    row.getLong(3),
                    row.getInt(4),
                    node))
        .list();
  }

  static void done(Handle handle, Taken taken) {
    handle.execute(
        "DELETE FROM webhook_delivery WHERE webhook_id = ? AND number = ? AND node = ?",
        taken.webhook(),
        taken.number(),
        taken.node());
  }

  /** Gives a delivery back, for any node to take at that time. */
  static void again(Handle handle, Taken taken, Instant at) {
    handle.execute(
        """
        UPDATE webhook_delivery SET due_at = ?, node = NULL
        WHERE webhook_id = ? AND number = ? AND node = ?
        """,
        at,
        taken.webhook(),
        taken.number(),
        taken.node());
  }

  /** Gives a delivery back as if nobody had taken it. */
  static void giveBack(Handle handle, Taken taken, Instant now) {
    handle.execute(
        """
        UPDATE webhook_delivery SET due_at = ?, node = NULL, attempts = attempts - 1
        WHERE webhook_id = ? AND number = ? AND node = ?
        """,
        now,
        taken.webhook(),
        taken.number(),
        taken.node());
  }

  /** Makes deliveries due whose nodes are gone; the attempt that nobody saw end does not count. */
  static int free(Handle handle, Instant now) {
    return handle.execute(
        """
        UPDATE webhook_delivery d SET due_at = least(due_at, ?), node = NULL, attempts = greatest(attempts - 1, 0)
        FROM (SELECT webhook_id, number FROM webhook_delivery
          WHERE node IS NOT NULL AND node NOT IN (SELECT n.id FROM node_view n) FOR UPDATE SKIP LOCKED) f
        WHERE d.webhook_id = f.webhook_id AND d.number = f.number
        """,
        now);
  }

  /** The deliveries of an endpoint that wait, at most so many are counted. */
  static int waiting(Handle handle, UUID webhook, int most) {
    return handle
        .select(
            "SELECT count(*) FROM (SELECT FROM webhook_delivery WHERE webhook_id = ? LIMIT ?) d",
            webhook,
            most)
        .mapTo(Integer.class)
        .one();
  }

  /** The deliveries that are due, and the time of the oldest, of endpoints that are on and well. */
  record Due(long count, Instant oldest) {}

  static Due due(Handle handle, Instant now) {
    return handle
        .createQuery(
            """
            SELECT count(*), coalesce(min(d.due_at), :now) FROM webhook w
            JOIN webhook_delivery d ON d.webhook_id = w.id
            WHERE w.enabled AND w.failures = 0 AND d.due_at <= :now
            """)
        .bind("now", now)
        .map((row, context) -> new Due(row.getLong(1), row.getTimestamp(2).toInstant()))
        .one();
  }

  /** Forgets deliveries of events that are forgotten. */
  static int deleteOrphans(Handle handle, int most) {
    return handle.execute(
        """
        DELETE FROM webhook_delivery d USING (
          SELECT webhook_id, number FROM webhook_delivery o
          WHERE NOT EXISTS (SELECT FROM webhook_event e
            WHERE e.organization_id = o.organization_id AND e.number = o.number) LIMIT ?) old
        WHERE d.webhook_id = old.webhook_id AND d.number = old.number
        """,
        most);
  }
}
