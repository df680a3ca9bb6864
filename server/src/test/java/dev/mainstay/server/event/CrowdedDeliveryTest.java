package dev.mainstay.server.event;

import static dev.mainstay.server.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.platform.Database;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Deliveries that share a node with many others. */
class CrowdedDeliveryTest extends EventScene {
  private static final String SUBMITTED = ",'kinds':['pull_request.submitted']";

  private void submit(int from, int to) {
    for (int number = from; number <= to; number++) {
      queue("submitPullRequest", number, "");
    }
  }

  @Test
  void endpoints_that_hang_leave_room_for_another_one_of_the_same_organization() {
    queue("createQueue", "");
    var ends = new CountDownLatch(1);
    receiver.behave(
        "/hangs",
        (exchange, got) -> {
          try {
            ends.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    Hook first = hook("/hangs", SUBMITTED);
    for (int i = 2; i < Webhooks.MOST_ENDPOINTS; i++) {
      hook("/hangs", SUBMITTED);
    }
    hook("/well", SUBMITTED);
    submit(1, 10);
    receiver.await("/well", 10);
    submit(11, 20);
    receiver.await("/well", 20);
    assertThat(attempts(first)).as("it still hangs").isEmpty();
    assertThat(receiver.at("/hangs"))
        .as("the fuller an organization's part, the less each endpoint gets")
        .hasSizeLessThan(2 * DeliveryWorker.OF_ORGANIZATION);
    ends.countDown();
  }

  @Test
  void what_waits_for_an_event_that_failed_twice_waits_no_longer() {
    queue("createQueue", "");
    receiver.behave("/fails", Receiver.status(500));
    Hook fails = hook("/fails", ",'kinds':['pull_request.submitted','pull_request.not_ready']");
    submit(1, 1);
    until(() -> attempts(fails), some -> some.size() == 1);
    clock.advance(Duration.ofSeconds(6));
    assertThat(types(receiver.await("/fails", 3)))
        .containsExactly(
            "pull_request.submitted", "pull_request.submitted", "pull_request.not_ready");
  }

  @Test
  void an_answer_that_cannot_be_written_keeps_no_other_from_being_written() {
    queue("createQueue", "");
    try (var database = Database.connect(address, 1)) {
      database.useTransaction(
          h -> h.execute("ALTER TABLE webhook_attempt ADD CHECK (answered <> 'poison')"));
    }
    receiver.behave(
        "/poison",
        (exchange, got) -> {
          byte[] body = "poison".getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
        });
    hook("/poison", SUBMITTED);
    Hook well = hook("/well", SUBMITTED);
    submit(1, 12);
    receiver.await("/poison", 8);
    List<Integer> written =
        until(() -> attempts(well), some -> some.size() == 12).stream()
            .map(attempt -> attempt.path("status").asInt())
            .distinct()
            .toList();
    assertThat(written).containsExactly(204);
  }
}
