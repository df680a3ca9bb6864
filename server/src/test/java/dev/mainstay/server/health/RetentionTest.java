package dev.mainstay.server.health;

import static dev.mainstay.server.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.MovableClock;
import dev.mainstay.server.TestDatabase;
import dev.mainstay.server.TestNode;
import dev.mainstay.server.health.result.FeedStore;
import dev.mainstay.server.health.result.PartitionStore;
import dev.mainstay.server.platform.Database;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.Test;

class RetentionTest {
  private static final String REPORT =
      "<testsuite name='s'><testcase name='a'><failure/></testcase><testcase name='b'/></testsuite>";

  @Test
  void results_live_as_long_as_their_organization_keeps_them() {
    var address = TestDatabase.withTables();
    var clock = new MovableClock();
    try (var node = TestNode.start(address, clock);
        var database = Database.connect(address, 2)) {
      upload(node, "first");
      database.useTransaction(h -> h.execute("UPDATE organization SET retention_days = 365"));
      upload(node, "second");
      assertThat(counts(database)).isEqualTo("4 runs, 2 failures, 0 days, 2 uploads");

      clock.advance(Duration.ofDays(80));
      tidy(database, clock);
      assertThat(counts(database)).isEqualTo("4 runs, 2 failures, 2 days, 2 uploads");

      clock.advance(Duration.ofDays(15));
      tidy(database, clock);
      assertThat(counts(database)).isEqualTo("2 runs, 1 failures, 2 days, 2 uploads");

      upload(node, "third");
      assertThat(counts(database)).isEqualTo("4 runs, 2 failures, 2 days, 3 uploads");

      clock.advance(Duration.ofDays(400));
      tidy(database, clock);
      assertThat(counts(database)).isEqualTo("0 runs, 0 failures, 0 days, 0 uploads");
      for (String table :
          List.of(
              "commit_failure",
              "recent_failure",
              "arrival",
              "test_day",
              "repository_day",
              "status_change")) {
        assertThat(number(database, "SELECT count(*) FROM " + table)).as(table).isZero();
      }
      assertThat(number(database, "SELECT count(*) FROM test")).isEqualTo(2);
    }
  }

  @Test
  void partitions_are_there_before_their_days_come() {
    var address = TestDatabase.withTables();
    var clock = new MovableClock();
    try (var node = TestNode.start(address, clock);
        var database = Database.connect(address, 2)) {
      tidy(database, clock);
      assertThat(
              number(database, "SELECT count(*) FROM pg_class WHERE relname = 'run_90_20260304'"))
          .isEqualTo(1);
      assertThat(node.port()).isPositive();
    }
  }

  @Test
  void the_pages_of_a_list_are_there_for_a_day_after_it_was_last_asked_for() {
    var address = TestDatabase.withTables();
    var clock = new MovableClock();
    try (var node = TestNode.start(address, clock);
        var database = Database.connect(address, 2)) {
      var shop = new Shop(node, "shop");
      shop.upload(clock.instant(), "&commit=a", "a retried", "b retried");
      until(() -> flaky(shop, ""), list -> list.json().at("/page/total_rows").asInt() == 2);

      clock.advance(Duration.ofHours(20));
      String next = flaky(shop, "").json().at("/page/next_page_token").asString();
      clock.advance(Duration.ofHours(20));
      tidy(database, clock);
      assertThat(flaky(shop, next).status()).isEqualTo(200);

      clock.advance(Duration.ofHours(5));
      tidy(database, clock);
      assertThat(flaky(shop, next).status()).isEqualTo(400);
    }
  }

  private static TestNode.Answer flaky(Shop shop, String token) {
    return shop.ask(
        "/v1/flaky-tests/list-unhealthy-tests",
        "\"status\":\"FLAKY\",\"page_query\":{\"page_size\":1,\"page_token\":\"%s\"}"
            .formatted(token));
  }

  private static void tidy(Database database, MovableClock clock) {
    var partitions = new PartitionStore(database);
    var worker = new RetentionWorker(database, clock, partitions);
    Instant due = clock.instant().minus(Duration.ofHours(1)).truncatedTo(ChronoUnit.HOURS);
    // The node's own first round may be at it, and leaves to us what it began before.
    do {
      worker.round(() -> false);
    } while (!database.query(handle -> FeedStore.unfolded(handle, due)).isEmpty());
  }

  private static void upload(TestNode node, String commit) {
    var answer =
        node.post(
            "/v1/test-results?repo=h/o/n&commit=" + commit,
            node.token(),
            "application/xml",
            BodyPublishers.ofString(REPORT));
    assertThat(answer.status()).isEqualTo(200);
  }

  private static String counts(Database database) {
    return "%d runs, %d failures, %d days, %d uploads"
        .formatted(
            number(database, "SELECT count(*) FROM run"),
            number(database, "SELECT count(*) FROM failure"),
            number(database, "SELECT count(*) FROM test_day"),
            number(database, "SELECT count(*) FROM upload"));
  }

  private static long number(Database database, String sql) {
    return database.query(handle -> handle.select(sql).mapTo(Long.class).one());
  }
}
