package dev.mainstay.server.health.list;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.TestNode.Answer;
import dev.mainstay.server.health.JudgingScene;
import dev.mainstay.server.health.Shop;
import dev.mainstay.server.platform.http.ListPage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** How tests are found, and decided about together. */
class TestSearchTest extends JudgingScene {
  private Answer list(String fields) {
    return shop.ask("/v1/tests/list", fields);
  }

  private List<String> names(String fields) {
    Answer answer = list(fields);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return Shop.names(answer);
  }

  /** The names on all pages. */
  private List<String> pages(String fields, int take) {
    var all = new ArrayList<String>();
    String after = "";
    do {
      Answer page = list("%s,\"take\":%d%s".formatted(fields, take, after(after)));
      assertThat(page.status()).as(page.body()).isEqualTo(200);
      assertThat(Shop.names(page)).hasSizeBetween(1, take);
      all.addAll(Shop.names(page));
      after = page.json().path("after").asString("");
    } while (!after.isEmpty());
    return all;
  }

  private static String after(String cursor) {
    return cursor.isEmpty() ? "" : ",\"after\":\"%s\"".formatted(cursor);
  }

  private Answer decide(String fields) {
    return shop.ask("/v1/tests/quarantine", "\"reason\":\"r\"," + fields);
  }

  private String ids(String... names) {
    var ids = new ArrayList<String>();
    for (String name : names) {
      ids.add("\"" + shop.id(name) + "\"");
    }
    return "\"test_ids\":[%s]".formatted(String.join(",", ids));
  }

  @Test
  void every_filter_lets_pass_what_it_says_and_all_of_them_together() {
    shop.upload(
        now(), "&commit=a", "adds failed", "takes failed", "Adds_more passed", "wins passed");
    shop.upload(now(), "&commit=a", "adds passed", "takes passed");
    judged();
    database.useTransaction(
        h ->
            h.execute(
                "UPDATE test SET codeowners = '{@acme/cart,@Eve}' WHERE name IN ('adds', 'wins')"));
    shop.ask(
        "/v1/flaky-tests/link-ticket-to-test-case",
        "\"external_ticket_id\":\"ENG-12\",\"test_case_id\":\"%s\"".formatted(shop.id("wins")));
    assertThat(names("\"quarantined\":true")).isEmpty();
    set("\"quarantining\":true,\"auto_quarantine\":true");
    decide(ids("takes") + ",\"setting\":\"NEVER_QUARANTINE\"");
    decide(ids("wins") + ",\"setting\":\"ALWAYS_QUARANTINE\"");

    assertThat(names("\"status\":\"Flaky\"")).containsExactlyInAnyOrder("adds", "takes");
    assertThat(names("\"owner\":\"@eve\"")).containsExactlyInAnyOrder("adds", "wins");
    assertThat(names("\"owner\":\"eve\"")).isEmpty();
    assertThat(names("\"quarantined\":true")).containsExactlyInAnyOrder("adds", "wins");
    assertThat(names("\"quarantined\":false")).containsExactlyInAnyOrder("takes", "Adds_more");
    assertThat(names("\"file\":\"C/ADDS\"")).containsExactlyInAnyOrder("adds", "Adds_more");
    assertThat(names("\"file\":\"s_m\"")).containsExactly("Adds_more");
    assertThat(names("\"file\":\"%\"")).isEmpty();
    assertThat(names("\"file\":\"src/*s.py\"")).containsExactlyInAnyOrder("adds", "takes", "wins");
    assertThat(names("\"file\":\"*/?????.py\"")).containsExactly("takes");
    assertThat(names("\"file\":\"adds*\"")).isEmpty();
    assertThat(names("\"ticket\":\"ENG-12\"")).containsExactly("wins");
    assertThat(names("\"ticket\":\"ENG-1\"")).isEmpty();
    assertThat(names("\"search\":\"ADDS\",\"owner\":\"@Eve\",\"status\":\"flaky\""))
        .containsExactly("adds");
    assertThat(names("\"order\":\"failed_last\",\"quarantined\":true"))
        .containsExactly("adds", "wins");
    assertThat(names("\"order\":\"failure_rate\",\"file\":\"*a*\""))
        .hasSize(3)
        .last()
        .isEqualTo("Adds_more");
    clock.advance(Duration.ofDays(1));
    decide(
        ids("adds")
            + ",\"setting\":\"NEVER_QUARANTINE\",\"until\":\"%s\""
                .formatted(now().plus(Duration.ofHours(1))));
    assertThat(names("\"quarantined\":true")).containsExactly("wins");
    clock.advance(Duration.ofHours(2));
    assertThat(names("\"quarantined\":true")).containsExactlyInAnyOrder("adds", "wins");
    JsonNode answer = list("\"ticket\":\"ENG-1\"").json();
    assertThat(answer.path("counts").toString())
        .isEqualTo(
            "{\"total\":4,\"healthy\":2,\"flaky\":2,\"broken\":0,\"quarantined\":2,\"failed_24h\":0}");
  }

