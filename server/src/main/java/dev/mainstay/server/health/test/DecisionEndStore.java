package dev.mainstay.server.health.test;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/**
 * The ends of decisions about quarantine, in columns of the table {@code test}. A decision ends
 * once: whoever marks it tells of it.
 */
public final class DecisionEndStore {
  private DecisionEndStore() {}

  /** A test of a repository. */
  public record OfRepository(long repositoryId, TestRow test) {}

  /** Marks decisions that have run out, some at once, and returns their tests. */
  public static List<OfRepository> byTime(Handle handle, Instant now, int most) {
    return handle
        .createQuery(
            """
            WITH ended AS (
              SELECT repository_id AS repository, id AS test FROM test
              WHERE override_until <= :now AND NOT override_ended
              ORDER BY override_until LIMIT :most FOR UPDATE SKIP LOCKED
            )
            UPDATE test SET override_ended = true FROM ended
            WHERE repository_id = ended.repository AND id = ended.test
            RETURNING repository_id,
            """
                + TestStore.COLUMNS)
        .bind("now", now)
        .bind("most", most)
        .map(
            (row, context) ->
                new OfRepository(row.getLong("repository_id"), TestStore.read(row, context)))
        .list();
  }

  /** Ends decisions whose ticket is closed, some at once, and returns their tests. */
  public static List<OfRepository> byTicket(Handle handle, Instant now, int most) {
    return handle
        .createQuery(
            """
            WITH ended AS (
              SELECT repository_id AS repository, id AS test FROM test t
              WHERE override_until_ticket AND NOT override_ended AND EXISTS (
                SELECT FROM repository_view r JOIN ticket k ON k.organization_id = r.organization_id
                WHERE r.id = t.repository_id AND k.id = t.ticket_id AND k.closed)
              ORDER BY repository_id, id LIMIT :most FOR UPDATE SKIP LOCKED
            )
            UPDATE test SET override_ended = true, override_until = least(override_until, :now) FROM ended
            WHERE repository_id = ended.repository AND id = ended.test
            RETURNING repository_id,
            """
                + TestStore.COLUMNS)
        .bind("now", now)
        .bind("most", most)
        .map(
            (row, context) ->
                new OfRepository(row.getLong("repository_id"), TestStore.read(row, context)))
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
