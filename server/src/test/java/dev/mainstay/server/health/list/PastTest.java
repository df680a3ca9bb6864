package dev.mainstay.server.health.list;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.TestNode.Answer;
import dev.mainstay.server.health.JudgingScene;
import dev.mainstay.server.health.Shop;
import dev.mainstay.server.platform.http.ListPage;
import dev.mainstay.server.platform.http.Scope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What a test did: its runs, its days, and the days of its repository. */
class PastTest extends JudgingScene {
  private Answer runs(String test, String fields) {
    return shop.ask("/v1/tests/runs", "\"test_id\":\"%s\"%s".formatted(shop.id(test), fields));
  }

  /** The runs of a test, page by page. */
  private List<JsonNode> pages(String test, int take) {
    var all = new ArrayList<JsonNode>();
    String before = "";
    do {
      JsonNode page =
          runs(test, ",\"take\":%d%s".formatted(take, before.isEmpty() ? "" : before(before)))
              .json();
      assertThat(page.path("runs").size()).isBetween(1, take);
      page.path("runs").forEach(all::add);
      before = page.path("before").asString("");
    } while (!before.isEmpty());
    return all;
  }

  private static String before(String cursor) {
    return ",\"before\":\"%s\"".formatted(cursor);
  }

  private static String days(JsonNode days) {
    var told = new ArrayList<String>();
    days.forEach(
        day -> {
          if (day.path("runs").asInt() > 0) {
            told.add(
                "%s %d/%d"
                    .formatted(
                        day.path("day").asString().substring(5),
                        day.path("failures").asInt(),
                        day.path("runs").asInt()));
          }
        });
    return String.join(", ", told);
  }

  private JsonNode daysOf(String test, int days) {
    return shop.ask(
            "/v1/tests/days", "\"test_id\":\"%s\",\"days\":%d".formatted(shop.id(test), days))
        .json()
        .path("days");
  }

  private JsonNode summary() {
    return shop.ask("/v1/repositories/summary", "").json().path("repositories").path(0);
  }

  @Test
  void the_runs_of_a_test_are_told_newest_first_and_each_of_them_once() {
    var time = now();
    String about = "&branch=main&commit=abc&job=unit&pr=7&ci_url=https://ci.example.com/17";
    String upload =
        shop.upload(time.minusSeconds(60), about, "adds failed 3 is 4", "takes passed")
            .json()
            .path("upload_id")
            .asString();
    shop.upload(time.minusSeconds(60), "&commit=def", "adds passed");
    shop.upload(time, "&commit=abc", "adds retried was late", "adds skipped", "adds skipped");
    shop.upload(time.minusSeconds(90), "&commit=late", "adds errored no network");

    var all = pages("adds", 200);
    assertThat(all)
        .extracting(run -> run.path("outcome").asString())
        .containsExactly("passed", "skipped", "skipped", "failed", "passed", "failed", "errored");
    for (int take = 1; take < 8; take++) {
      assertThat(pages("adds", take)).as("by %d", take).isEqualTo(all);
    }
    JsonNode first = all.get(5);
    assertThat(first.path("at").asString()).isEqualTo(time.minusSeconds(60).toString());
    assertThat(first.path("branch").asString()).isEqualTo("main");
    assertThat(first.path("commit").asString()).isEqualTo("abc");
    assertThat(first.path("job").asString()).isEqualTo("unit");
    assertThat(first.path("pr").asInt()).isEqualTo(7);
    assertThat(first.path("ci_url").asString()).isEqualTo("https://ci.example.com/17");
    assertThat(first.path("message").asString()).isEqualTo("3 is 4");
    assertThat(first.path("upload_id").asString()).isEqualTo(upload);
    assertThat(all.get(3).path("message").asString()).isEqualTo("was late");
    assertThat(all.get(4).has("message")).isFalse();
    assertThat(all.get(4).has("job")).isFalse();
    assertThat(all.getLast().path("message").asString()).isEqualTo("no network");

    for (String bad :
        List.of(
            "x",
            ListPage.cursor("1"),
            ListPage.cursor("1", "-1"),
            ListPage.cursor("-1", "0"),
            ListPage.cursor("9223372036854775807", "0"),
            ListPage.cursor("now", "0"))) {
      Answer answer = runs("adds", before(bad));
      assertThat(answer.status()).as(bad).isEqualTo(400);
      assertThat(answer.json().at("/errors/0/field").asString()).isEqualTo("before");
    }
    assertThat(runs("adds", ",\"take\":201").status()).isEqualTo(400);
    assertThat(runs("adds", before(ListPage.cursor("0", "2147483647"))).json().path("runs"))
        .isEmpty();
  }

