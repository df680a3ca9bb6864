package dev.mainstay.server.health.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.TestNode.Answer;
import dev.mainstay.server.health.JudgingScene;
import dev.mainstay.server.health.Shop;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class MonitorsTest extends JudgingScene {
  @Test
  void a_test_that_passes_on_retry_is_flaky_with_its_evidence_and_recovers_by_time() {
    shop.upload(now(), "&commit=abc&branch=main", "adds failed boom", "other passed");
    assertThat(status("adds")).isEqualTo("healthy");
    clock.advance(Duration.ofHours(30));
    shop.upload(now(), "&commit=abc&branch=main&attempt=2", "adds passed", "other passed");
    assertThat(status("adds")).isEqualTo("flaky");
    assertThat(status("other")).isEqualTo("healthy");
    var details = shop.details("adds");
    assertThat(details.at("/status/timestamp").asString()).isEqualTo(now().toString());
    assertThat(details.at("/status/reason").asString()).contains("abc");

    var changes = ask("/v1/tests/history", testField("adds")).json().path("changes");
    assertThat(changes).hasSize(1);
    assertThat(changes.at("/0/before").asString()).isEqualTo("healthy");
    assertThat(changes.at("/0/after").asString()).isEqualTo("flaky");
    assertThat(changes.at("/0/monitor_name").asString()).isEqualTo("Pass on retry");
    assertThat(changes.at("/0/evidence/commits/0").asString()).isEqualTo("abc");
    assertThat(changes.at("/0/evidence/failures").asInt()).isEqualTo(1);

    clock.advance(Duration.ofDays(7).minusHours(1));
    assertThat(status("adds")).isEqualTo("flaky");
    clock.advance(Duration.ofHours(2));
    assertThat(status("adds")).isEqualTo("healthy");
    assertThat(ask("/v1/tests/history", testField("adds")).json().path("changes")).hasSize(2);
  }

  @Test
  void a_commit_counts_from_when_it_first_passed_and_not_from_later_passes() {
    Instant began = now();
    shop.upload(now(), "&commit=abc&branch=feature", "adds failed boom");
    clock.advance(Duration.ofHours(1));
    shop.upload(now(), "&commit=abc&branch=main&attempt=2", "adds passed");
    clock.advance(Duration.ofDays(5));
    shop.upload(now(), "&commit=abc&branch=main&attempt=3", "adds passed");
    assertThat(status("adds")).isEqualTo("flaky");
    assertThat(shop.details("adds").at("/status/reason").asString()).contains("abc (feature)");
    clock.advance(Duration.between(now(), began.plus(Duration.ofDays(7)).plusSeconds(3599)));
    assertThat(status("adds")).isEqualTo("flaky");
    clock.advance(Duration.ofSeconds(2));
    assertThat(status("adds")).isEqualTo("healthy");
  }

  @Test
  void a_commit_counts_again_from_a_later_failure() {
    shop.upload(now(), "&commit=abc&branch=main", "adds passed");
    clock.advance(Duration.ofHours(1));
    shop.upload(now(), "&commit=abc&branch=main&attempt=2", "adds failed boom");
    clock.advance(Duration.ofDays(5));
    shop.upload(now(), "&commit=abc&branch=main&attempt=3", "adds failed boom");
    clock.advance(Duration.ofDays(7).minusSeconds(1));
    assertThat(status("adds")).isEqualTo("flaky");
    clock.advance(Duration.ofSeconds(2));
    assertThat(status("adds")).isEqualTo("healthy");
  }

  @Test
  void bayesian_tells_a_retried_outage_from_the_one_test_that_passed_again() {
    create("\"kind\":\"bayesian\"");
    for (JsonNode monitor : ask("/v1/monitors/list", "").json().path("monitors")) {
      if (monitor.path("kind").asString().equals("pass_on_retry")) {
        String id = monitor.path("monitor_id").asString();
        ask("/v1/monitors/delete", "\"monitor_id\":\"" + id + "\"");
      }
    }
    shop.upload(now(), "&commit=outage&branch=x", fiftyOfWhich(12, 0));
    shop.upload(now(), "&commit=outage&branch=x&attempt=2", fiftyOfWhich(0, 0));
    assertThat(status("t0")).isEqualTo("healthy");
    shop.upload(now(), "&commit=broke&branch=y", fiftyOfWhich(12, 0));
    shop.upload(now(), "&commit=broke&branch=y&attempt=2", fiftyOfWhich(12, 1));
    assertThat(status("t0")).isEqualTo("flaky");
    assertThat(status("t1")).isEqualTo("healthy");
  }

  /** The first ones failed, but for some at the very beginning. */
  private static String[] fiftyOfWhich(int failed, int butFor) {
    String[] results = new String[50];
    for (int i = 0; i < results.length; i++) {
      results[i] = "t" + i + (i >= butFor && i < failed ? " failed" : " passed");
    }
    return results;
  }

  @Test
  void judging_again_changes_nothing() {
    shop.upload(now(), "&commit=abc", "adds retried");
    assertThat(status("adds")).isEqualTo("flaky");
    var before = shop.details("adds");
    shop.upload(now(), "&commit=abc&attempt=2", "adds failed");
    judged();
    assertThat(shop.details("adds").path("status").path("timestamp"))
        .isEqualTo(before.path("status").path("timestamp"));
    assertThat(number("SELECT count(*) FROM status_change")).isEqualTo(1);
  }

  @Test
  void uploads_set_aside_count_nowhere() {
    set("\"infra_protection\":true,\"infra_threshold\":0.5");
    String[] broken = new String[12];
    for (int i = 0; i < broken.length; i++) {
      broken[i] = "t" + i + " failed";
    }
    var answer = shop.upload(now(), "&commit=abc&branch=main", broken);
    assertThat(answer.json().path("set_aside").asBoolean()).isTrue();
    shop.upload(now().minusSeconds(1), "&commit=abc&branch=main&attempt=2", "t0 passed");
    assertThat(status("t0")).isEqualTo("healthy");
    assertThat(shop.failing(now().minusSeconds(60), now().plusSeconds(1))).isEmpty();
    assertThat(shop.details("t0").at("/failure_rate_last_7d").asDouble()).isZero();
  }

  @Test
  void a_failure_rate_monitor_looks_at_matching_branches_and_turns_on_a_pass_too() {
    String id =
        create(
            "\"kind\":\"failure_rate\",\"status\":\"broken\",\"activation\":0.5,\"resolution\":0.25,"
                + "\"min_runs\":4,\"window_hours\":24,\"branches\":[\"main\",\"release/*\"]");
    for (int i = 0; i < 3; i++) {
      shop.upload(now(), "&commit=c" + i + "&branch=main", "adds failed");
    }
    shop.upload(now(), "&commit=x&branch=feature", "adds failed");
    assertThat(status("adds")).isEqualTo("healthy");
    shop.upload(now(), "&commit=c4&branch=release/1", "adds passed");
    assertThat(status("adds")).isEqualTo("broken");
    assertThat(shop.details("adds").at("/status/reason").asString()).contains("3");
    for (int i = 0; i < 9; i++) {
      shop.upload(now(), "&commit=d" + i + "&branch=main", "adds passed");
    }
    assertThat(status("adds")).isEqualTo("healthy");
    assertThat(ask("/v1/monitors/set", "\"monitor_id\":\"" + id + "\",\"resolution\":0.6").status())
        .isEqualTo(400);
  }

  @Test
  void a_failure_count_monitor_resolves_by_time_and_is_muted_for_one_test() {
    String id =
        create(
            "\"kind\":\"failure_count\",\"count\":2,\"window_hours\":12,\"resolution_hours\":12");
    shop.upload(now(), "&commit=1&branch=main", "a failed", "b failed");
    shop.upload(now(), "&commit=2&branch=main", "a failed", "b failed");
    assertThat(status("a")).isEqualTo("broken");
    mute(id, "a", "\"until\":\"%s\"".formatted(now().plus(Duration.ofHours(6))));
    assertThat(status("a")).isEqualTo("healthy");
    assertThat(status("b")).isEqualTo("broken");
    clock.advance(Duration.ofHours(7));
    assertThat(status("a")).isEqualTo("broken");
    mute(id, "a", "\"until\":\"%s\"".formatted(now().plus(Duration.ofHours(1))));
    assertThat(status("a")).isEqualTo("healthy");
    mute(id, "a", "\"until\":null");
    assertThat(status("a")).isEqualTo("broken");
    clock.advance(Duration.ofHours(6));
    assertThat(status("a")).isEqualTo("healthy");
  }

  @Test
  void a_monitor_is_previewed_before_it_is_on_and_judges_the_past_when_it_is() {
    for (int i = 0; i < 3; i++) {
      shop.upload(now(), "&commit=c" + i + "&branch=main", "adds failed", "removes passed");
    }
    var preview =
        ask("/v1/monitors/preview", "\"kind\":\"failure_count\",\"count\":3,\"status\":\"flaky\"")
            .json();
    assertThat(preview.path("flaky").asInt()).isEqualTo(1);
    assertThat(preview.path("complete").asBoolean()).isTrue();
    assertThat(preview.at("/examples/0/name").asString()).isEqualTo("adds");
    assertThat(status("adds")).isEqualTo("healthy");
    String id = create("\"kind\":\"failure_count\",\"count\":3,\"enabled\":false");
    assertThat(status("adds")).isEqualTo("healthy");
    assertThat(
            ask("/v1/monitors/preview", "\"monitor_id\":\"" + id + "\",\"count\":4")
                .json()
                .path("broken")
                .asInt())
        .isZero();
    ask("/v1/monitors/set", "\"monitor_id\":\"" + id + "\",\"enabled\":true");
    assertThat(status("adds")).isEqualTo("broken");
    ask("/v1/monitors/delete", "\"monitor_id\":\"" + id + "\"");
    assertThat(status("adds")).isEqualTo("healthy");
    assertThat(ask("/v1/monitors/list", "").json().path("monitors")).hasSize(1);
  }

  @Test
  void every_repository_has_one_monitor_at_first_which_can_be_switched_off_for_good() {
    shop.upload(now(), "&commit=c", "adds retried");
    var first = ask("/v1/monitors/list", "").json().path("monitors");
    assertThat(first).hasSize(1);
    assertThat(first.at("/0/kind").asString()).isEqualTo("pass_on_retry");
    assertThat(first.at("/0/recovery_days").asInt()).isEqualTo(7);
    String id = first.at("/0/monitor_id").asString();
    ask("/v1/monitors/delete", "\"monitor_id\":\"" + id + "\"");
    assertThat(status("adds")).isEqualTo("healthy");
    assertThat(ask("/v1/monitors/list", "").json().path("monitors")).isEmpty();
  }

  @Test
  void faults_of_a_monitor_are_told_all_at_once() {
    shop.upload(now(), "&commit=c", "adds passed");
    var rate =
        ask(
            "/v1/monitors/create",
            "\"kind\":\"failure_rate\",\"activation\":1.5,\"min_runs\":0,\"window_hours\":721,\"status\":\"healthy\"");
    assertThat(rate.status()).isEqualTo(400);
    assertThat(rate.json().path("errors").toString())
        .contains("activation", "min_runs", "window_hours", "status");
    assertThat(ask("/v1/monitors/create", "\"kind\":\"moon\"").status()).isEqualTo(400);
    assertThat(ask("/v1/monitors/create", "\"kind\":7,\"name\":\"\"").status()).isEqualTo(400);
    assertThat(
            ask("/v1/monitors/create", "\"kind\":\"failure_count\",\"branches\":[\"\\u0000\"]")
                .status())
        .isEqualTo(400);
    assertThat(ask("/v1/monitors/create", "\"kind\":\"bayesian\",\"activation\":\"x\"").status())
        .isEqualTo(400);
    assertThat(ask("/v1/monitors/set", "\"monitor_id\":\"%s\"".formatted(UUID.randomUUID())).code())
        .isEqualTo("monitor_not_found");
    assertThat(ask("/v1/monitors/preview", "").status()).isEqualTo(400);
    assertThat(ask("/v1/tests/show", "\"test_id\":\"%s\"".formatted(UUID.randomUUID())).code())
        .isEqualTo("test_not_found");
  }

  @Test
  void quarantine_follows_the_switches_the_status_and_what_people_decide() {
    shop.upload(now(), "&commit=c", "adds retried", "removes failed");
    judged();
    assertThat(shop.details("adds").path("quarantined").asBoolean()).isFalse();
    set("\"auto_quarantine\":true");
    assertThat(shop.details("adds").path("quarantined").asBoolean()).isFalse();
    set("\"quarantining\":true");
    assertThat(shop.details("adds").path("quarantined").asBoolean()).isTrue();
    assertThat(mayPass("d", "adds failed")).isTrue();
    assertThat(mayPass("e", "removes failed")).isFalse();

    decide("removes", "\"setting\":\"ALWAYS_QUARANTINE\",\"reason\":\"known\",\"by\":\"ann\"");
    decide("adds", "\"setting\":\"NEVER_QUARANTINE\",\"reason\":\"vital\"");
    assertThat(mayPass("f", "adds failed")).isFalse();
    assertThat(mayPass("g", "removes failed")).isTrue();
    var listed = quarantined();
    assertThat(listed.path("quarantined_tests")).hasSize(1);
    assertThat(listed.at("/quarantined_tests/0/name").asString()).isEqualTo("removes");
    assertThat(listed.at("/quarantined_tests/0/status").asString()).isEqualTo("HEALTHY");
    assertThat(listed.at("/quarantined_tests/0/quarantine_setting").asString())
        .isEqualTo("ALWAYS_QUARANTINE");
    var override = ask("/v1/tests/show", testField("removes")).json().path("quarantine_override");
    assertThat(override.path("by").asString()).isEqualTo("ann");
    assertThat(override.path("reason").asString()).isEqualTo("known");

    Instant until = now().plus(Duration.ofHours(1));
    decide(
        "removes",
        "\"setting\":\"ALWAYS_QUARANTINE\",\"reason\":\"x\",\"until\":\"" + until + "\"");
    clock.advance(Duration.ofHours(1));
    assertThat(mayPass("h", "removes failed")).isFalse();
    assertThat(shop.details("removes").path("quarantined").asBoolean()).isFalse();
    decide("adds", "\"setting\":\"NONE\"");
    assertThat(quarantined().at("/quarantined_tests/0/quarantine_setting").asString())
        .isEqualTo("AUTO_QUARANTINE");
    set("\"quarantining\":false");
    assertThat(quarantined().path("quarantined_tests")).isEmpty();
    assertThat(mayPass("i", "adds failed")).isFalse();
    assertThat(shop.failing(now().minusSeconds(7200), now().plusSeconds(1))).contains("adds");
  }

  @Test
  void unhealthy_tests_are_listed_by_status_and_pages_hold_while_statuses_change() {
    for (int i = 0; i < 5; i++) {
      shop.upload(now(), "&commit=c" + i, "t" + i + " retried");
      judged();
      clock.advance(Duration.ofSeconds(1));
    }
    var first = unhealthy("flaky", 2, "");
    assertThat(Shop.names(first)).containsExactly("t4", "t3");
    assertThat(first.json().at("/page/total_rows").asInt()).isEqualTo(5);
    assertThat(first.json().at("/tests/0").has("failure_rate_last_7d")).isFalse();
    shop.upload(now(), "&commit=new", "t9 retried");
    judged();
    var second = unhealthy("FLAKY", 2, first.json().at("/page/next_page_token").asString());
    assertThat(Shop.names(second)).containsExactly("t2", "t1");
    assertThat(second.json().at("/page/total_rows").asInt()).isEqualTo(5);
    assertThat(Shop.names(unhealthy("FLAKY", 100, ""))).hasSize(6);
    assertThat(Shop.names(unhealthy("BROKEN", 100, ""))).isEmpty();
    assertThat(unhealthy("HEALTHY", 1, "").status()).isEqualTo(400);
    assertThat(
            unhealthy("BROKEN", 2, second.json().at("/page/next_page_token").asString()).status())
        .isEqualTo(400);
  }

  @Test
  void tickets_are_linked_replaced_and_refused() {
    shop.upload(now(), "&commit=c", "adds failed");
    String linked = link(shop, "adds", "ENG-12").json().at("/ticket/html_url").asString();
    assertThat(linked).endsWith("/default/tickets/ENG-12");
    assertThat(shop.details("adds").at("/ticket/html_url").asString()).isEqualTo(linked);
    database.useTransaction(
        h -> h.execute("UPDATE organization SET ticket_url = 'https://t.example/browse/{id}'"));
    link(shop, "adds", "KEY-123");
    assertThat(shop.details("adds").at("/ticket/html_url").asString())
        .isEqualTo("https://t.example/browse/KEY-123");
    for (String bad :
        new String[] {"", "123", "KEY", "KEY-", "-1", "KEY-1x", "K Y-1", "KEY-1\\n"}) {
      assertThat(link(shop, "adds", bad).status()).as(bad).isEqualTo(400);
    }
    Shop other = new Shop(node, "other");
    other.upload(now(), "&commit=c", "adds failed");
    var elsewhere =
        other.ask(
            "/v1/flaky-tests/link-ticket-to-test-case",
            "\"external_ticket_id\":\"KEY-1\",\"test_case_id\":\"%s\"".formatted(shop.id("adds")));
    assertThat(elsewhere.status()).isEqualTo(404);
    var nothing = node.post("/v1/flaky-tests/link-ticket-to-test-case", node.token(), "{}");
    assertThat(nothing.json().path("errors")).hasSize(3);
  }

  @Test
  void common_failures_are_grouped_behind_a_feature_flag() {
    for (int i = 0; i < 3; i++) {
      shop.upload(
          now().minusSeconds(9 - i), "&commit=c" + i, "adds failed expected " + i + " but was 7");
    }
    shop.upload(now(), "&commit=z", "adds failed no such file");
    assertThat(shop.details("adds").path("most_common_failures")).isEmpty();
    database.useTransaction(
        h -> h.execute("UPDATE organization SET features = '{most-common-failures}'"));
    var groups = shop.details("adds").path("most_common_failures");
    assertThat(groups).hasSize(2);
    assertThat(groups.at("/0/summary").asString()).isEqualTo("expected 2 but was 7");
    assertThat(groups.at("/0/occurrence_count").asInt()).isEqualTo(3);
    assertThat(groups.at("/0/last_occurrence").asString())
        .isEqualTo(now().minusSeconds(7).toString());
    var shown = ask("/v1/tests/show", testField("adds")).json();
    assertThat(shown.at("/failures/0/stack").asString()).isEqualTo("the stack");
    clock.advance(Duration.ofDays(7).plusSeconds(1));
    assertThat(shop.details("adds").path("most_common_failures")).isEmpty();
  }

  @Test
  void settings_are_checked_kept_and_used() {
    assertThat(set("\"stable_branches\":[\"trunk\",\"release/*\"]").at("/settings/stable_branches"))
        .hasSize(2);
    assertThat(
            shop.upload(now(), "&branch=release/7&commit=c", "a passed")
                .json()
                .path("branch_class")
                .asString())
        .isEqualTo("stable");
    var settings = set("\"infra_threshold\":0.9").path("settings");
    assertThat(settings.path("infra_threshold").asDouble()).isEqualTo(0.9);
    assertThat(settings.path("quarantining").asBoolean()).isFalse();
    for (String bad :
        new String[] {
          "\"infra_threshold\":1.5",
          "\"infra_threshold\":\"0.5\"",
          "\"quarantining\":\"yes\"",
          "\"stable_branches\":\"main\"",
          "\"stable_branches\":[\"\"]"
        }) {
      assertThat(ask("/v1/repositories/set-test-settings", bad).status()).as(bad).isEqualTo(400);
    }
    assertThat(
            set("\"stable_branches\":[\"a\\\"b\\\\c{,}\"]")
                .at("/settings/stable_branches/0")
                .asString())
        .isEqualTo("a\"b\\c{,}");
  }

  private JsonNode quarantined() {
    return ask("/v1/flaky-tests/list-quarantined-tests", "\"page_query\":{\"page_size\":10}")
        .json();
  }

  private Answer unhealthy(String status, int size, String token) {
    return ask(
        "/v1/flaky-tests/list-unhealthy-tests",
        "\"status\":\"%s\",\"page_query\":{\"page_size\":%d,\"page_token\":\"%s\"}"
            .formatted(status, size, token));
  }

  private Answer link(Shop in, String test, String ticket) {
    return in.ask(
        "/v1/flaky-tests/link-ticket-to-test-case",
        "\"external_ticket_id\":\"%s\",\"test_case_id\":\"%s\"".formatted(ticket, in.id(test)));
  }

  private boolean mayPass(String commit, String result) {
    return shop.upload(now(), "&commit=" + commit, result)
        .json()
        .at("/verdict/may_pass")
        .asBoolean();
  }

  private void decide(String test, String fields) {
    var answer = ask("/v1/tests/quarantine", testField(test) + "," + fields);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
  }

  private void mute(String monitor, String test, String until) {
    var answer =
        ask(
            "/v1/monitors/mute",
            "\"monitor_id\":\"%s\",%s,%s".formatted(monitor, testField(test), until));
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
  }

  private Answer ask(String path, String fields) {
    return shop.ask(path, fields);
  }

  private String testField(String test) {
    return "\"test_id\":\"%s\"".formatted(shop.id(test));
  }
}
