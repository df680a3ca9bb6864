package dev.mainstay.server.health.list;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.MovableClock;
import dev.mainstay.server.TestDatabase;
import dev.mainstay.server.TestNode;
import dev.mainstay.server.TestNode.Answer;
import dev.mainstay.server.health.RetentionWorker;
import dev.mainstay.server.health.Shop;
import dev.mainstay.server.health.result.PartitionStore;
import dev.mainstay.server.platform.Database;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FailingTestsTest {
  private static final Database.Address ADDRESS = TestDatabase.withTables();
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static TestNode node;
  private static TestNode other;
  private static Database database;
  private static int shops;

  private Shop shop;

  @BeforeAll
  static void start() {
    node = TestNode.start(ADDRESS, new MovableClock());
    other = TestNode.start(ADDRESS, new MovableClock());
    database = Database.connect(ADDRESS, 4);
  }

  @BeforeEach
  void open() {
    shop = new Shop(node, "failing" + ++shops);
  }

  @AfterAll
  static void stop() {
    database.close();
    other.close();
    node.close();
  }

  @Test
  void a_record_says_all_that_is_known_of_a_test() {
    shop.upload(NOW.minusSeconds(60), "&branch=x&commit=c&pr=7", "adds retried");
    shop.upload(NOW.minusSeconds(30), "&branch=x&commit=d&pr=8", "adds passed", "adds errored");
    var answer = shop.failing(NOW.minusSeconds(3600), NOW, 10, "");
    var test = answer.json().at("/tests/0");
    assertThat(test.at("/name").asString()).isEqualTo("adds");
    assertThat(test.at("/variant").asString()).isEmpty();
    assertThat(test.at("/classname").asString()).isEqualTo("C");
    assertThat(test.at("/file_path").asString()).isEqualTo("src/adds.py");
    assertThat(test.at("/parent").asString()).isEqualTo("Suite");
    assertThat(test.at("/failure_rate_last_7d").asDouble()).isEqualTo(0.5);
    assertThat(test.at("/failure_rate_last_24h").asDouble()).isEqualTo(0.5);
    assertThat(test.at("/pull_requests_impacted_last_7d").asInt()).isEqualTo(2);
    assertThat(test.at("/quarantined").asBoolean(true)).isFalse();
    assertThat(test.has("ticket")).isFalse();
    assertThat(test.at("/most_common_failures").isEmpty()).isTrue();
    assertThat(test.at("/codeowners").isArray()).isTrue();
    assertThat(test.at("/repository/html_url").asString())
        .isEqualTo("https://github.com/acme/" + shop.name());
    assertThat(test.at("/html_url").asString())
        .endsWith(
            "/default/github.com/acme/%s/tests/%s"
                .formatted(shop.name(), test.at("/id").asString()));
    assertThat(answer.json().at("/page").toString())
        .contains("\"total_rows\":1", "\"total_pages\":1", "\"page_index\":0")
        .contains("\"next_page_token\":\"\"", "\"prev_page_token\":\"\"");
    assertThat(answer.json().at("/page/last_page_token").asString()).isNotEmpty();
  }

  @Test
  void the_start_is_inclusive_and_the_end_exclusive_to_the_millisecond() {
    Instant at = NOW.minusSeconds(3600).plusMillis(123);
    shop.upload(at, "&commit=c", "adds failed");
    assertThat(shop.failing(at, at.plusMillis(1))).containsExactly("adds");
    assertThat(shop.failing(at.minusMillis(1), at)).isEmpty();
    assertThat(shop.failing(at.plusMillis(1), NOW)).isEmpty();
    assertThat(shop.failing(at.plusNanos(1), NOW)).isEmpty();
    assertThat(shop.failing(at.minusSeconds(1), at.plusNanos(1))).containsExactly("adds");
  }

  @Test
  void only_failed_and_errored_runs_count() {
    shop.upload(NOW.minusSeconds(9), "&commit=c", "a passed", "b failed", "c errored", "d skipped");
    assertThat(shop.failing(NOW.minusSeconds(10), NOW)).containsExactlyInAnyOrder("b", "c");
  }

  @Test
  void the_test_that_failed_last_within_the_window_comes_first_and_ties_go_by_id() {
    shop.upload(NOW.minusSeconds(300), "&commit=1", "a failed", "b failed", "c failed", "d failed");
    shop.upload(NOW.minusSeconds(200), "&commit=2", "c failed");
    shop.upload(NOW.minusSeconds(100), "&commit=3", "b failed");
    var tied = new ArrayList<>(List.of("a", "d"));
    tied.sort(java.util.Comparator.comparing(name -> shop.id(name).toString()));
    assertThat(shop.failing(NOW.minusSeconds(999), NOW))
        .containsExactly("b", "c", tied.get(0), tied.get(1));
    assertThat(shop.failing(NOW.minusSeconds(999), NOW.minusSeconds(100)).getFirst())
        .isEqualTo("c");
    assertThat(shop.failing(NOW.minusSeconds(250), NOW.minusSeconds(150))).containsExactly("c");
    assertThat(shop.failing(NOW.minusSeconds(999), NOW.minusSeconds(200))).hasSize(4);
  }

  @Test
  void a_window_of_long_ago_is_answered_from_what_is_kept() {
    Instant then = NOW.minus(Duration.ofDays(60));
    shop.upload(then, "&commit=1", "a failed", "b failed");
    shop.upload(then.plusSeconds(60), "&commit=2", "a failed");
    shop.upload(NOW.minusSeconds(5), "&commit=3", "b failed");
    assertThat(shop.failing(then, then.plus(Duration.ofDays(7)))).containsExactly("a", "b");
    assertThat(shop.failing(then.plusSeconds(60), then.plusSeconds(61))).containsExactly("a");
    assertThat(shop.failing(then.minusSeconds(1), then)).isEmpty();
    assertThat(shop.failing(then, then.plusMillis(1))).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void pages_of_a_window_that_ended_hold_though_a_test_that_failed_since_turns_out_to_be_in_it() {
    Instant start = NOW.minusSeconds(900);
    Instant end = NOW.minusSeconds(300);
    shop.upload(NOW.minusSeconds(500), "&commit=1", "a failed", "b failed", "c failed");
    shop.upload(NOW.minusSeconds(100), "&commit=2", "d failed");
    var first = shop.failing(start, end, 1, "").json();
    assertThat(first.at("/page/total_rows").asInt()).isEqualTo(3);
    shop.upload(NOW.minusSeconds(400), "&commit=late", "d failed");
    String next = first.at("/page/next_page_token").asString();
    var second = shop.failing(start, end, 1, next).json();
    assertThat(second.at("/page/total_rows").asInt()).isEqualTo(3);
    assertThat(shop.failing(start, end).getFirst()).isEqualTo("d");
  }

  @Test
  void many_later_failures_do_not_hide_an_earlier_window() {
    String[] names =
        IntStream.range(0, 260).mapToObj(i -> "t" + i + " failed").toArray(String[]::new);
    shop.upload(NOW.minusSeconds(500), "&commit=1", names);
    shop.upload(NOW.minusSeconds(100), "&commit=2", names);
    var page = shop.failing(NOW.minusSeconds(900), NOW.minusSeconds(300), 100, "").json();
    assertThat(page.at("/page/total_rows").asInt()).isEqualTo(260);
    assertThat(page.at("/page/total_pages").asInt()).isEqualTo(3);
  }

  @Test
  void rates_are_of_the_7_days_and_24_hours_that_end_now_to_the_millisecond() {
    Instant week = NOW.minus(Duration.ofDays(7));
    Instant day = NOW.minus(Duration.ofDays(1));
    shop.upload(week.minusMillis(1), "&commit=1", "a passed");
    shop.upload(week, "&commit=2", "a passed");
    shop.upload(week.plus(Duration.ofMinutes(59)), "&commit=3", "a passed");
    shop.upload(day.minusMillis(1), "&commit=4", "a passed");
    shop.upload(day, "&commit=5", "a passed");
    shop.upload(NOW, "&commit=6", "a failed", "a skipped");
    for (int round = 0; round < 2; round++) {
      var test = shop.details("a");
      assertThat(test.at("/failure_rate_last_7d").asDouble()).isEqualTo(1.0 / 5);
      assertThat(test.at("/failure_rate_last_24h").asDouble()).isEqualTo(1.0 / 2);
      fold();
      assertThat(
              number(
                  "SELECT count(*) FROM test_day d JOIN repository r ON r.id = d.repository_id"
                      + " WHERE r.name = '"
                      + shop.name()
                      + "'"))
          .isEqualTo(2);
    }
    shop.upload(NOW.minus(Duration.ofDays(3)), "&commit=7", "a failed");
    assertThat(shop.details("a").at("/failure_rate_last_7d").asDouble()).isEqualTo(2.0 / 6);
    fold();
    assertThat(shop.details("a").at("/failure_rate_last_7d").asDouble()).isEqualTo(2.0 / 6);
  }

  @Test
  void a_client_that_turns_pages_sees_each_row_once_whatever_arrives_meanwhile() {
    String[] names =
        IntStream.range(0, 25).mapToObj(i -> "t" + i + " failed").toArray(String[]::new);
    shop.upload(NOW.minusSeconds(500), "&commit=first", names);
    var seen = new ArrayList<String>();
    var totals = new ArrayList<Integer>();
    var answer = shop.failing(NOW.minusSeconds(900), NOW, 4, "");
    for (int turn = 0; ; turn++) {
      seen.addAll(Shop.names(answer));
      totals.add(answer.json().at("/page/total_rows").asInt());
      assertThat(answer.json().at("/page/page_index").asInt()).isEqualTo(turn);
      // One that is further down moves up, one is new, and one comes late.
      shop.upload(NOW.minusSeconds(400 - turn), "&commit=m" + turn, "t" + (24 - turn) + " failed");
      shop.upload(NOW.minusSeconds(450), "&commit=n" + turn, "new" + turn + " failed");
      shop.upload(NOW.minusSeconds(600 + turn), "&commit=l" + turn, "late" + turn + " failed");
      String next = answer.json().at("/page/next_page_token").asString();
      if (next.isEmpty()) {
        break;
      }
      Shop from = turn % 2 == 0 ? new Shop(other, shop.name()) : shop;
      answer = ask(from, next, 4);
    }
    assertThat(seen).hasSize(25).doesNotHaveDuplicates();
    assertThat(totals).containsOnly(25);
    assertThat(shop.failing(NOW.minusSeconds(900), NOW)).hasSize(25 + 14);
  }

  /** The other node has no key of its own to ask with. */
  private Answer ask(Shop from, String token, int size) {
    return from.node()
        .post(
            "/v1/flaky-tests/list-failing-tests",
            node.token(),
            """
            {"repo":%s,"org_url_slug":"default","start_time":"%s","end_time":"%s",
             "page_query":{"page_size":%d,"page_token":"%s"}}
            """
                .formatted(shop.repo(), NOW.minusSeconds(900), NOW, size, token));
  }

  @Test
  void paging_holds_while_uploads_really_arrive_at_the_same_time() throws Exception {
    String[] names =
        IntStream.range(0, 40).mapToObj(i -> "t" + i + " failed").toArray(String[]::new);
    shop.upload(NOW.minusSeconds(500), "&commit=first", names);
    var done = new AtomicBoolean();
    var uploader =
        Thread.ofVirtual()
            .start(
                () -> {
                  for (int i = 0; !done.get(); i++) {
                    shop.upload(
                        NOW.minusSeconds(499 - i % 400),
                        "&commit=u" + i,
                        "t" + i % 40 + " failed",
                        "x" + i + " failed");
                  }
                });
    try {
      for (int round = 0; round < 6; round++) {
        var seen = new ArrayList<String>();
        String token = "";
        int total = -1;
        do {
          var answer = shop.failing(NOW.minusSeconds(900), NOW, 7, token);
          assertThat(answer.status()).as(answer.body()).isEqualTo(200);
          seen.addAll(Shop.names(answer));
          int rows = answer.json().at("/page/total_rows").asInt();
          assertThat(total).isIn(-1, rows);
          total = rows;
          token = answer.json().at("/page/next_page_token").asString();
        } while (!token.isEmpty());
        assertThat(seen).hasSize(total).doesNotHaveDuplicates();
      }
    } finally {
      done.set(true);
      uploader.join();
    }
  }

  @Test
  void an_upload_that_took_its_number_early_but_commits_late_stays_off_older_pages() {
    shop.upload(NOW.minusSeconds(50), "&commit=1", "a failed", "b failed");
    database.useTransaction(
        handle ->
            // The next upload has a number below one that is visible already.
            handle.execute("ALTER SEQUENCE upload_number INCREMENT BY -1"));
    try {
      String token =
          shop.failing(NOW.minusSeconds(60), NOW, 1, "")
              .json()
              .at("/page/next_page_token")
              .asString();
      shop.upload(NOW.minusSeconds(40), "&commit=2", "c failed");
      var second = shop.failing(NOW.minusSeconds(60), NOW, 1, token).json();
      assertThat(second.at("/page/total_rows").asInt()).isEqualTo(2);
      assertThat(second.at("/tests/0/name").asString()).isNotEqualTo("c");
    } finally {
      database.useTransaction(
          handle -> {
            handle.execute("ALTER SEQUENCE upload_number INCREMENT BY 1");
            handle.execute("SELECT setval('upload_number', nextval('upload_number') + 1000)");
          });
    }
  }

  @Test
  void pages_are_found_forwards_backwards_and_at_the_end() {
    String[] names =
        IntStream.range(0, 10).mapToObj(i -> "t" + i + " failed").toArray(String[]::new);
    shop.upload(NOW.minusSeconds(5), "&commit=1", names);
    var first = shop.failing(NOW.minusSeconds(9), NOW, 4, "");
    var last = turn(first, "last");
    assertThat(last.json().at("/page/page_index").asInt()).isEqualTo(2);
    assertThat(last.json().at("/page/next_page_token").asString()).isEmpty();
    assertThat(Shop.names(last)).hasSize(2);
    var back = turn(turn(last, "prev"), "prev");
    assertThat(Shop.names(back)).isEqualTo(Shop.names(first));
    assertThat(back.json().at("/page")).isEqualTo(first.json().at("/page"));
    var none = shop.failing(NOW.minusSeconds(2), NOW.minusSeconds(1), 4, "").json().at("/page");
    assertThat(none.toString())
        .isEqualTo(
            "{\"total_rows\":0,\"total_pages\":0,\"next_page_token\":\"\",\"prev_page_token\":\"\",\"last_page_token\":\"\",\"page_index\":0}");
  }

  private Answer turn(Answer page, String which) {
    String token = page.json().at("/page/" + which + "_page_token").asString();
    return shop.failing(NOW.minusSeconds(9), NOW, 4, token);
  }

  /** A token with another letter in this place: in its moment, in its page or in its signature. */
  private static String changed(String token, int place) {
    char other = token.charAt(place) == 'A' ? 'B' : 'A';
    return token.substring(0, place) + other + token.substring(place + 1);
  }

  @Test
  void a_token_fits_only_the_query_it_came_from() {
    shop.upload(NOW.minusSeconds(5), "&commit=1", "a failed", "b failed");
    Shop foreign = new Shop(node, shop.name() + "x");
    foreign.upload(NOW.minusSeconds(5), "&commit=1", "a failed", "b failed");
    Instant start = NOW.minusSeconds(9);
    String token = shop.failing(start, NOW, 1, "").json().at("/page/next_page_token").asString();
    for (Answer refused :
        List.of(
            shop.failing(start, NOW, 2, token),
            shop.failing(start.minusMillis(1), NOW, 1, token),
            shop.failing(start, NOW.plusMillis(1), 1, token),
            foreign.failing(start, NOW, 1, token),
            shop.failing(start, NOW, 1, token.substring(1)),
            shop.failing(start, NOW, 1, token.substring(0, 20)),
            shop.failing(start, NOW, 1, changed(token, 2)),
            shop.failing(start, NOW, 1, changed(token, 24)),
            shop.failing(start, NOW, 1, changed(token, token.length() - 1)),
            shop.failing(start, NOW, 1, token + "="),
            shop.failing(start, NOW, 1, "nonsense"),
            shop.failing(start, NOW, 1, "%%%"))) {
      assertThat(refused.status()).as(refused.body()).isEqualTo(400);
      assertThat(refused.json().at("/errors/0/field").asString())
          .isEqualTo("page_query.page_token");
    }
    assertThat(shop.failing(start, NOW, 1, token).status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"2026-03-01T00:00:00Z\",\"end_time\":\"2026-03-08T00:00:00.001Z\"",
        "\"2026-03-01T00:00:00Z\",\"end_time\":\"2026-03-01T00:00:00Z\"",
        "\"2026-03-02T00:00:00Z\",\"end_time\":\"2026-03-01T00:00:00Z\"",
        "\"2026-03-01T00:00:00\",\"end_time\":\"2026-03-01\"",
        "\"yesterday\",\"end_time\":7",
        "null"
      })
  void a_window_that_is_none_names_both_fields(String times) {
    shop.upload(NOW, "&commit=1", "a failed");
    var answer =
        shop.ask(
            "/v1/flaky-tests/list-failing-tests",
            "\"start_time\":" + times + ",\"page_query\":{\"page_size\":1}");
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.json().path("errors").toString()).contains("start_time", "end_time");
  }

  @Test
  void a_window_of_exactly_7_days_in_any_zone_is_fine() {
    shop.upload(NOW.minusSeconds(1), "&commit=1", "a failed");
    var answer =
        shop.ask(
            "/v1/flaky-tests/list-failing-tests",
            "\"start_time\":\"2026-02-22T13:00:00+01:00\",\"end_time\":\"2026-03-01T12:00:00.000Z\",\"page_query\":{\"page_size\":100}");
    assertThat(Shop.names(answer)).containsExactly("a");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "101", "1.5", "\"10\"", "-1", "null", "true", "1e9", "[]"})
  void a_page_size_is_a_whole_number_from_1_to_100(String size) {
    shop.upload(NOW, "&commit=1", "a failed");
    var answer =
        shop.ask(
            "/v1/flaky-tests/list-failing-tests",
            "\"start_time\":\"%s\",\"end_time\":\"%s\",\"page_query\":{\"page_size\":%s}"
                .formatted(NOW.minusSeconds(1), NOW, size));
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.json().at("/errors/0/field").asString()).isEqualTo("page_query.page_size");
  }

  @Test
  void whatever_is_wrong_is_told_at_once_and_nothing_is_a_500() {
    var empty = node.post("/v1/flaky-tests/list-failing-tests", node.token(), "{}");
    assertThat(empty.json().path("errors")).hasSize(5);
    var all =
        node.post(
            "/v1/flaky-tests/list-failing-tests",
            node.token(),
            """
            {"repo":{"host":"h h","owner":1,"name":""},"org_url_slug":"\\u0000","start_time":"2026-01-01T00:00Z",
             "end_time":"+99999-01-01T00:00:00Z","page_query":{"page_size":999999999999,"page_token":7}}
            """);
    assertThat(all.status()).isEqualTo(400);
    assertThat(all.json().path("errors").toString())
        .contains("repo.owner", "repo.name", "org_url_slug", "start_time", "end_time")
        .contains("page_query.page_size", "page_query.page_token");
  }

  @Test
  void what_is_not_here_is_not_found_and_a_missing_key_is_told_in_a_sentence() {
    Shop nothing = new Shop(node, "nothing");
    assertThat(nothing.failing(NOW.minusSeconds(1), NOW, 1, "").code())
        .isEqualTo("repository_not_found");
    shop.upload(NOW, "&commit=1", "a failed");
    var otherOrganization =
        node.post(
            "/v1/flaky-tests/list-failing-tests",
            node.token(),
            """
            {"repo":%s,"org_url_slug":"acme","start_time":"%s","end_time":"%s","page_query":{"page_size":1}}
            """
                .formatted(shop.repo(), NOW.minusSeconds(1), NOW));
    assertThat(otherOrganization.status()).isEqualTo(404);
    var anonymous = node.post("/v1/flaky-tests/list-failing-tests", "", "{}");
    assertThat(anonymous.status()).isEqualTo(401);
    assertThat(anonymous.header("content-type")).isEqualTo("text/plain; charset=utf-8");
  }

  private static void fold() {
    new RetentionWorker(database, node.clock(), new PartitionStore(database)).round(() -> false);
  }

  private static long number(String sql) {
    return database.query(handle -> handle.select(sql).mapTo(Long.class).one());
  }
}
