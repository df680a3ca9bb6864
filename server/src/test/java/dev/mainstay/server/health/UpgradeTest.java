package dev.mainstay.server.health;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.TestDatabase;
import dev.mainstay.server.platform.Database;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Data of an earlier version, after the migrations since. */
class UpgradeTest {
  private static final int BEFORE = 14;
  private static final String A = "00000000-0000-0000-0000-00000000000a";
  private static final String B = "00000000-0000-0000-0000-00000000000b";

  private Database database;

  @BeforeEach
  void anEarlierVersion() {
    database = Database.connect(TestDatabase.empty(), 2);
    database.useTransaction(
        handle -> {
          run(
              handle,
              "CREATE TABLE migration (number integer PRIMARY KEY, script text NOT NULL,"
                  + " applied_at timestamptz NOT NULL DEFAULT now())");
          List<String> scripts = script("index").lines().toList();
          for (int number = 1; number <= BEFORE; number++) {
            run(handle, script(scripts.get(number - 1)));
            handle.execute(
                "INSERT INTO migration (number, script) VALUES (?, ?)",
                number,
                scripts.get(number - 1));
          }
          run(
              handle,
              """
              INSERT INTO organization (slug, name, created_at) VALUES ('o', 'o', now());
              INSERT INTO repository (organization_id, key, host, owner, name, created_at)
              SELECT id, 'h/o/n', 'h', 'o', 'n', now() FROM organization;
              CREATE TABLE run_all PARTITION OF run_90 FOR VALUES FROM (MINVALUE) TO (MAXVALUE);
              """);
        });
  }

  @AfterEach
  void close() {
    database.close();
  }

