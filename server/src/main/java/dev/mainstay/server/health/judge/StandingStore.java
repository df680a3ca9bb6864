package dev.mainstay.server.health.judge;

import static dev.mainstay.server.health.test.TestStore.label;

import dev.mainstay.core.health.MonitorState;
import dev.mainstay.core.health.Standing;
import dev.mainstay.core.health.TestStatus;
import dev.mainstay.core.health.judge.Judgement;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;
import tools.jackson.databind.node.ObjectNode;

/** The standing of tests, in columns of {@code test}, and the table {@code status_change}. */
public final class StandingStore {
  private StandingStore() {}

  public static Map<UUID, Standing> find(Handle handle, long repositoryId, Collection<UUID> tests) {
    var standings = new HashMap<UUID, Standing>();
    handle
        .createQuery(
            """
            SELECT id, status, status_reason, coalesce(status_since, first_seen_at) AS since, monitors
            FROM test WHERE repository_id = :repository AND id = ANY (:tests)
            """)
        .bind("repository", repositoryId)
        .bindArray("tests", UUID.class, tests)
        .map(
            (row, context) ->
                standings.put(
                    row.getObject("id", UUID.class),
                    new Standing(
                        TestStatus.valueOf(row.getString("status").toUpperCase(Locale.ROOT)),
                        Optional.ofNullable(row.getString("status_reason"))
                            .orElse(Standing.NEVER_FLAGGED),
                        row.getTimestamp("since").toInstant(),
                        Optional.ofNullable(row.getString("monitors"))
                            .map(StandingJson::read)
                            .orElse(List.of()))))
        .list();
    return standings;
  }

  /** A test that was judged. */
  record Judged(UUID test, Standing before, Judgement judgement, Optional<Instant> reviewAt) {}

  static void save(Handle handle, long repositoryId, List<Judged> tests, Instant now) {
    handle
        .createUpdate(
            """
            UPDATE test t SET status = j.status, status_reason = j.reason, status_since = j.since,
              unhealthy_since = CASE WHEN j.status <> 'healthy' THEN coalesce(t.unhealthy_since, j.since) END,
              monitors = CAST(nullif(j.monitors, '') AS jsonb),
              review_at = CAST(nullif(j.review_at, '') AS timestamptz)
            FROM unnest(CAST(:tests AS uuid[]), CAST(:status AS text[]), CAST(:reasons AS text[]),
              CAST(:since AS timestamptz[]), CAST(:monitors AS text[]), CAST(:reviews AS text[]))
              AS j (id, status, reason, since, monitors, review_at)
            WHERE t.repository_id = :repository AND t.id = j.id
            """)
        .bind("repository", repositoryId)
        .bindArray("tests", UUID.class, tests.stream().map(Judged::test).toList())
        .bindArray("status", String.class, texts(tests, one -> label(after(one).status())))
        .bindArray("reasons", String.class, texts(tests, one -> after(one).reason()))
        .bindArray("since", String.class, texts(tests, one -> after(one).since().toString()))
        .bindArray("monitors", String.class, optional(tests, StandingStore::monitors))
        .bindArray("reviews", String.class, optional(tests, o -> o.reviewAt.map(Instant::toString)))
        .execute();
    keepChanges(
        handle, repositoryId, tests.stream().filter(one -> one.judgement.changed()).toList(), now);
  }

  private static void keepChanges(
      Handle handle, long repositoryId, List<Judged> changed, Instant now) {
    if (changed.isEmpty()) {
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
        .bindArray("tests", UUID.class, changed.stream().map(Judged::test).toList())
        .bindArray("before", String.class, texts(changed, one -> label(one.before.status())))
        .bindArray("after", String.class, texts(changed, one -> label(after(one).status())))
        .bindArray("reasons", String.class, texts(changed, one -> after(one).reason()))
        .bindArray(
            "monitors",
            String.class,
            optional(changed, one -> decider(one).map(state -> "" + state.monitor().value())))
        .bindArray(
            "evidence",
            String.class,
            optional(
                changed,
                one ->
                    decider(one)
                        .map(state -> StandingJson.text(StandingJson.evidence(state.evidence())))))
        .execute();
  }

  private static Standing after(Judged one) {
    return one.judgement.after();
  }

  private static Optional<MonitorState> decider(Judged one) {
    return one.judgement.decidedBy();
  }

  private static Optional<String> monitors(Judged one) {
    return Optional.of(after(one).monitors())
        .filter(states -> !states.isEmpty())
        .map(StandingJson::write);
  }

  private static List<String> texts(List<Judged> tests, Function<Judged, String> text) {
    return tests.stream().map(text).toList();
  }

  /** Texts of judgements; a missing one is the empty text, which the statements take for null. */
  private static List<String> optional(
      List<Judged> tests, Function<Judged, Optional<String>> text) {
    return tests.stream().map(one -> text.apply(one).orElse("")).toList();
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

  /** The changes of a test, the latest first. */
  public static List<Change> changes(
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

  /** Forgets changes past their organization's retention, some at a time; returns how many. */
  public static int deleteExpired(Handle handle, Instant now, int most) {
    return handle
        .createUpdate(
            """
            DELETE FROM status_change c USING (
              SELECT c.repository_id, c.test_id, c.number FROM repository_view r
              JOIN status_change c ON c.repository_id = r.id
                AND c.at < CAST(:now AS timestamptz) - make_interval(days => r.retention_days + 2)
              LIMIT :most
            ) old
            WHERE c.repository_id = old.repository_id AND c.test_id = old.test_id AND c.number = old.number
            """)
        .bind("now", now)
        .bind("most", most)
        .execute();
  }
}
