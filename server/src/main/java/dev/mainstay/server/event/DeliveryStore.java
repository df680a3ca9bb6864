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
  private static final int SEEN_OF_EACH = 32;
  private static final int MOST_SEEN = 2_000;

  /** What is in the hands of a node has no attempts where it was asked for once more meanwhile. */
  private static final String ASKED_AGAIN =
      """
      ON CONFLICT (webhook_id, number) DO UPDATE SET attempts = 0,
        due_at = CASE WHEN d.node IS NULL THEN excluded.due_at ELSE d.due_at END\
      """;

  private DeliveryStore() {}

  /**
   * Hands events to the endpoints of their organization that want them and are on; what is of no
   * repository is for all.
   */
  static void insert(Handle handle, long organizationId, Collection<Long> events, Instant now) {
    handle
        .createUpdate(
            """
            INSERT INTO webhook_delivery (webhook_id, number, organization_id, subject, due_at)
            SELECT w.id, e.number, w.organization_id, e.subject, :now
            FROM webhook w JOIN webhook_event e ON e.organization_id = w.organization_id
            WHERE w.organization_id = :organization AND e.number = ANY (:events) AND w.enabled
              AND e.kind = ANY (w.kinds) AND (w.repos IS NULL OR e.repo = '' OR e.repo = ANY (w.repos))
            ON CONFLICT (webhook_id, number) DO NOTHING
            """)
        .bind("organization", organizationId)
        .bindArray("events", Long.class, events)
        .bind("now", now)
        .execute();
  }

  /** Delivers an event to an endpoint once more; where it is being sent, after that has ended. */
  static void again(Handle handle, UUID webhook, Event event, Instant now) {
    handle.execute(
        """
        INSERT INTO webhook_delivery AS d (webhook_id, number, organization_id, subject, due_at)
        VALUES (?, ?, ?, ?, ?)
        %s
        """
            .formatted(ASKED_AGAIN),
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
              AND (w.repos IS NULL OR e.repo = '' OR e.repo = ANY (w.repos))
            ORDER BY e.at, e.number LIMIT :most
            %s
            """
                .formatted(ASKED_AGAIN))
        .bind("webhook", webhook)
        .bind("since", since)
        .bind("now", now)
        .bind("most", most)
        .execute();
  }

  /** A delivery in the hands of a node: it is its own until the lease or the node ends. */
  record Taken(
      UUID webhook, long organizationId, long number, int attempt, String subject, int node) {}

  /**
   * What endpoints may have in hand at this node: {@code busy} says how many each has, and the rest
   * how many it may have, by its organization where that has any.
   */
  record Share(Map<UUID, Integer> busy, Map<Long, Integer> ofOrganizations, int ofOthers) {}

  /** Deliveries that were taken, and whether others were due that now wait for earlier ones. */
  record Take(List<Taken> taken, boolean othersWait) {}

  /**
   * Looks at deliveries that are due, of each endpoint at the first few, and takes as many as it
   * has room for: its share less what this node has in hand, and one where it failed last. The
   * first attempt of an event waits for the earlier ones of its subject, unless those have failed
   * twice. It is not looked at again before one of them ends, so that nobody pays for what an
   * endpoint has not taken, however much it is.
   */
  static Take take(Handle handle, int node, Instant now, Duration lease, Share share, int most) {
    var busy = List.copyOf(share.busy().keySet());
    var organizations = List.copyOf(share.ofOrganizations().keySet());
    List<Taken> seen =
        handle
            .createQuery(
                """
                WITH endpoint AS (
                  SELECT w.id, CASE WHEN w.failures > 0 THEN 1 ELSE coalesce(o.share, :share) END
                    - coalesce(b.count, 0) AS room
                  FROM webhook w
                  LEFT JOIN unnest(CAST(:busy AS uuid[]), CAST(:counts AS integer[])) AS b (id, count) ON b.id = w.id
                  LEFT JOIN unnest(CAST(:organizations AS bigint[]), CAST(:shares AS integer[])) AS o (id, share)
                    ON o.id = w.organization_id
                  WHERE w.enabled AND coalesce(w.wait_until <= :now, true)
                ), seen AS MATERIALIZED (
                  SELECT w.id, w.room, d.number, d.due_at, d.attempts = 0 AND (
                    SELECT true FROM webhook_delivery e
                    WHERE e.webhook_id = w.id AND e.subject = d.subject AND e.number < d.number
                      AND (e.attempts < 2 OR e.node IS NOT NULL)
                    ORDER BY e.number LIMIT 1) IS NOT NULL AS waits
                  FROM endpoint w CROSS JOIN LATERAL (
                    SELECT d.number, d.subject, d.due_at, d.attempts FROM webhook_delivery d
                    WHERE d.webhook_id = w.id AND d.due_at <= :now
                    ORDER BY d.due_at, d.number LIMIT CASE WHEN w.room > 0 THEN :ofEach ELSE 0 END
                    FOR UPDATE SKIP LOCKED
                  ) d LIMIT :mostSeen
                ), waiting AS (
                  UPDATE webhook_delivery d SET due_at = 'infinity'
                  FROM seen s WHERE s.waits AND d.webhook_id = s.id AND d.number = s.number
                  RETURNING d.webhook_id, d.organization_id, d.number, 0 AS attempts, d.subject
                ), taken AS (
                  UPDATE webhook_delivery d SET due_at = :until, node = :node, attempts = d.attempts + 1
                  FROM (SELECT p.id, p.number FROM (
                      SELECT id, number, room, row_number() OVER (PARTITION BY id ORDER BY due_at, number) AS place
                      FROM seen WHERE NOT waits) p
                    WHERE p.place <= p.room LIMIT :most) s
                  WHERE d.webhook_id = s.id AND d.number = s.number
                  RETURNING d.webhook_id, d.organization_id, d.number, d.attempts, d.subject
                )
                SELECT * FROM taken UNION ALL SELECT * FROM waiting
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
            .bind("ofEach", SEEN_OF_EACH)
            .bind("mostSeen", MOST_SEEN)
            .bind("most", most)
            .map(
                (row, context) ->
                    new Taken(
                        row.getObject(1, UUID.class),
                        row.getLong(2),
                        row.getLong(3),
                        row.getInt(4),
                        row.getString(5),
                        node))
            .list();
    List<Taken> taken = seen.stream().filter(one -> one.attempt() > 0).toList();
    List<Taken> waiting = seen.stream().filter(one -> one.attempt() == 0).toList();
    if (!waiting.isEmpty()) {
      wakeFirst(handle, waiting, now);
    }
    return new Take(taken, !waiting.isEmpty());
  }

  /** What these were found to wait for may have ended since the statement that found it began. */
  private static void wakeFirst(Handle handle, List<Taken> waiting, Instant now) {
    var convoy = new Convoy();
    convoy.add(
        """
        UPDATE webhook_delivery d SET due_at = :now
        FROM unnest(:webhooks, :numbers, :nodes) AS t (webhook, number, node)
        WHERE d.webhook_id = CAST(t.webhook AS uuid) AND d.number = t.number AND d.due_at = 'infinity'
          AND NOT EXISTS (SELECT FROM webhook_delivery e
            WHERE e.webhook_id = d.webhook_id AND e.subject = d.subject AND e.number < d.number
              AND (e.attempts < 2 OR e.node IS NOT NULL))
        """,
        values(waiting, t -> t).with("now", now));
    convoy.send(handle);
  }

  /** Deliveries that have come to their end, but for those asked for once more meanwhile. */
  static void done(Convoy convoy, Collection<Taken> all, Instant now) {
    if (all.isEmpty()) {
      return;
    }
    convoy.add(
        """
        DELETE FROM webhook_delivery d USING unnest(:webhooks, :numbers, :nodes) AS t (webhook, number, node)
        WHERE d.webhook_id = CAST(t.webhook AS uuid) AND d.number = t.number AND d.node = t.node
          AND d.attempts > 0
        """,
        values(all, t -> t));
    convoy.add(
        """
        UPDATE webhook_delivery d SET due_at = :now, node = NULL
        FROM unnest(:webhooks, :numbers, :nodes) AS t (webhook, number, node)
        WHERE d.webhook_id = CAST(t.webhook AS uuid) AND d.number = t.number AND d.node = t.node
        """,
        values(all, t -> t).with("now", now));
    wake(convoy, all, now);
  }

  /**
   * Makes due what waits for the end of one of these, or for its second failure. Its row is locked
   * in any case: whoever is just finding out that it has to wait is waited for.
   */
  private static void wake(Convoy convoy, Collection<Taken> ended, Instant now) {
    if (ended.isEmpty()) {
      return;
    }
    convoy.add(
        """
        UPDATE webhook_delivery d SET due_at = CASE WHEN d.due_at = 'infinity' THEN :now ELSE d.due_at END
        FROM unnest(:webhooks, :numbers, :subjects) AS t (webhook, number, subject)
        CROSS JOIN LATERAL (SELECT n.number FROM webhook_delivery n
          WHERE n.webhook_id = CAST(t.webhook AS uuid) AND n.subject = t.subject AND n.number > t.number
            AND (n.attempts < 2 OR n.node IS NOT NULL)
          ORDER BY n.number LIMIT 1) n
        WHERE d.webhook_id = CAST(t.webhook AS uuid) AND d.number = n.number
        """,
        values(ended, t -> t)
            .with("subjects", Columns.texts(ended, Taken::subject))
            .with("now", now));
  }

  /** Makes due whatever waits though nothing before it does, for whatever reason. */
  static int wakeAll(Handle handle, Instant now) {
    return handle.execute(
        """
        UPDATE webhook_delivery d SET due_at = ?
        FROM (SELECT DISTINCT ON (webhook_id, subject) webhook_id, subject, number FROM webhook_delivery
          WHERE attempts < 2 OR node IS NOT NULL ORDER BY webhook_id, subject, number) first
        WHERE d.webhook_id = first.webhook_id AND d.number = first.number AND d.due_at = 'infinity'
        """,
        now);
  }

  /** A delivery that this node had in hand, and when any node may take it. */
  record Again(Taken taken, Instant at) {}

  /** Gives deliveries back, for any node to take at their times. */
  static void again(Convoy convoy, Collection<Again> all, Instant now) {
    if (all.isEmpty()) {
      return;
    }
    convoy.add(
        """
        UPDATE webhook_delivery d SET node = NULL, due_at =
          CASE WHEN d.attempts = 0 THEN :now ELSE timestamptz 'epoch' + t.at * interval '1 microsecond' END
        FROM unnest(:webhooks, :numbers, :nodes, :times) AS t (webhook, number, node, at)
        WHERE d.webhook_id = CAST(t.webhook AS uuid) AND d.number = t.number AND d.node = t.node
        """,
        values(all, Again::taken).with("times", Columns.times(all, Again::at)).with("now", now));
    wake(convoy, all.stream().map(Again::taken).filter(t -> t.attempt() >= 2).toList(), now);
  }

  /** Gives deliveries back as if nobody had taken them. */
  static void giveBack(Convoy convoy, Collection<Taken> all, Instant now) {
    if (all.isEmpty()) {
      return;
    }
    convoy.add(
        """
        UPDATE webhook_delivery d SET due_at = :now, node = NULL, attempts = greatest(attempts - 1, 0)
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
