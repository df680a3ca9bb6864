package dev.mainstay.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.backup.Backups;
import dev.mainstay.server.backup.Restore;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.Migrations;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Data of every earlier version, brought to the newest. The files in {@code upgrade} are rows as
 * each version wrote them: those that begin {@code 04-} since tables of version 4, those that begin
 * {@code 02-08-} from 2 to 8.
 */
class EveryUpgradeTest {
  private static final Path FILES = Path.of("src/test/resources/upgrade");
  private static final String TOKEN = "mst_a-key-of-an-earlier-version-0000";

  /** The facts that must be left, since which version they can be, and how they are asked for. */
  private static final List<Fact> FACTS =
      List.of(
          new Fact(
              1,
              "acme Acme Inc. 90",
              "concat_ws(' ', slug, name, retention_days) FROM organization"),
          new Fact(1, "ci {read,admin} 1", "concat_ws(' ', name, scopes, version) FROM api_key"),
          new Fact(2, "git.example/acme/shop Acme", "concat_ws(' ', key, owner) FROM repository"),
          new Fact(
              2,
              "t {main} * @acme",
              "concat_ws(' ', quarantining_enabled, stable_branches, codeowners) FROM test_settings"),
          new Fact(
              2,
              "rings flaky ALWAYS_QUARANTINE",
              "concat_ws(' ', name, status, quarantine_override) FROM test WHERE status <> 'healthy'"),
          new Fact(
              2, "1 main c0ffee linux", "concat_ws(' ', id, branch, commit_sha, job) FROM upload"),
          new Fact(
              2,
              "3 of 2 tests, 1 failed",
              "count(*) || ' of ' || count(DISTINCT test_id) || ' tests, ' || count(*) FILTER (WHERE outcome = 1) || ' failed' FROM run"),
          new Fact(2, "no ring at Clock", "concat_ws(' ', message, stack) FROM failure"),
          new Fact(2, "no ring", "title FROM recent_failure"),
          new Fact(
              2,
              "c0ffee linux 1 1",
              "concat_ws(' ', commit_sha, job, failures, passes) FROM commit_failure"),
          new Fact(2, "1 2", "concat_ws(' ', stamp, tests) FROM result_feed WHERE tests = 2"),
          new Fact(2, "1 1", "concat_ws(' ', stamp, upload_id) FROM arrival"),
          new Fact(
              2,
              "runs counted by the hour do not count themselves as well",
              "'runs counted by the hour do not count themselves as well' FROM result_feed f"
                  + " WHERE NOT EXISTS (SELECT FROM test_hour h WHERE h.hour >= f.folded_until)"),
          new Fact(
              2,
              "2026-03-01 2 1 0",
              "concat_ws(' ', day, passes, failures, skips) FROM repository_day"),
          new Fact(2, "Pass on retry", "name FROM monitor"),
          new Fact(
              2,
              "connection-credentials",
              "name FROM secret WHERE value = sha256('the key of an earlier version')"),
          new Fact(3, "SHOP-1", "ticket_id FROM test WHERE ticket_id IS NOT NULL"),
          new Fact(
              3,
              "healthy flaky Passed on retry.",
              "concat_ws(' ', before, after, reason) FROM status_change"),
          new Fact(
              4,
              "git git.example make test",
              "concat_ws(' ', kind, host, test_command) FROM repository_connection"),
          new Fact(4, "main shop1", "concat_ws(' ', branch, slug) FROM merge_queue"),
          new Fact(
              4, "7 MERGED Add carts", "concat_ws(' ', number, state, title) FROM pull_request"),
          new Fact(
              4,
              "PENDING,TESTING,MERGED",
              "string_agg(to_state, ',' ORDER BY number) FROM pull_request_transition"),
          new Fact(
              4,
              "2 SUCCEEDED ci SUCCESS",
              "concat_ws(' ', run, r.status, c.name, c.state) FROM test_run r JOIN test_check c USING (queue_id, run)"),
          new Fact(13, "SHOP-1 t", "concat_ws(' ', id, closed) FROM ticket"),
          new Fact(20, "Ann admin", "concat_ws(' ', name, role) FROM person"),
          new Fact(21, "chat {pull_request.merged}", "concat_ws(' ', name, kinds) FROM webhook"),
          new Fact(22, "7 merged", "concat_ws(' ', pr, gist) FROM pull_request_comment"),
          new Fact(23, "7 label ann", "concat_ws(' ', pr, sign, who) FROM seen_sign"));

