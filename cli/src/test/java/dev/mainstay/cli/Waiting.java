package dev.mainstay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.Callable;

/** Patience with what happens elsewhere. */
public final class Waiting {
  private static final Duration DEADLINE = Duration.ofMinutes(5);
  private static final Duration PAUSE = Duration.ofMillis(20);

  private Waiting() {}

  /** Looks again and again until the condition holds; fails when it does not in time. */
  public static void until(Callable<Boolean> condition) {
    long end = System.nanoTime() + DEADLINE.toNanos();
    while (!holds(condition)) {
      assertThat(System.nanoTime()).as("it did not happen in %s", DEADLINE).isLessThan(end);
      pause();
    }
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  private static boolean holds(Callable<Boolean> condition) {
    try {
      return condition.call();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