  @Test
  void days_are_counted_for_a_test_and_for_its_repository_before_and_after_they_are_folded() {
    assertThat(node.post("/v1/repositories/summary", node.token(), "{}").json().toString())
        .isEqualTo("{\"repositories\":[]}");
    var then = now();
    shop.upload(then, "&commit=a", "adds failed", "takes passed", "sleeps skipped");
    shop.upload(then, "&commit=e", "takes passed", "takes failed");
    shop.upload(then.minus(Duration.ofDays(3)), "&commit=b", "adds passed", "takes passed");
    clock.advance(Duration.ofDays(1));
    shop.upload(now(), "&commit=c", "adds failed", "adds failed", "wins retried");
    set("\"infra_protection\":true");
    String[] all = new String[20];
    Arrays.setAll(all, i -> "t" + i + " failed");
    shop.upload(now(), "&commit=d", all);

    for (int round = 0; round < 2; round++) {
      assertThat(days(daysOf("adds", 90))).isEqualTo("02-26 0/1, 03-01 1/1, 03-02 2/2");
      assertThat(days(daysOf("adds", 2))).isEqualTo("03-01 1/1, 03-02 2/2");
      assertThat(days(daysOf("sleeps", 30))).isEmpty();
      assertThat(daysOf("adds", 90)).hasSize(90);
      assertThat(days(summary().path("days"))).isEqualTo("02-26 0/2, 03-01 2/4, 03-02 3/4");
      assertThat(summary().path("days")).hasSize(14);
      clock.advance(Duration.ofHours(2));
      fold();
    }
    assertThat(number("SELECT count(*) FROM test_day")).isEqualTo(7);
  }

  @Test
  void a_summary_counts_the_tests_of_each_repository_of_the_organization() {
    shop.upload(now().minus(Duration.ofHours(30)), "", "old failed");
    shop.upload(now(), "&commit=a", "adds failed", "takes failed", "wins passed");
    shop.upload(now(), "&commit=a", "adds passed", "takes passed");
    set("\"quarantining\":true,\"auto_quarantine\":true");
    for (String decided : List.of("takes NEVER_QUARANTINE", "old ALWAYS_QUARANTINE")) {
      String[] words = decided.split(" ", 2);
      shop.ask(
          "/v1/tests/quarantine",
          "\"test_id\":\"%s\",\"setting\":\"%s\",\"reason\":\"r\""
              .formatted(shop.id(words[0]), words[1]));
    }
    judged();
    var other = new Shop(node, "app");
    other.ask("/v1/repositories/set-test-settings", "");
    Answer page = node.post("/v1/repositories/summary", node.token(), "{\"take\":1}");
    assertThat(page.json().at("/repositories/0/repo/name").asString()).isEqualTo("app");
    assertThat(page.json().at("/repositories/0/tests").toString())
        .isEqualTo(
            "{\"total\":0,\"healthy\":0,\"flaky\":0,\"broken\":0,\"quarantined\":0,\"failed_24h\":0}");
    JsonNode next =
        node.post(
                "/v1/repositories/summary",
                node.token(),
                "{\"cursor\":\"%s\"}".formatted(page.json().path("nextCursor").asString()))
            .json();
    assertThat(next.has("nextCursor")).isFalse();
    assertThat(next.at("/repositories/0/tests").toString())
        .isEqualTo(
            "{\"total\":4,\"healthy\":2,\"flaky\":2,\"broken\":0,\"quarantined\":2,\"failed_24h\":2}");
    assertThat(next.at("/repositories/0/connected").asBoolean(true)).isFalse();
    assertThat(next.path("repositories").path(0)).isEqualTo(summary());

    String metrics = "/v1/getTestHealthMetrics";
    assertThat(node.get(metrics, node.token()).body())
        .isEqualTo(
            """
            # HELP th_tests Tests that a repository has, by their status.
            # TYPE th_tests gauge
            th_tests{repo="acme/app",status="healthy"} 0
            th_tests{repo="acme/app",status="flaky"} 0
            th_tests{repo="acme/app",status="broken"} 0
            th_tests{repo="acme/shop",status="healthy"} 2
            th_tests{repo="acme/shop",status="flaky"} 2
            th_tests{repo="acme/shop",status="broken"} 0
            # HELP th_tests_quarantined Those that may fail.
            # TYPE th_tests_quarantined gauge
            th_tests_quarantined{repo="acme/app"} 0
            th_tests_quarantined{repo="acme/shop"} 2
            # HELP th_tests_failed_1d Those that failed in the last 24 hours.
            # TYPE th_tests_failed_1d gauge
            th_tests_failed_1d{repo="acme/app"} 0
            th_tests_failed_1d{repo="acme/shop"} 2
            """);
    String app = metrics + "?repoHost=github.com&repo=acme/app";
    assertThat(node.get(app, node.token()).body())
        .contains("th_tests_quarantined{repo=\"acme/app\"} 0\n")
        .doesNotContain("acme/shop");
    assertThat(node.get(metrics + "?repo=acme/app", node.token()).status()).isEqualTo(400);

    String others = key("others", Scope.READ);
    assertThat(node.get(app, others).code()).isEqualTo("repository_not_found");
    assertThat(node.get(metrics, others).body()).doesNotContain("acme");
    assertThat(node.post("/v1/repositories/summary", others, "{}").json().path("repositories"))
        .isEmpty();
    String named = "{\"repo\":%s,\"test_id\":\"%s\"}".formatted(shop.repo(), shop.id("adds"));
    for (String path : List.of("repositories/summary", "tests/runs", "tests/days")) {
      Answer refused = node.post("/v1/" + path, others, named);
      assertThat(refused.code()).as(path).isEqualTo("repository_not_found");
    }
    for (String path : List.of("tests/runs", "tests/days")) {
      String fields = "\"test_id\":\"%s\"".formatted(new UUID(1, 2));
      assertThat(shop.ask("/v1/" + path, fields).code()).isEqualTo("test_not_found");
    }
  }
}
