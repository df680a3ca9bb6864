package dev.mainstay.server.queue;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.TestDatabase;
import dev.mainstay.server.platform.Database;
import java.io.InputStream;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.Test;

/** Stories of pull requests of an earlier version, after the migration that tells more of them. */
class QueueUpgradeTest {
  private static final String EARLIER =
      """
      ALTER TABLE pull_request_transition DROP COLUMN run;
      ALTER TABLE pull_request DROP COLUMN entered_at;
      ALTER TABLE test_run DROP COLUMN outcome;
      DROP INDEX test_run_created_idx, test_run_ended_idx;
      INSERT INTO organization (slug, name, created_at) VALUES ('o', 'o', now());
      INSERT INTO repository (organization_id, key, host, owner, name, created_at)
      SELECT id, 'h/o/n', 'h', 'o', 'n', now() FROM organization;
      INSERT INTO merge_queue (repository_id, branch, slug, version, state, target, line, side, created_at)
      SELECT id, 'main', 'slug', 1, '{}', '{}', '[]', '[]', now() FROM repository;
      INSERT INTO pull_request (queue_id, entry, number, open, state, state_changed_at, reason_code, reason,
        used_default_priority, title, author, url, submitted_at, moved_at, content)
      SELECT q.id, e.entry, e.number, true, 'PENDING', '2026-01-01', 'READY', '', true, '', '', '', '2026-01-01',
        '2026-01-01', '{}'
      FROM merge_queue q, (VALUES (1, 7), (2, 8), (3, 7)) AS e (entry, number);
      INSERT INTO pull_request_transition (queue_id, entry, at, from_state, to_state, reason_code, reason)
      SELECT q.id, t.entry, t.at::timestamptz, t.before, t.after, 'READY', ''
      FROM merge_queue q, (VALUES
        (1, '2026-01-01 10:00Z', NULL, 'NOT_READY'),
        (1, '2026-01-01 10:01Z', 'NOT_READY', 'PENDING'),
        (1, '2026-01-01 10:02Z', 'PENDING', 'TESTING'),
        (1, '2026-01-01 10:03Z', 'TESTING', 'NOT_READY'),
        (1, '2026-01-01 10:04Z', 'NOT_READY', 'PENDING'),
        (1, '2026-01-01 10:05Z', 'PENDING', 'TESTING'),
        (1, '2026-01-01 10:06Z', 'TESTING', 'CANCELLED'),
        (2, '2026-01-01 10:02Z', NULL, 'PENDING'),
        (2, '2026-01-01 10:05Z', 'PENDING', 'TESTING'),
        (3, '2026-01-01 10:07Z', NULL, 'NOT_READY'),
        (3, '2026-01-01 10:08Z', 'NOT_READY', 'CANCELLED')) AS t (entry, at, before, after);
      INSERT INTO test_run (queue_id, run, kind, status, branch, base, created_at, required_statuses, required_by,
        tested, stands_on, targets)
      SELECT q.id, r.run, 'MAIN', 'SUCCEEDED', '', '', r.at::timestamptz, '{}', 'QUEUE', r.tested::json, '{}', '{}'
      FROM merge_queue q, (VALUES
        (11, '2026-01-01 10:02Z', '{"v":2,"changes":[{"pr":7,"head":"a"}]}'),
        (12, '2026-01-01 10:05Z', '{"v":2,"changes":[{"pr":7,"head":"a"},{"pr":8,"head":"b"}]}'))
        AS r (run, at, tested);
      """;

  private static void run(Handle handle, String statements) {
    try (var statement = handle.getConnection().createStatement()) {
      statement.execute(statements);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void earlier_stories_know_their_runs_and_when_they_were_let_in() throws Exception {
    String script;
    try (InputStream file =
        QueueUpgradeTest.class.getResourceAsStream(
            "/db/migration/18-stories-of-pull-requests.sql")) {
      script = new String(Objects.requireNonNull(file).readAllBytes(), UTF_8);
    }
    try (var database = Database.connect(TestDatabase.withTables(), 2)) {
      database.useTransaction(
          handle -> {
            run(handle, EARLIER);
            run(handle, script);
          });
      assertThat(
              texts(
                  database,
                  "SELECT entry || ' ' || to_state || ' ' || run FROM pull_request_transition"
                      + " WHERE run IS NOT NULL ORDER BY number"))
          .containsExactly("1 TESTING 11", "1 TESTING 12", "2 TESTING 12");
      assertThat(
              texts(
                  database,
                  "SELECT coalesce(to_char(entered_at AT TIME ZONE 'UTC', 'HH24:MI'), 'never')"
                      + " FROM pull_request ORDER BY entry"))
          .containsExactly("10:01", "10:02", "never");
    }
  }

  private static List<String> texts(Database database, String sql) {
    return database.query(h -> h.select(sql).mapTo(String.class).list());
  }
}