  private static String script(String name) {
    try (InputStream file = UpgradeTest.class.getResourceAsStream("/db/migration/" + name)) {
      return new String(Objects.requireNonNull(file).readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void run(Handle handle, String statements) {
    try (var statement = handle.getConnection().createStatement()) {
      statement.execute(statements);
    } catch (java.sql.SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private void change(String statements) {
    database.useTransaction(handle -> run(handle, statements));
  }

  private void uploaded(int id, String commit, String job) {
    change(
        """
        INSERT INTO upload (repository_id, id, public_id, content_key, received_at, branch, branch_class, commit_sha,
          job, variant, attempt)
        VALUES (1, %d, gen_random_uuid(), '\\x%02x', now(), 'main', 0, '%s', '%s', '', 1)
        """
            .formatted(id, id, commit, job));
  }

  private void ran(int upload, String test, int outcome, int attempt) {
    change(
        """
        INSERT INTO run (repository_id, test_id, ran_at, upload_id, retention_days, outcome, attempt)
        VALUES (1, '%s', '2026-03-01T10:%02d:00Z', %d, 90, %d, %d)
        """
            .formatted(test, upload, upload, outcome, attempt));
  }

  private void failedOn(String commit, String test, int failures, int passes) {
    change(
        """
        INSERT INTO commit_failure (repository_id, commit_sha, test_id, branch, failures, passes, first_failed_at,
          last_failed_at, first_passed_at, last_ran_at)
        VALUES (1, '%s', '%s', 'main', %d, %d, '2026-03-01T10:00:00Z', '2026-03-01T10:00:00Z', '2026-03-01T10:00:00Z',
          '2026-03-01T10:00:00Z')
        """
            .formatted(commit, test, failures, passes));
  }

  private List<String> evidence() {
    database.migrate();
    return database.query(
        handle ->
            handle
                .select(
                    """
                    SELECT concat_ws(' ', commit_sha, nullif(job, ''), right(test_id::text, 1), failures, passes)
                    FROM commit_failure ORDER BY 1
                    """)
                .mapTo(String.class)
                .list());
  }

  @Test
  void what_one_job_did_is_its_own() {
    uploaded(1, "c", "linux");
    uploaded(2, "d", "");
    failedOn("c", A, 2, 1);
    failedOn("d", A, 1, 1);
    failedOn("gone", A, 1, 0);
    assertThat(evidence()).containsExactly("c linux a 2 1", "d a 1 1", "gone a 1 0");
  }

  @Test
  void what_several_jobs_did_is_counted_anew() {
    uploaded(1, "c", "linux");
    uploaded(2, "c", "windows");
    uploaded(3, "c", "windows");
    ran(1, A, 0, 1);
    ran(2, A, 1, 1);
    ran(2, B, 1, 1);
    ran(3, B, 0, 1);
    failedOn("c", A, 1, 1);
    failedOn("c", B, 1, 1);
    assertThat(evidence()).containsExactly("c windows a 1 0", "c windows b 1 1");
    assertThat(number("SELECT count(*) FROM commit_failure WHERE first_passed_at = last_failed_at"))
        .isZero();
  }

  @Test
  void cases_that_share_an_identity_are_no_retries_and_attempts_are() {
    uploaded(1, "c", "linux");
    uploaded(2, "c", "windows");
    ran(1, A, 1, 1);
    ran(1, A, 0, 1);
    ran(2, A, 1, 1);
    ran(2, A, 0, 2);
    failedOn("c", A, 2, 2);
    assertThat(evidence()).containsExactly("c linux a 1 0", "c windows a 1 1");
  }

  @Test
  void monitors_go_on_looking_at_every_branch() {
    for (String rule :
        List.of(
            "{\"kind\": \"failure_rate\", \"branches\": []}",
            "{\"kind\": \"failure_count\", \"branches\": [\"main\"]}",
            "{\"kind\": \"pass_on_retry\"}")) {
      change(
          "INSERT INTO monitor (repository_id, id, name, enabled, rule, created_at)"
              + " VALUES (1, gen_random_uuid(), 'm', true, '%s', now())".formatted(rule));
    }
    database.migrate();
    assertThat(number("SELECT count(*) FROM monitor WHERE rule -> 'branches' = '[\"*\"]'"))
        .isEqualTo(1);
    assertThat(number("SELECT count(*) FROM monitor WHERE rule -> 'branches' = '[\"main\"]'"))
        .isEqualTo(1);
    assertThat(number("SELECT count(*) FROM monitor WHERE NOT rule ? 'branches'")).isEqualTo(1);
  }

  @Test
  void what_is_flagged_is_judged_anew() {
    for (String status : List.of("flaky", "broken", "healthy")) {
      change(
          """
          INSERT INTO test (repository_id, id, name, variant, parent, file, classname, codeowners, first_seen_at, status)
          VALUES (1, gen_random_uuid(), '', '', '', '', '', '{}', now(), '%s')
          """
              .formatted(status));
    }
    database.migrate();
    assertThat(number("SELECT count(*) FROM judge_due")).isEqualTo(2);
  }

  @Test
  void what_ran_before_is_in_the_counts_of_its_repository() {
    change(
        """
        INSERT INTO result_feed (repository_id, stamp) VALUES (1, 1);
        INSERT INTO test (repository_id, id, name, variant, parent, file, classname, codeowners, first_seen_at)
        SELECT 1, gen_random_uuid(), '', '', '', '', '', '{}', now() FROM generate_series(1, 3);
        INSERT INTO test_day (repository_id, test_id, day, passes, failures, skips, passes_from, failures_from)
        SELECT 1, id, '2026-03-01', 5, 2, 1, '{}', '{}' FROM test;
        CREATE TABLE test_hour_all PARTITION OF test_hour_90 FOR VALUES FROM (MINVALUE) TO (MAXVALUE);
        INSERT INTO test_hour (repository_id, test_id, hour, passes, failures, skips, retention_days)
        SELECT 1, id, '2026-03-01T23:00:00Z', 1, 0, 0, 90 FROM test;
        INSERT INTO test_hour (repository_id, test_id, hour, passes, failures, skips, retention_days)
        SELECT 1, id, '2026-03-02T00:00:00Z', 0, 1, 0, 90 FROM test;
        """);
    database.migrate();
    assertThat(number("SELECT tests FROM result_feed")).isEqualTo(3);
    List<String> days =
        database.query(
            handle ->
                handle
                    .select(
                        "SELECT concat_ws(' ', day, passes, failures, skips) FROM repository_day ORDER BY 1")
                    .mapTo(String.class)
                    .list());
    assertThat(days).containsExactly("2026-03-01 18 6 3", "2026-03-02 0 3 0");
  }

  private long number(String sql) {
    return database.query(handle -> handle.select(sql.replace("?", "??")).mapTo(Long.class).one());
  }
}