  @Test
  void lists_are_in_the_order_that_was_asked_for_and_pages_hold_while_results_arrive() {
    var start = now();
    String[] idle = new String[230];
    Arrays.setAll(idle, i -> "idle%03d passed".formatted(i));
    shop.upload(start.minus(Duration.ofDays(9)), "&commit=idle", idle);
    shop.upload(start.minus(Duration.ofDays(8)), "&commit=old", "old failed");
    for (int n = 0; n < 4; n++) {
      // The first failed last, and the last fails most often.
      shop.upload(
          start.minusSeconds(100 + n),
          "&commit=c" + n,
          "a " + (n == 0 ? "failed" : "passed"),
          "b " + (n == 1 || n == 2 ? "failed" : "passed"),
          "c " + (n == 2 || n == 3 ? "failed" : "passed"),
          "d " + (n > 0 ? "errored" : "skipped"));
    }
    List<String> byId = pages("\"order\":\"id\"", 100);
    assertThat(byId).hasSize(235).doesNotHaveDuplicates();
    var rest = new ArrayList<>(byId);
    rest.removeAll(List.of("a", "b", "c", "d"));

    var ranked = new ArrayList<>(byId.stream().filter(List.of("b", "c")::contains).toList());
    ranked.addFirst("d");
    ranked.add("a");
    ranked.addAll(rest);
    var failedLast = new ArrayList<>(byId.stream().filter(List.of("b", "d")::contains).toList());
    failedLast.addFirst("a");
    failedLast.add("c");
    failedLast.addAll(rest);
    for (int take : List.of(3, 100)) {
      assertThat(pages("\"order\":\"failure_rate\"", take)).isEqualTo(ranked);
      assertThat(pages("\"order\":\"failed_last\"", take)).isEqualTo(failedLast);
    }
    assertThat(pages("\"order\":\"failed_last\",\"search\":\"idle22\"", 4)).hasSize(10);

    // Failures that arrive between the pages are for the next list.
    var seen = new ArrayList<String>();
    String after = "";
    for (int page = 0; page < 12; page++) {
      Answer answer = list("\"order\":\"failed_last\",\"take\":1" + after(after));
      seen.addAll(Shop.names(answer));
      after = answer.json().path("after").asString();
      clock.advance(Duration.ofSeconds(1));
      shop.upload(now(), "&commit=later" + page, rest.get(page) + " failed", "c failed");
    }
    assertThat(seen).isEqualTo(failedLast.subList(0, 12));
    assertThat(names("\"order\":\"failed_last\",\"take\":3")).contains("c", rest.get(11));
  }

