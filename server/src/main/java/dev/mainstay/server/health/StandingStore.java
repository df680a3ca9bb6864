package dev.mainstay.server.health;

import dev.mainstay.core.health.Judgement;
import dev.mainstay.core.health.MonitorState;
import dev.mainstay.core.health.Standing;
import dev.mainstay.core.health.TestStatus;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;
import tools.jackson.databind.node.ObjectNode;

/** What judgements are kept in: columns of {@code test}, and the table {@code status_change}. */
final class StandingStore {
  private StandingStore() {}

  static Map<UUID, Standing> find(Handle handle, long repositoryId, Collection<UUID> tests) {
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
    if (tests.isEmpty()) {
      return;
    }
    PreparedBatch batch =
        handle.prepareBatch(
            """
            UPDATE test SET status = :status, status_reason = :reason, status_since = :since,
              unhealthy_since = CASE WHEN :unhealthy THEN coalesce(unhealthy_since, :since) END,
              monitors = CAST(:monitors AS jsonb), review_at = :review
            WHERE repository_id = :repository AND id = :test
            """);
    for (Judged one : tests) {
      bind(batch.bind("repository", repositoryId).bind("test", one.test), one).add();
    }
    batch.execute();
    for (Judged one : tests) {
      if (one.judgement.changed()) {
        keepChange(handle, repositoryId, one.test, one.before, one.judgement, now);
      }
    }
  }

  private static PreparedBatch bind(PreparedBatch batch, Judged one) {
    Standing after = one.judgement.after();
    return batch
        .bind("status", TestStore.label(after.status()))
        .bind("reason", after.reason())
        .bind("since", after.since())
        .bind("unhealthy", after.status() != TestStatus.HEALTHY)
        .bind(
            "monitors",
            after.monitors().isEmpty()
                ? Optional.<String>empty()
                : Optional.of(StandingJson.write(after.monitors())))
        .bind("review", one.reviewAt);
  }

  private static void keepChange(
      Handle handle,
      long repositoryId,
      UUID test,
      Standing before,
      Judgement judgement,
      Instant now) {
    handle
        .createUpdate(
            """
            INSERT INTO status_change
              (repository_id, test_id, at, before, after, reason, monitor_id, monitor_name, evidence)
            VALUES (:repository, :test, :at, :before, :after, :reason, :monitor,
              (SELECT name FROM monitor WHERE repository_id = :repository AND id = :monitor),
              CAST(:evidence AS jsonb))
            """)
        .bind("repository", repositoryId)
        .bind("test", test)
        .bind("at", now)
        .bind("before", TestStore.label(before.status()))
        .bind("after", TestStore.label(judgement.after().status()))
        .bind("reason", judgement.after().reason())
        .bind("monitor", judgement.decidedBy().map(state -> state.monitor().value()))
        .bind(
            "evidence",
            judgement
                .decidedBy()
                .map(MonitorState::evidence)
                .map(e -> StandingJson.text(StandingJson.evidence(e))))
        .execute();
  }

  /** One change of a status. */
  record Change(
      long number,
      Instant at,
      String before,
      String after,
      String reason,
      Optional<UUID> monitorId,
      Optional<String> monitorName,
      Optional<ObjectNode> evidence) {}

  /** The latest first. */
  static List<Change> changes(
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
  static int deleteExpired(Handle handle, Instant now, int most) {
    return handle
        .createUpdate(
            """
            DELETE FROM status_change c USING (
              SELECT c.repository_id, c.test_id, c.number FROM organization o
              JOIN repository r ON r.organization_id = o.id
              JOIN status_change c ON c.repository_id = r.id
                AND c.at < CAST(:now AS timestamptz) - make_interval(days => o.retention_days + 2)
              LIMIT :most
            ) old
            WHERE c.repository_id = old.repository_id AND c.test_id = old.test_id AND c.number = old.number
            """)
        .bind("now", now)
        .bind("most", most)
        .execute();
  }
}
