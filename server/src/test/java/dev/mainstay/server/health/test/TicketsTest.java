package dev.mainstay.server.health.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.TestNode.Answer;
import dev.mainstay.server.health.JudgingScene;
import dev.mainstay.server.platform.http.Scope;
import org.junit.jupiter.api.Test;

/** Whether tickets of other systems are open or closed. */
class TicketsTest extends JudgingScene {
  private Answer set(String token, String id, String state) {
    return node.post(
        "/v1/tickets/set",
        token,
        "{\"external_ticket_id\":\"%s\",\"state\":\"%s\"}".formatted(id, state));
  }

  private String stateOf(String test) {
    return shop.ask("/v1/tests/show", "\"test_id\":\"%s\"".formatted(shop.id(test)))
        .json()
        .path("ticket_state")
        .asString("");
  }

  private void link(String test, String ticket) {
    assertThat(
            shop.ask(
                    "/v1/flaky-tests/link-ticket-to-test-case",
                    "\"external_ticket_id\":\"%s\",\"test_case_id\":\"%s\""
                        .formatted(ticket, shop.id(test)))
                .status())
        .isEqualTo(200);
  }

  @Test
  void a_ticket_is_open_or_closed_and_its_test_shows_it() {
    shop.upload(clock.instant(), "&commit=c", "adds failed");
    link("adds", "ENG-12");
    assertThat(stateOf("adds")).isEmpty();
    String token = key("default", Scope.QUEUE);
    Answer closed = set(token, "ENG-12", "closed");
    assertThat(closed.json().at("/ticket/external_ticket_id").asString()).isEqualTo("ENG-12");
    assertThat(closed.json().at("/ticket/state").asString()).isEqualTo("CLOSED");
    assertThat(closed.json().at("/ticket/html_url").asString()).endsWith("/default/tickets/ENG-12");
    assertThat(stateOf("adds")).isEqualTo("CLOSED");
    assertThat(set(token, "ENG-12", "OPEN").json().at("/ticket/state").asString())
        .isEqualTo("OPEN");
    assertThat(stateOf("adds")).isEqualTo("OPEN");
  }

  @Test
  void it_is_told_within_the_organization_only_and_by_whoever_may() {
    shop.upload(clock.instant(), "&commit=c", "adds failed");
    link("adds", "ENG-12");
    assertThat(set(key("others", Scope.QUEUE), "ENG-12", "CLOSED").status()).isEqualTo(200);
    assertThat(stateOf("adds")).isEmpty();
    assertThat(set(key("default", Scope.READ), "ENG-12", "CLOSED").status()).isEqualTo(403);
    for (String bad : new String[] {"", "123", "KEY-", "KEY-1x", "KEY-1\\n"}) {
      assertThat(set(node.token(), bad, "OPEN").status()).as(bad).isEqualTo(400);
    }
    assertThat(set(node.token(), "KEY-1", "LOST").status()).isEqualTo(400);
    assertThat(node.post("/v1/tickets/set", node.token(), "{}").json().path("errors")).hasSize(2);
  }
}
