package dev.mainstay.server.platform;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Work in the background goes on, whatever a round dies of. */
class LoopTest {
  private static final int LIMIT_MINUTES = 2;

  @Test
  void a_round_that_dies_of_an_error_or_is_interrupted_is_followed_by_the_next()
      throws InterruptedException {
    var rounds = new AtomicInteger();
    var enough = new CountDownLatch(4);
    try (var loop =
        new Loop(
            "dying",
            Duration.ofMillis(1),
            self -> {
              enough.countDown();
              switch (rounds.getAndIncrement()) {
                case 0 -> throw new StackOverflowError();
                case 1 -> throw new NoClassDefFoundError("gone");
                case 2 -> Thread.currentThread().interrupt();
                default -> {}
              }
            })) {
      loop.start();
      assertThat(enough.await(LIMIT_MINUTES, TimeUnit.MINUTES)).isTrue();
      assertThat(Loop.ended()).doesNotContain("dying");
      assertThat(Loop.all())
          .filteredOn(state -> state.name().equals("dying"))
          .containsExactly(new Loop.State("dying", true, 2));
    }
    assertThat(Loop.all()).noneMatch(state -> state.name().equals("dying"));
  }
}
