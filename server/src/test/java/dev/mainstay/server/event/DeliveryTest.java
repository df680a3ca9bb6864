package dev.mainstay.server.event;

import static dev.mainstay.server.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** How events get to endpoints that fail, hang, refuse, or belong to others. */
class DeliveryTest extends EventScene {

  /** Submits pull requests to a queue without a forge: each is submitted, and not ready. */
  private void submit(int... numbers) {
    for (int number : numbers) {
      queue("submitPullRequest", number, "");
    }
  }

  private static List<Integer> numbers(List<Receiver.Got> all) {
    return all.stream().map(g -> g.data().at("/pullRequest/number").asInt()).toList();
  }

  private static List<String> ids(List<Receiver.Got> all) {
    return all.stream().map(g -> g.header("webhook-id")).toList();
  }

  @Test
  void what_fails_is_tried_again_in_order_under_the_same_id_and_delays_nobody_else() {
    queue("createQueue", "");
    String kinds = ",'kinds':['pull_request.submitted','pull_request.not_ready']";
    var ends = new CountDownLatch(1);
    receiver.behave("/hangs", (exchange, got) -> awaitQuietly(ends));
    receiver.behave("/fails", Receiver.status(500));
    hook("/hangs", kinds);
    ok("webhooks/create", "'url':'http://127.0.0.1:1/nobody'" + kinds);
    Hook fails = hook("/fails", kinds);
    Hook well = hook("/well", kinds);
    submit(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    assertThat(types(receiver.await("/well", 20)))
        .hasSize(20)
        .contains("pull_request.submitted", "pull_request.not_ready");
    ends.countDown();

    Receiver.Got first = receiver.await("/fails", 1).getFirst();
    String firstId = first.header("webhook-id");
    JsonNode attempt =
        until(
                () ->
                    attempts(fails).stream()
                        .filter(a -> a.path("eventId").asString().equals(firstId))
                        .toList(),
                found -> !found.isEmpty())
            .getFirst();
    assertThat(attempt.path("outcome").asString()).isEqualTo("failed");
    assertThat(attempt.path("status").asInt()).isEqualTo(500);
    assertThat(attempt.path("request").asString()).isEqualTo(first.body());
    assertThat(Duration.between(clock.instant(), Instant.parse(attempt.path("nextAt").asString())))
        .isBetween(Duration.ofSeconds(5), Duration.ofMillis(5500));
    assertThat(shown(fails).path("failingSince").asString()).isNotEmpty();

    until(() -> attempts(fails), a -> a.size() == 10);
    assertThat(types(receiver.at("/fails")))
        .as("what is not ready waits for what was submitted")
        .containsOnly("pull_request.submitted");
    receiver.behave("/fails", Receiver.status(200));
    int before = receiver.at("/fails").size();
    clock.advance(Duration.ofSeconds(6));
    List<Receiver.Got> again = receiver.await("/fails", before + 20);
    List<Receiver.Got> taken = again.subList(before, before + 20);
    assertThat(taken.stream().map(g -> g.header("webhook-id"))).doesNotHaveDuplicates();
    assertThat(taken.stream().map(g -> g.header("webhook-id")))
        .contains(first.header("webhook-id"));
    for (int number = 1; number <= 10; number++) {
      int one = number;
      assertThat(
              taken.stream()
                  .filter(g -> g.data().at("/pullRequest/number").asInt() == one)
                  .map(Receiver.Got::type))
          .containsExactly("pull_request.submitted", "pull_request.not_ready");
    }
    until(() -> shown(fails), w -> !w.has("failingSince"));

    JsonNode delivered = until(() -> attempts(well), a -> a.size() == 20).getFirst();
    ok(
        "webhooks/replay",
        "'id':'%s','attemptId':'%s'".formatted(well.id(), delivered.path("id").asString()));
    assertThat(receiver.await("/well", 21).getLast().header("webhook-id"))
        .isEqualTo(delivered.path("eventId").asString());
    Instant later = clock.instant();
    submit(11);
    until(() -> attempts(well), a -> a.size() == 23);
    JsonNode replayed = ok("webhooks/replay", "'id':'%s','since':'%s'".formatted(well.id(), later));
    assertThat(replayed.path("replayed").asInt()).isEqualTo(2);
    List<Receiver.Got> all = receiver.await("/well", 25);
    assertThat(numbers(all).subList(23, 25)).containsExactly(11, 11);
    assertThat(ids(all.subList(23, 25))).isEqualTo(ids(all.subList(21, 23)));
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 500, 410})
  void what_is_asked_for_once_more_while_it_is_being_sent_is_sent_once_more(int status) {
    queue("createQueue", "");
    var ends = new CountDownLatch(1);
    receiver.behave("/slow", Receiver.status(500));
    Hook slow = hook("/slow", ",'kinds':['pull_request.submitted']");
    submit(1);
    String attempt =
        until(() -> attempts(slow), a -> a.size() == 1).getFirst().path("id").asString();
    receiver.behave(
        "/slow",
        (exchange, got) -> {
          awaitQuietly(ends);
          Receiver.status(status).answer(exchange, got);
        });
    clock.advance(Duration.ofSeconds(6));
    receiver.await("/slow", 2);
    ok("webhooks/replay", "'id':'%s','attemptId':'%s'".formatted(slow.id(), attempt));
    receiver.behave("/slow", Receiver.status(204));
    ends.countDown();
    until(() -> attempts(slow), a -> a.size() == 2);
    if (status == 410) {
      ok("webhooks/set", "'id':'%s','enabled':true".formatted(slow.id()));
    }
    assertThat(ids(receiver.await("/slow", 3)).stream().distinct()).hasSize(1);
    List<JsonNode> ended = until(() -> attempts(slow), a -> a.size() == 3);
    assertThat(ended.getFirst().path("outcome").asString()).isEqualTo("delivered");
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void an_endpoint_may_ask_for_rest_say_that_it_is_gone_or_fail_for_too_long() {
    queue("createQueue", "");
    String kinds = ",'kinds':['pull_request.submitted']";
    receiver.behave(
        "/busy",
        (exchange, got) -> {
          exchange.getResponseHeaders().add("Retry-After", "120");
          exchange.sendResponseHeaders(429, -1);
        });
    receiver.behave("/gone", Receiver.status(410));
    receiver.behave("/bad", Receiver.status(400));
    receiver.behave(
        "/moved",
        (exchange, got) -> {
          exchange.getResponseHeaders().add("Location", receiver.address("/secret"));
          exchange.sendResponseHeaders(302, -1);
        });
    Hook busy = hook("/busy", kinds);
    Hook gone = hook("/gone", kinds);
    Hook bad = hook("/bad", kinds);
    Hook moved = hook("/moved", kinds);
    String offs = ",'kinds':['webhook.switched_off'],'repos':['git.example/acme/elsewhere']";
    hook("/owner", offs);
    submit(1);
    JsonNode asked = until(() -> shown(busy), w -> w.has("waitUntil"));
    assertThat(asked.path("waitUntil").asString())
        .isEqualTo(clock.instant().plusSeconds(120).toString());
    JsonNode off = until(() -> shown(gone), w -> w.has("switchedOffAt"));
    assertThat(off.path("enabled").asBoolean()).isFalse();
    assertThat(off.path("switchedOffReason").asString()).contains("410");
    Receiver.Got told = receiver.await("/owner", 1).getFirst();
    assertDescribed(told);
    assertThat(told.data().at("/webhook/id").asString()).isEqualTo(gone.id());
    assertThat(told.data().at("/reason/message").asString()).contains("410");
    assertThat(
            until(() -> attempts(moved), a -> !a.isEmpty()).getFirst().path("message").asString())
        .contains("redirects are not followed");
    assertThat(receiver.at("/secret")).isEmpty();

    receiver.behave("/busy", Receiver.status(200));
    until(() -> attempts(bad), a -> a.size() == 1);
    submit(2);
    until(() -> attempts(bad), a -> a.size() == 2);
    clock.advance(Duration.ofSeconds(60));
    until(() -> attempts(bad), a -> a.size() == 4);
    assertThat(receiver.at("/busy")).as("it asked for rest").hasSize(1);
    clock.advance(Duration.ofSeconds(61));
    assertThat(numbers(receiver.await("/busy", 3)).subList(1, 3)).containsExactlyInAnyOrder(1, 2);
    assertThat(receiver.at("/gone")).hasSize(1);

    clock.advance(Duration.ofDays(5));
    JsonNode tired = until(() -> shown(bad), w -> w.has("switchedOffAt"));
    assertThat(tired.path("switchedOffReason").asString()).contains("five days");
    assertThat(receiver.await("/owner", 3))
        .extracting(got -> got.data().at("/webhook/id").asString())
        .containsExactlyInAnyOrder(gone.id(), bad.id(), moved.id());
    int before = receiver.at("/bad").size();
    submit(3);
    receiver.await("/busy", 4);
    assertThat(receiver.at("/bad")).hasSize(before);
    JsonNode on =
        ok("webhooks/set", "'id':'%s','enabled':true".formatted(bad.id())).path("webhook");
    assertThat(on.path("enabled").asBoolean()).isTrue();
    assertThat(on.has("switchedOffAt") || on.has("failingSince")).isFalse();
    int tries = attempts(bad).size();
    ok("webhooks/replay", "'id':'%s','since':'2026-01-01T00:00:00Z'".formatted(bad.id()));
    until(() -> attempts(bad), a -> a.size() == tries + 3);
    JsonNode anew = until(() -> shown(bad), w -> w.has("failingSince"));
    assertThat(anew.path("failingSince").asString()).isEqualTo(clock.instant().toString());
    assertThat(anew.path("enabled").asBoolean()).as("one failure after five days").isTrue();
    ok("webhooks/set", "'id':'%s','name':'renamed'".formatted(bad.id()));
    assertThat(shown(bad).has("failingSince")).isTrue();
    ok("webhooks/set", "'id':'%s','url':'%s'".formatted(bad.id(), receiver.address("/elsewhere")));
    assertThat(shown(bad).has("failingSince")).as("at another address").isFalse();
    clock.advance(Duration.ofSeconds(10));
    until(() -> numbers(receiver.at("/elsewhere")), got -> got.contains(3));
  }

  @Test
  void secrets_are_shown_once_rotate_with_grace_and_nobody_sees_another_organizations_endpoints() {
    Hook hook = hook("/one", ",'name':'deploys','kinds':['queue.*']");
    JsonNode trial = ok("webhooks/test", "'id':'%s'".formatted(hook.id())).path("attempt");
    assertThat(trial.path("outcome").asString()).isEqualTo("delivered");
    Receiver.Got tried = receiver.await("/one", 1).getFirst();
    assertDescribed(tried);
    assertThat(tried.isSignedBy(hook.secret())).isTrue();
    assertThat(ok("webhooks/list", "").toString()).doesNotContain("whsec_");

    String next =
        ok("webhooks/rotate", "'id':'%s','graceSeconds':60".formatted(hook.id()))
            .path("secret")
            .asString();
    ok("webhooks/test", "'id':'%s'".formatted(hook.id()));
    Receiver.Got both = receiver.await("/one", 2).getLast();
    assertThat(both.isSignedBy(hook.secret())).isTrue();
    assertThat(both.isSignedBy(next)).isTrue();
    clock.advance(Duration.ofSeconds(61));
    ok("webhooks/test", "'id':'%s'".formatted(hook.id()));
    Receiver.Got one = receiver.await("/one", 3).getLast();
    assertThat(one.isSignedBy(hook.secret())).isFalse();
    assertThat(one.isSignedBy(next)).isTrue();

    String other = keyOf("other");
    assertThat(node.post("/v1/webhooks/list", other, "{}").json().path("webhooks")).isEmpty();
    for (String operation : List.of("set", "delete", "test", "rotate", "attempts", "replay")) {
      String more = operation.equals("replay") ? ",'since':'2026-01-01T00:00:00Z'" : "";
      var answer =
          node.post(
              "/v1/webhooks/" + operation, other, json("'id':'%s'%s".formatted(hook.id(), more)));
      assertThat(answer.status()).as(operation).isEqualTo(404);
      assertThat(answer.code()).isEqualTo("webhook_not_found");
    }
    String queue =
        json("'repo':{'host':'git.example','owner':'acme','name':'shop'},'targetBranch':'main'");
    assertThat(node.post("/v1/createQueue", other, queue).status()).isEqualTo(200);
    queue("createQueue", "");
    assertThat(types(receiver.await("/one", 4)).getLast()).isEqualTo("queue.created");
    ok("webhooks/delete", "'id':'%s'".formatted(hook.id()));
    assertThat(ok("webhooks/list", "").path("webhooks")).isEmpty();
    assertThat(receiver.at("/one")).hasSize(4);
    for (int i = 0; i < Webhooks.MOST_ENDPOINTS; i++) {
      hook("/many", ",'kinds':['queue.paused']");
    }
    var beyond =
        node.post(
            "/v1/webhooks/create",
            node.token(),
            json("'url':'%s'".formatted(receiver.address("/many"))));
    assertThat(beyond.status()).isEqualTo(409);
    assertThat(beyond.code()).isEqualTo("too_many_webhooks");
  }
}
