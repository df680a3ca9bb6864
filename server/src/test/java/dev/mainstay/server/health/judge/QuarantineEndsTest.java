package dev.mainstay.server.health.judge;

import static dev.mainstay.server.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.TestNode.Answer;
import dev.mainstay.server.health.JudgingScene;
import dev.mainstay.server.health.test.DecisionEndStore;
import dev.mainstay.server.health.test.DecisionEndStore.Awaited;
import dev.mainstay.server.web.Visitor;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Quarantines that end by themselves, and what quarantine hides until then. */
class QuarantineEndsTest extends JudgingScene {
  @BeforeEach
  void quarantining() {
    set("\"quarantining\":true");
    shop.upload(now(), "&commit=first&branch=main&ci_url=https://ci.example/7", "adds failed boom");
  }

  private Answer decide(String test, String fields) {
    return shop.ask(
        "/v1/tests/quarantine",
        "\"test_id\":\"%s\",\"setting\":\"ALWAYS_QUARANTINE\",\"reason\":\"known\"%s"
            .formatted(shop.id(test), fields));
  }

  private boolean isQuarantined(String test) {
    judged();
    return shop.details(test).path("quarantined").asBoolean();
  }

  /** The node judges by itself, too, and one passes over what the other has in hand. */
  private void awaitEnd(String test) {
    until(() -> isQuarantined(test), quarantined -> !quarantined);
  }

  private void uploaded(String commit, String... results) {
    clock.advance(Duration.ofMinutes(1));
    shop.upload(now(), "&branch=main&commit=" + commit, results);
  }

  private JsonNode ended(String test) {
    return node.post("/v1/tests/show", node.token(), about(test)).json();
  }

  private String about(String test) {
    return "{\"repo\":%s,\"test_id\":\"%s\"}".formatted(shop.repo(), shop.id(test));
  }

  @Test
  void after_so_many_passes_in_a_row_a_decision_ends_and_a_failure_begins_the_count_anew() {
    assertThat(decide("adds", ",\"after_passes\":3").status()).isEqualTo(200);
    uploaded("a", "adds passed");
    uploaded("b", "adds passed");
    uploaded("c", "adds failed again");
    uploaded("d", "adds passed");
    uploaded("e", "adds passed");
    assertThat(isQuarantined("adds")).isTrue();
    assertThat(ended("adds").at("/quarantine_override/after_passes").asInt()).isEqualTo(3);
    uploaded("f", "adds passed");
    awaitEnd("adds");
    assertThat(ended("adds").at("/quarantine_override/until").asString())
        .isEqualTo(now().toString());
    clock.advance(Duration.ofDays(1));
    var verdict = shop.upload(now(), "&branch=main&commit=g", "adds failed");
    assertThat(verdict.json().at("/verdict/may_pass").asBoolean()).isFalse();
    for (String wrong : new String[] {"0", "1001", "\"many\""}) {
      assertThat(decide("adds", ",\"after_passes\":" + wrong).status()).isEqualTo(400);
    }
  }

  @Test
  void passes_before_a_decision_do_not_count_and_the_first_end_is_the_end() {
    uploaded("a", "adds passed");
    uploaded("b", "adds passed");
    clock.advance(Duration.ofMinutes(1));
    decide("adds", ",\"after_passes\":2" + later());
    uploaded("c", "adds passed");
    assertThat(isQuarantined("adds")).isTrue();
    uploaded("d", "adds passed");
    awaitEnd("adds");
    assertThat(ended("adds").at("/quarantine_override/until").asString())
        .isEqualTo(now().toString());
    link("adds", "ENG-1");
    decide("adds", ",\"until_ticket_closed\":true" + later());
    assertThat(isQuarantined("adds")).isTrue();
    ticket("ENG-1", "CLOSED");
    awaitEnd("adds");
    assertThat(ended("adds").at("/quarantine_override/until").asString())
        .isEqualTo(now().toString());
  }

  private String later() {
    return ",\"until\":\"%s\"".formatted(now().plus(Duration.ofDays(9)));
  }

