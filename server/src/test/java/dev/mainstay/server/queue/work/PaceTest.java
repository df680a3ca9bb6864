package dev.mainstay.server.queue.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.forge.ForgeUnavailable;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PaceTest {
  private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");

  private final Pace pace = new Pace();

  @Test
  void so_many_look_at_a_host_at_once_and_others_wait_for_their_turn() throws Exception {
    var inside = new AtomicInteger();
    var most = new AtomicInteger();
    var full = new CountDownLatch(8);
    var letGo = new CountDownLatch(1);
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < 20; i++) {
      threads.add(
          Thread.startVirtualThread(
              () ->
                  pace.inTurn(
                      "one.example",
                      () -> {
                        most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                        full.countDown();
                        await(letGo);
                        inside.decrementAndGet();
                      })));
    }
    full.await();
    assertThat(pace.busy(NOW)).containsExactly("one.example");
    assertThat(pace.closed(NOW)).isEmpty();
    pace.inTurn("two.example", () -> assertThat(pace.busy(NOW)).containsExactly("one.example"));
    letGo.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(most).hasValue(8);
    assertThat(pace.busy(NOW)).isEmpty();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void a_host_that_does_not_answer_rests_longer_each_time_but_not_for_those_who_were_asked() {
    for (int seconds : new int[] {1, 2, 4, 8, 15, 15}) {
      pace.unavailable("one.example", ForgeUnavailable.ofHost("Down."), NOW);
      assertThat(pace.notBefore("one.example", false, NOW)).contains(NOW.plusSeconds(seconds));
    }
    assertThat(pace.notBefore("one.example", true, NOW)).isEmpty();
    assertThat(pace.busy(NOW.plusSeconds(14))).containsExactly("one.example");
    assertThat(pace.busy(NOW.plusSeconds(15))).isEmpty();
    assertThat(pace.closed(NOW)).isEmpty();
    pace.answered("one.example");
    pace.unavailable("one.example", ForgeUnavailable.ofHost("Down."), NOW);
    assertThat(pace.notBefore("one.example", false, NOW)).contains(NOW.plusSeconds(1));
  }

  @Test
  void a_repository_that_is_gone_is_not_its_hosts_fault() {
    pace.unavailable("one.example", new ForgeUnavailable("There is no such repository."), NOW);
    assertThat(pace.busy(NOW)).isEmpty();
    assertThat(pace.notBefore("one.example", false, NOW)).isEmpty();
  }

  @Test
  void a_host_that_asks_for_a_time_is_closed_for_all_but_never_longer_than_an_hour() {
    pace.unavailable(
        "one.example", ForgeUnavailable.untilAfter("Limit.", Duration.ofMinutes(5)), NOW);
    assertThat(pace.notBefore("one.example", true, NOW)).contains(NOW.plusSeconds(300));
    assertThat(pace.notBefore("one.example", false, NOW)).contains(NOW.plusSeconds(300));
    assertThat(pace.closed(NOW.plusSeconds(299))).containsExactly("one.example");
    assertThat(pace.closed(NOW.plusSeconds(300))).isEmpty();
    pace.unavailable("one.example", ForgeUnavailable.untilAfter("Limit.", Duration.ofDays(1)), NOW);
    assertThat(pace.closed(NOW.plusSeconds(3599))).containsExactly("one.example");
    assertThat(pace.closed(NOW.plusSeconds(3600))).isEmpty();
  }
}