  @TempDir private Path directory;

  private record Fact(int since, String expected, String query) {}

  /** Rows that a file holds, and the versions that wrote such rows. */
  private record Rows(int from, int to, Path file) {
    static final Comparator<Rows> IN_ORDER =
        Comparator.comparingInt(Rows::from)
            .thenComparing(
                rows -> rows.file().getFileName().toString().replaceFirst("^[-0-9]+", ""));

    static Rows of(Path file) {
      String[] parts = file.getFileName().toString().split("-", -1);
      boolean ended = parts[1].matches("\\d+");
      return new Rows(
          Integer.parseInt(parts[0]), ended ? Integer.parseInt(parts[1]) : Integer.MAX_VALUE, file);
    }
  }

  static IntStream earlierVersions() {
    return IntStream.rangeClosed(1, Migrations.newest());
  }

  @ParameterizedTest
  @MethodSource("earlierVersions")
  void what_an_earlier_version_has_stored_is_there_after_the_upgrade(int version) {
    try (var database = Database.connect(stored(version), 2)) {
      database.migrate();
      assertThat(database.schema()).isEqualTo(Migrations.newest());
      for (Fact fact : FACTS) {
        if (fact.since() <= version) {
          List<String> found =
              database.query(h -> h.select("SELECT " + fact.query()).mapTo(String.class).list());
          assertThat(found).as(fact.query()).containsExactly(fact.expected());
        }
      }
    }
  }

  /**
   * The key is good, the test is known, the queue is read: its stored form is the oldest. On the
   * way the data were in a backup, which is of that version too.
   */
  @ParameterizedTest
  @ValueSource(ints = {4, 14, 23})
  void a_node_works_with_what_an_earlier_version_has_stored(int version) {
    try (var node = TestNode.start(restored(stored(version)), new MovableClock())) {
      assertThat(node.get("/v1/whoami", TOKEN).status()).isEqualTo(200);
      String about = "{\"repo\":{\"host\":\"git.example\",\"owner\":\"acme\",\"name\":\"shop\"}%s}";
      var queue = node.post("/v1/getQueue", TOKEN, about.formatted(",\"targetBranch\":\"main\""));
      assertThat(queue.status()).as(queue.toString()).isEqualTo(200);
      assertThat(queue.json().path("state").asString()).isEqualTo("PAUSED");
      assertThat(queue.json().path("concurrency").asInt()).isEqualTo(3);
      var tests = node.post("/v1/tests/list", TOKEN, about.formatted(",\"status\":\"flaky\""));
      assertThat(tests.json().path("tests").toString()).contains("rings");
    }
  }

  @Test
  void every_file_is_of_a_version_there_is() {
    assertThat(files()).isNotEmpty().allMatch(rows -> rows.from() <= Migrations.newest());
  }

  private static Database.Address stored(int version) {
    Database.Address address = TestDatabase.empty();
    try (var database = Database.connect(address, 2)) {
      database.useTransaction(
          handle -> {
            Migrations.run(handle, version);
            for (Rows rows : files()) {
              if (rows.from() <= version && version <= rows.to()) {
                try (var statement = handle.getConnection().createStatement()) {
                  statement.execute(Files.readString(rows.file(), UTF_8));
                } catch (SQLException | IOException e) {
                  throw new IllegalStateException("%s in %d".formatted(rows.file(), version), e);
                }
              }
            }
          });
    }
    return address;
  }

  private Database.Address restored(Database.Address address) {
    Path file = directory.resolve("backup");
    try (var database = Database.connect(address, 2)) {
      Backups.make(database, file, false, (table, number, tables) -> {});
    }
    Database.Address elsewhere = TestDatabase.empty();
    try (var database = Database.connect(elsewhere, 2)) {
      Restore.into(database, Restore.check(file), (table, number, tables) -> {});
    }
    return elsewhere;
  }

  private static List<Rows> files() {
    try (Stream<Path> files = Files.list(FILES)) {
      return files.map(Rows::of).sorted(Rows.IN_ORDER).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