  @Test
  void a_decision_that_was_made_anew_meanwhile_does_not_end() {
    decide("adds", ",\"after_passes\":1");
    var before = new Awaited(shop.id("adds"), now().minusSeconds(1), 1);
    assertThat(ends(before)).isZero();
    assertThat(isQuarantined("adds")).isTrue();
    assertThat(ends(new Awaited(shop.id("adds"), now(), 1))).isEqualTo(1);
    awaitEnd("adds");
  }

  private int ends(Awaited awaited) {
    return database.inTransaction(
        handle -> {
          long repository = handle.select("SELECT id FROM repository").mapTo(Long.class).one();
          return DecisionEndStore.end(handle, repository, List.of(awaited), now()).size();
        });
  }

  @Test
  void a_decision_ends_with_the_ticket_of_its_test_which_it_has_to_have() {
    Answer without = decide("adds", ",\"until_ticket_closed\":true");
    assertThat(without.status()).isEqualTo(409);
    assertThat(without.json().path("code").asString()).isEqualTo("no_ticket");
    link("adds", "ENG-1");
    assertThat(decide("adds", ",\"until_ticket_closed\":true").status()).isEqualTo(200);
    assertThat(isQuarantined("adds")).isTrue();
    ticket("ENG-2", "CLOSED");
    ticket("ENG-1", "OPEN");
    assertThat(isQuarantined("adds")).isTrue();
    ticket("ENG-1", "CLOSED");
    awaitEnd("adds");
    assertThat(decide("adds", ",\"until_ticket_closed\":true").json().path("code").asString())
        .isEqualTo("ticket_closed");
    link("adds", "ENG-3");
    assertThat(decide("adds", ",\"until_ticket_closed\":true").status()).isEqualTo(200);
    link("adds", "ENG-2");
    awaitEnd("adds");
  }

  private String page(String name) {
    var seen = Visitor.signedIn(node, node.token()).look("/default/github.com/acme/shop/" + name);
    assertThat(seen.status()).isEqualTo(200);
    return seen.body();
  }

  private void link(String test, String ticket) {
    shop.ask(
        "/v1/flaky-tests/link-ticket-to-test-case",
        "\"external_ticket_id\":\"%s\",\"test_case_id\":\"%s\"".formatted(ticket, shop.id(test)));
  }

  private void ticket(String id, String state) {
    assertThat(
            node.post(
                    "/v1/tickets/set",
                    node.token(),
                    "{\"external_ticket_id\":\"%s\",\"state\":\"%s\"}".formatted(id, state))
                .status())
        .isEqualTo(200);
  }

  @Test
  void where_automatic_quarantining_would_hide_too_much_it_is_switched_off_and_told() {
    JsonNode first = set("\"auto_quarantine\":true,\"quarantine_cap\":2").path("settings");
    assertThat(first.path("quarantine_cap").asInt()).isEqualTo(2);
    assertThat(first.path("auto_quarantine_stopped").isNull()).isTrue();
    uploaded("a", "one retried", "two retried");
    assertThat(isQuarantined("one")).isTrue();
    decide("adds", "");
    uploaded("b", "three retried");
    assertThat(isQuarantined("three")).isFalse();
    assertThat(isQuarantined("one")).isFalse();
    assertThat(isQuarantined("adds")).isTrue();
    JsonNode stopped = set("").path("settings");
    assertThat(stopped.path("auto_quarantine").asBoolean()).isFalse();
    assertThat(stopped.at("/auto_quarantine_stopped/reason").asString())
        .isEqualTo(
            "Automatic quarantining was switched off: it would hide 3 tests, and quarantine_cap is 2.");
    assertThat(page("quarantine"))
        .contains("it would hide 3 tests, and quarantine_cap is 2.", "Switch it on again", ">adds<")
        .contains("never by itself", "Only tests that somebody put into quarantine are in it.")
        .doesNotContain(">one<");
    assertThat(page("settings")).contains("it would hide 3 tests, and quarantine_cap is 2.");
    assertThat(set("\"auto_quarantine\":true").at("/settings/auto_quarantine").asBoolean())
        .isFalse();
    JsonNode again =
        set("\"auto_quarantine\":true,\"delete_quarantine_cap\":true").path("settings");
    assertThat(again.path("auto_quarantine").asBoolean()).isTrue();
    assertThat(again.path("quarantine_cap").isNull()).isTrue();
    assertThat(again.path("auto_quarantine_stopped").isNull()).isTrue();
    assertThat(page("quarantine") + page("settings")).doesNotContain("quarantine_cap is");
    assertThat(isQuarantined("one")).isTrue();
    assertThat(
            shop.ask(
                    "/v1/repositories/set-test-settings",
                    "\"quarantine_cap\":1,\"delete_quarantine_cap\":true")
                .status())
        .isEqualTo(400);
  }

