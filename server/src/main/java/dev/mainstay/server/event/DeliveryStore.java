package dev.mainstay.server.event;

import dev.mainstay.server.platform.Columns;
import dev.mainstay.server.platform.Convoy;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
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
   * What endpoints may have in hand at this node: {@code busy} says how many each has, and the rest
   * how many it may have, by its organization where that has any.
   */
  record Share(Map<UUID, Integer> busy, Map<Long, Integer> ofOrganizations, int ofOthers) {}

  /**
   * Takes deliveries that are due, of each endpoint as many as it has room for: its share less what
   * this node has in hand, and one where it failed last. The first attempt of an event waits for
   * the earlier ones of its subject, unless those have failed twice.
   */
  static List<Taken> take(
      Handle handle, int node, Instant now, Duration lease, Share share, int most) {
    var busy = List.copyOf(share.busy().keySet());
    var organizations = List.copyOf(share.ofOrganizations().keySet());
    return handle
        .createQuery(
            """
            WITH due AS (
              SELECT w.id, d.number FROM webhook w
              LEFT JOIN unnest(CAST(:busy AS uuid[]), CAST(:counts AS integer[])) AS b (id, count) ON b.id = w.id
              LEFT JOIN unnest(CAST(:organizations AS bigint[]), CAST(:shares AS integer[])) AS o (id, share)
                ON o.id = w.organization_id
              CROSS JOIN LATERAL (
                SELECT d.number FROM webhook_delivery d
                WHERE d.webhook_id = w.id AND d.due_at <= :now
                  AND NOT EXISTS (SELECT FROM webhook_delivery e
                    WHERE e.webhook_id = d.webhook_id AND e.subject = d.subject AND e.number < d.number
                      AND (e.attempts < 2 OR e.node IS NOT NULL))
                ORDER BY d.due_at, d.number
                LIMIT greatest(0,
                  CASE WHEN w.failures > 0 THEN 1 ELSE coalesce(o.share, :share) END - coalesce(b.count, 0))
                FOR UPDATE SKIP LOCKED
              ) d
              WHERE w.enabled AND coalesce(w.wait_until <= :now, true)
              LIMIT :most
            )
            UPDATE webhook_delivery d SET due_at = :until, node = :node, attempts = d.attempts + 1
            FROM due WHERE d.webhook_id = due.id AND d.number = due.number
            RETURNING d.webhook_id, d.organization_id, d.number, d.attempts
            """)
        .bind("node", node)
        .bind("now", now)
        .bind("until", now.plus(lease))
        .bindArray("busy", UUID.class, busy)
        .bindArray("counts", Integer.class, busy.stream().map(share.busy()::get).toList())
        .bindArray("organizations", Long.class, organizations)
        .bindArray(
            "shares",
            Integer.class,
            organizations.stream().map(share.ofOrganizations()::get).toList())
        .bind("share", share.ofOthers())
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

  /** Deliveries that have come to their end. */
  static void done(Convoy convoy, Collection<Taken> all) {
    if (all.isEmpty()) {
      return;
    }
    convoy.add(
        """
        DELETE FROM webhook_delivery d USING unnest(:webhooks, :numbers, :nodes) AS t (webhook, number, node)
        WHERE d.webhook_id = CAST(t.webhook AS uuid) AND d.number = t.number AND d.node = t.node
        """,
        values(all, t -> t));
  }

  /** A delivery that this node had in hand, and when any node may take it. */
  record Again(Taken taken, Instant at) {}

  /** Gives deliveries back, for any node to take at their times. */
  static void again(Convoy convoy, Collection<Again> all) {
    if (all.isEmpty()) {
      return;
    }
    convoy.add(
        """
        UPDATE webhook_delivery d SET due_at = timestamptz 'epoch' + t.at * interval '1 microsecond', node = NULL
        FROM unnest(:webhooks, :numbers, :nodes, :times) AS t (webhook, number, node, at)
        WHERE d.webhook_id = CAST(t.webhook AS uuid) AND d.number = t.number AND d.node = t.node
        """,
        values(all, Again::taken).with("times", Columns.times(all, Again::at)));
  }

  /** Gives deliveries back as if nobody had taken them. */
  static void giveBack(Convoy convoy, Collection<Taken> all, Instant now) {
    if (all.isEmpty()) {
      return;
    }
    convoy.add(
        """
        UPDATE webhook_delivery d SET due_at = :now, node = NULL, attempts = attempts - 1
        FROM unnest(:webhooks, :numbers, :nodes) AS t (webhook, number, node)
        WHERE d.webhook_id = CAST(t.webhook AS uuid) AND d.number = t.number AND d.node = t.node
        """,
        values(all, t -> t).with("now", now));
  }

  private static <T> Convoy.Values values(Collection<T> all, Function<T, Taken> taken) {
    return new Convoy.Values()
        .with("webhooks", Columns.texts(all, t -> taken.apply(t).webhook().toString()))
        .with("numbers", Columns.numbers(all, t -> taken.apply(t).number()))
        .with("nodes", Columns.numbers(all, t -> taken.apply(t).node()));
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
