package dev.mainstay.server.health.ingest;

import static dev.mainstay.server.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.Config.Setting;
import dev.mainstay.server.MovableClock;
import dev.mainstay.server.TestDatabase;
import dev.mainstay.server.TestNode;
import dev.mainstay.server.TestNode.Answer;
import dev.mainstay.server.platform.Database;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The first uploads of a repository, whose tests nobody knows yet. */
class FirstUploadTest {
  private static final int TESTS = 4000;

  @Test
  void owners_of_tests_cost_in_proportion_to_their_number() {
    var address = TestDatabase.withTables();
    try (var database = Database.connect(address, 1)) {
      try (var node = TestNode.start(address, new MovableClock())) {
        // The planner knows of other repositories, and guesses that this one has no tests.
        upload(node, "other", "", TESTS);
        database.useTransaction(handle -> handle.execute("ANALYZE test"));
        assertThat(upload(node, "shop", "* @first\n", TESTS).status()).isEqualTo(200);
        assertThat(owned(database, "@first")).isEqualTo(TESTS);
        assertThat(upload(node, "shop", "* @second\n", TESTS + 1).status()).isEqualTo(200);
        assertThat(owned(database, "@second")).isEqualTo(TESTS + 1);
      }
      if (!TestDatabase.isSpread()) {
        // The sessions of the node have ended: all that they read is counted with what they wrote.
        until(() -> number(database, "tup_inserted"), rows -> rows > 5L * TESTS);
        assertThat(number(database, "tup_returned")).isLessThan(100L * TESTS);
      }
    }
  }

  @Test
  void a_lock_that_is_not_to_be_had_in_time_is_told_as_503() {
    var address = TestDatabase.withTables();
    var options = TestNode.options(address);
    options.merge(Setting.DATABASE_URL, "&options=-c%20lock_timeout=100ms", String::concat);
    try (var database = Database.connect(address, 1);
        var node = TestNode.start(options)) {
      assertThat(upload(node, "shop", "", 1).status()).isEqualTo(200);
      Answer refused =
          database.inTransaction(
              handle -> {
                handle.execute("LOCK TABLE test IN EXCLUSIVE MODE");
                return upload(node, "shop", "", 2);
              });
      assertThat(refused.status()).as(refused.body()).isEqualTo(503);
      assertThat(refused.code()).isEqualTo("busy");
      assertThat(refused.header("retry-after")).isEqualTo("2");
      assertThat(upload(node, "shop", "", 2).json().at("/counts/new_tests").asInt()).isEqualTo(1);
    }
  }

  @Test
  void rows_are_written_in_the_order_of_their_index_and_none_is_lost() {
    int many = 70_000;
    var address = TestDatabase.withTables();
    try (var database = Database.connect(address, 1);
        var node = TestNode.start(address, new MovableClock())) {
      assertThat(upload(node, "shop", "", many).status()).isEqualTo(200);
      assertThat(count(database, "SELECT count(DISTINCT test_id) FROM run_90")).isEqualTo(many);
      if (!TestDatabase.isSpread()) {
        // Those of a large upload go on in several parts.
        assertThat(steppedBack(database)).isEqualTo(1);
      }
    }
  }

  /** The number of rows of a test that lie right behind a row of a later one. */
  private static long steppedBack(Database database) {
    return count(
        database,
        """
        SELECT count(*) FROM (
          SELECT test_id, lag(test_id) OVER (ORDER BY ctid) AS before FROM run_90
        ) x WHERE before > test_id
        """);
  }

  private static long count(Database database, String query) {
    return database.query(h -> h.select(query).mapTo(Long.class).one());
  }

  private static long owned(Database database, String owner) {
    return database.query(
        h ->
            h.select("SELECT count(*) FROM test WHERE codeowners = ARRAY[CAST(? AS text)]", owner)
                .mapTo(Long.class)
                .one());
  }

  private static long number(Database database, String column) {
    return database.query(
        h ->
            h.select(
                    "SELECT "
                        + column
                        + " FROM pg_stat_database WHERE datname = current_database()")
                .mapTo(Long.class)
                .one());
  }

  private static Answer upload(TestNode node, String repo, String owners, int tests) {
    String cases =
        IntStream.range(0, tests)
            .mapToObj("<testcase name='t%1$d' file='src/f%1$d.py'/>"::formatted)
            .collect(Collectors.joining());
    return node.post(
        "/v1/test-results?repo=git.example/acme/" + repo,
        node.token(),
        "multipart/form-data; boundary=limit",
        BodyPublishers.ofByteArray(
            SentFile.form(
                List.of(
                    SentFile.of("report.xml", "<testsuite name='s'>" + cases + "</testsuite>"),
                    SentFile.of("CODEOWNERS", owners)),
                List.of())));
  }
}