  @Test
  void a_report_tells_what_is_hidden_and_for_how_long() {
    set("\"auto_quarantine\":true,\"quarantine_cap\":50");
    decide("adds", ",\"after_passes\":9");
    clock.advance(Duration.ofHours(49));
    uploaded("b", "adds failed", "one retried");
    judged();
    JsonNode report = shop.ask("/v1/tests/quarantine-report", "").json();
    assertThat(report.path("quarantined").asInt()).isEqualTo(2);
    assertThat(report.path("automatic").asInt()).isEqualTo(1);
    assertThat(report.path("failures_hidden_last_7d").asInt()).isEqualTo(1);
    assertThat(report.at("/tests/0/name").asString()).isEqualTo("adds");
    assertThat(report.at("/tests/0/hours").asInt()).isEqualTo(49);
    assertThat(report.at("/tests/0/after_passes").asInt()).isEqualTo(9);
    assertThat(report.at("/tests/0/failures_hidden_last_7d").asInt()).isEqualTo(1);
    assertThat(report.at("/tests/1/quarantine_setting").asString()).isEqualTo("AUTO_QUARANTINE");
    assertThat(shop.ask("/v1/tests/quarantine-report", "\"take\":1").json().path("tests"))
        .hasSize(1);
    String page = page("quarantine");
    assertThat(page)
        .contains("2 d 1 h", "after 9 passes in a row", "less than an hour", "when it is healthy")
        .contains("at most 50 of them")
        .doesNotContain("never by itself", "Stopped");
    assertThat(page.indexOf(">adds<")).isPositive().isLessThan(page.indexOf(">one<"));
    set("\"quarantining\":false");
    assertThat(page("quarantine")).contains("Nothing is hidden", "Quarantine is switched off");
  }

  @Test
  void every_failing_test_leads_to_its_message_and_its_job() {
    String url = "https://ci.example/7";
    JsonNode listed = shop.ask("/v1/tests/list", "").json().at("/tests/0");
    assertThat(listed.path("last_failure_message").asString()).isEqualTo("boom");
    assertThat(listed.path("ci_url").asString()).isEqualTo(url);
    assertThat(listed.path("most_common_failures")).isEmpty();
    JsonNode shown = ended("adds").path("test");
    assertThat(shown.path("last_failure_message").asString()).isEqualTo("boom");
    assertThat(shown.path("ci_url").asString()).isEqualTo(url);
    clock.advance(Duration.ofMinutes(1));
    JsonNode verdict =
        shop.upload(
                now(), "&commit=x&ci_url=https://ci.example/8", "adds failed far&#10; too  long")
            .json()
            .at("/verdict/failures/0");
    assertThat(verdict.path("last_failure_message").asString()).isEqualTo("far too long");
    assertThat(verdict.path("ci_url").asString()).isEqualTo("https://ci.example/8");
    assertThat(shop.details("adds").path("ci_url").asString()).isEqualTo("https://ci.example/8");
    shop.upload(now(), "&commit=y", "other passed");
    assertThat(shop.details("other").has("last_failure_message")).isFalse();
  }
}