  @Test
  void a_cursor_fits_its_order_only_and_is_never_believed() {
    shop.upload(now(), "&commit=a", "a failed", "b failed", "c passed", "d passed");
    String good = list("\"order\":\"failed_last\",\"take\":1").json().path("after").asString();
    String tomorrow = Long.toString(now().plus(Duration.ofDays(1)).toEpochMilli());
    for (String bad :
        List.of(
            good,
            "x",
            new UUID(1, 2).toString(),
            ListPage.cursor("failure_rate", "1", tomorrow, "moon", "1", ""),
            ListPage.cursor("failure_rate", "1", "-1", "failure", "1", ""),
            ListPage.cursor("failure_rate", "x", tomorrow, "failure", "1", ""),
            ListPage.cursor("failure_rate", "1", tomorrow, "id", "", "x"))) {
      Answer answer = list("\"order\":\"failure_rate\"" + after(bad));
      assertThat(answer.status()).as(bad).isEqualTo(400);
      assertThat(answer.json().at("/errors/0/field").asString()).isEqualTo("after");
    }
    assertThat(list(after(good).substring(1)).status()).isEqualTo(400);
    assertThat(list("\"order\":\"moon\"").status()).isEqualTo(400);

    // A stamp that no upload has yet must not spoil the order that has it one day.
    String early = ListPage.cursor("failed_last", "2", tomorrow, "failure", "0", "");
    assertThat(names("\"order\":\"failed_last\",\"take\":2" + after(early)))
        .containsExactlyInAnyOrder("a", "b");
    clock.advance(Duration.ofSeconds(1));
    shop.upload(now(), "&commit=b", "d failed");
    assertThat(names("\"order\":\"failed_last\",\"take\":1")).containsExactly("d");
  }

  @Test
  void many_tests_are_decided_about_together_or_not_at_all() {
    shop.upload(now(), "&commit=a", "a failed", "b failed", "c failed");
    set("\"quarantining\":true");
    String until = now().plus(Duration.ofDays(30)).toString();
    String always = ",\"setting\":\"ALWAYS_QUARANTINE\",\"until\":\"%s\"".formatted(until);
    var unknown = new UUID(1, 2);
    Answer refused = decide(ids("a", "b").replace("]", ",\"%s\"]".formatted(unknown)) + always);
    assertThat(refused.code()).isEqualTo("test_not_found");
    assertThat(refused.json().path("detail").asString())
        .contains(unknown.toString())
        .doesNotContain(shop.id("a").toString());
    assertThat(names("\"quarantined\":true")).isEmpty();

    assertThat(decide(ids("a", "b", "a") + always).status()).isEqualTo(200);
    assertThat(names("\"quarantined\":true")).containsExactlyInAnyOrder("a", "b");
    JsonNode shown =
        shop.ask("/v1/tests/show", "\"test_id\":\"%s\"".formatted(shop.id("b")))
            .json()
            .path("quarantine_override");
    assertThat(shown.path("until").asString()).isEqualTo(until);
    assertThat(shown.path("reason").asString()).isEqualTo("r");
    assertThat(decide(ids("a", "b") + ",\"setting\":\"NONE\"").status()).isEqualTo(200);
    assertThat(names("\"quarantined\":true")).isEmpty();

    String one = "\"test_id\":\"%s\"".formatted(shop.id("a"));
    String tooMany =
        "\"test_ids\":[%s]"
            .formatted(String.join(",", Collections.nCopies(101, "\"" + unknown + "\"")));
    for (String bad :
        List.of(
            one + "," + ids("b"),
            "\"test_ids\":[]",
            "\"test_ids\":[\"x\"]",
            "\"test_ids\":\"x\"",
            tooMany)) {
      assertThat(decide(bad + always).json().at("/errors/0/field").asString())
          .as(bad)
          .isEqualTo("test_ids");
    }
    assertThat(decide(always.substring(1)).json().at("/errors/0/field").asString())
        .isEqualTo("test_id");
    assertThat(decide(one.replace(shop.id("a").toString(), unknown.toString()) + always).code())
        .isEqualTo("test_not_found");
  }
}
