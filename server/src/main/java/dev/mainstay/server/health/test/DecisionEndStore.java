package dev.mainstay.server.health.test;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/**
 * The ends of decisions about quarantine, in columns of the table {@code test}. A decision ends
 * once: whoever marks it tells of it.
 */
public final class DecisionEndStore {
  private DecisionEndStore() {}

  /** The repositories in which a decision has run out. */
  public static List<Long> withRunOut(Handle handle, Instant now) {
    return handle
        .select(
            """
            SELECT DISTINCT repository_id FROM test WHERE override_until <= ? AND NOT override_ended
            ORDER BY repository_id
            """,
            now)
        .mapTo(Long.class)
        .list();
  }

  /** Marks decisions that have run out, some at once, and returns their tests. */
  public static List<TestRow> byTime(Handle handle, long repositoryId, Instant now, int most) {
    return handle
        .createQuery(
            """
            WITH ended AS (
              SELECT id AS test FROM test
              WHERE repository_id = :repository AND override_until <= :now AND NOT override_ended
              ORDER BY override_until LIMIT :most FOR UPDATE SKIP LOCKED
            )
            UPDATE test SET override_ended = true FROM ended
            WHERE repository_id = :repository AND id = ended.test
            RETURNING
            """
                + TestStore.COLUMNS)
        .bind("repository", repositoryId)
        .bind("now", now)
        .bind("most", most)
        .map(TestStore::read)
        .list();
  }

  /** The tickets that decisions wait for, by the repository. */
  public static Map<Long, Set<String>> awaitedTickets(Handle handle) {
    var tickets = new TreeMap<Long, Set<String>>();
    handle
        .select(
            """
            SELECT DISTINCT repository_id, ticket_id FROM test
            WHERE override_until_ticket AND NOT override_ended AND ticket_id IS NOT NULL
            """)
        .map((row, context) -> Map.entry(row.getLong(1), row.getString(2)))
        .forEach(
            one -> tickets.computeIfAbsent(one.getKey(), r -> new TreeSet<>()).add(one.getValue()));
    return tickets;
  }

  /** Ends decisions that wait for one of these tickets, some at once, and returns their tests. */
  public static List<TestRow> byTicket(
      Handle handle, long repositoryId, Collection<String> closed, Instant now, int most) {
    return handle
        .createQuery(
            """
            WITH ended AS (
              SELECT id AS test FROM test
              WHERE repository_id = :repository AND override_until_ticket AND NOT override_ended
                AND ticket_id = ANY (:closed)
              ORDER BY id LIMIT :most FOR UPDATE SKIP LOCKED
            )
            UPDATE test SET override_ended = true, override_until = least(override_until, :now) FROM ended
            WHERE repository_id = :repository AND id = ended.test
            RETURNING
            """
                + TestStore.COLUMNS)
        .bind("repository", repositoryId)
        .bindArray("closed", String.class, closed)
        .bind("now", now)
        .bind("most", most)
        .map(TestStore::read)
        .list();
  }

  /** A decision that ends after some passes in a row, counted from a time. */
  public record Awaited(UUID test, Instant since, int passes) {}

  /** Those of tests after an id, in the order of their ids. */
  public static List<Awaited> awaitingPasses(
      Handle handle, long repositoryId, UUID after, int most) {
    return handle
        .select(
            """
            SELECT id, override_since, override_after_passes FROM test
            WHERE repository_id = ? AND id > ? AND override_after_passes IS NOT NULL AND NOT override_ended
            ORDER BY id LIMIT ?
            """,
            repositoryId,
            after,
            most)
        .map(
            (row, context) ->
                new Awaited(
                    row.getObject(1, UUID.class), row.getTimestamp(2).toInstant(), row.getInt(3)))
        .list();
  }

  /** Ends the decisions about some tests, unless they have ended or were made anew meanwhile. */
  public static List<TestRow> end(
      Handle handle, long repositoryId, Collection<Awaited> passed, Instant now) {
    return handle
        .createQuery(
            """
            WITH ended AS (
              SELECT t.id AS test FROM test t
              JOIN unnest(CAST(:tests AS uuid[]), CAST(:since AS timestamptz[])) AS p (id, since)
                ON p.id = t.id AND p.since = t.override_since
              WHERE t.repository_id = :repository AND NOT t.override_ended
              ORDER BY t.id FOR UPDATE OF t
            )
            UPDATE test SET override_ended = true, override_until = least(override_until, :now) FROM ended
            WHERE repository_id = :repository AND id = ended.test
            RETURNING
            """
                + TestStore.COLUMNS)
        .bind("repository", repositoryId)
        .bindArray("tests", UUID.class, passed.stream().map(Awaited::test).toList())
        .bindArray("since", String.class, passed.stream().map(p -> p.since().toString()).toList())
        .bind("now", now)
        .map(TestStore::read)
        .list();
  }
}
