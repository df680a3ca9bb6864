package dev.mainstay.server.health.judge;

import static dev.mainstay.server.health.test.TestStore.label;

import dev.mainstay.core.health.Standing;
import dev.mainstay.core.health.judge.Judgement;
import dev.mainstay.server.health.test.StandingJson;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import tools.jackson.databind.node.ObjectNode;

/** The table {@code status_change}. */
public final class StatusChangeStore {
  private StatusChangeStore() {}

  /** A judgement that changed the status of a test. */
  record Changed(UUID test, Standing before, Judgement judgement) {}

  static void insert(Handle handle, long repositoryId, List<Changed> changes, Instant now) {
    if (changes.isEmpty()) {
      return;
    }
    handle
        .createUpdate(
            """
            INSERT INTO status_change
              (repository_id, test_id, at, before, after, reason, monitor_id, monitor_name, evidence)
            SELECT :repository, c.test_id, :at, c.before, c.after, c.reason, m.id, m.name,
              CAST(nullif(c.evidence, '') AS jsonb)
            FROM unnest(CAST(:tests AS uuid[]), CAST(:before AS text[]), CAST(:after AS text[]),
              CAST(:reasons AS text[]), CAST(:monitors AS text[]), CAST(:evidence AS text[]))
              AS c (test_id, before, after, reason, monitor, evidence)
            LEFT JOIN monitor m ON m.repository_id = :repository AND m.id = CAST(nullif(c.monitor, '') AS uuid)
            """)
        .bind("repository", repositoryId)
        .bind("at", now)
        .bindArray("tests", UUID.class, changes.stream().map(Changed::test).toList())
        .bindArray("before", String.class, texts(changes, c -> label(c.before.status())))
        .bindArray("after", String.class, texts(changes, c -> label(after(c).status())))
        .bindArray("reasons", String.class, texts(changes, c -> after(c).reason()))
        .bindArray("monitors", String.class, texts(changes, StatusChangeStore::decider))
        .bindArray("evidence", String.class, texts(changes, StatusChangeStore::evidence))
        .execute();
  }

  private static Standing after(Changed one) {
    return one.judgement.after();
  }

  /** Texts of changes; the statement takes the empty one for null. */
  private static List<String> texts(List<Changed> changes, Function<Changed, String> text) {
    return changes.stream().map(text).toList();
  }

  private static String decider(Changed one) {
    return one.judgement.decidedBy().map(state -> state.monitor().value().toString()).orElse("");
  }

  private static String evidence(Changed one) {
    return one.judgement
        .decidedBy()
        .map(state -> StandingJson.text(StandingJson.evidence(state.evidence())))
        .orElse("");
  }

  /** A change of a status. */
  public record Change(
      long number,
      Instant at,
      String before,
      String after,
      String reason,
      Optional<UUID> monitorId,
      Optional<String> monitorName,
      Optional<ObjectNode> evidence) {}

  /** The time of the newest change of each repository that has results; 0 where there is none. */
  public static Map<Long, Long> newest(Handle handle, Collection<Long> repositoryIds) {
    return handle
        .createQuery(
            """
            SELECT f.repository_id, (SELECT extract(epoch FROM max(c.at)) * 1000 FROM status_change c
                                     WHERE c.repository_id = f.repository_id)::bigint
            FROM result_feed_view f WHERE f.repository_id = ANY (:ids)
            """)
        .bindArray("ids", Long.class, repositoryIds.toArray())
        .map((row, context) -> Map.entry(row.getLong(1), row.getLong(2)))
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  /** The changes of a test, the latest first. */
  public static List<Change> latest(
      Handle handle, long repositoryId, UUID test, Optional<Long> before, int most) {
    return handle
        .createQuery(
            """
            SELECT * FROM status_change
            WHERE repository_id = :repository AND test_id = :test AND number < coalesce(:before, 9223372036854775807)
            ORDER BY number DESC LIMIT :most
            """)
        .bind("repository", repositoryId)
        .bind("test", test)
        .bind("before", before)
        .bind("most", most)
        .map(
            (row, context) ->
                new Change(
                    row.getLong("number"),
                    row.getTimestamp("at").toInstant(),
                    row.getString("before"),
                    row.getString("after"),
                    row.getString("reason"),
                    Optional.ofNullable(row.getObject("monitor_id", UUID.class)),
                    Optional.ofNullable(row.getString("monitor_name")),
                    Optional.ofNullable(row.getString("evidence")).map(StandingJson::object)))
        .list();
  }

  /** Forgets changes of before a time, some at once; returns how many. */
  public static int deleteExpired(Handle handle, long repositoryId, Instant before, int most) {
    return handle
        .createUpdate(
            """
            DELETE FROM status_change WHERE repository_id = :repository AND (test_id, number) IN (
              SELECT test_id, number FROM status_change
              WHERE repository_id = :repository AND at < :before LIMIT :most)
            """)
        .bind("repository", repositoryId)
        .bind("before", before)
        .bind("most", most)
        .execute();
  }
}
