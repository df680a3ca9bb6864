package dev.mainstay.bench;

import java.time.Duration;

/** Patience with what happens elsewhere. */
public final class Waiting {
  private static final Duration PAUSE = Duration.ofMillis(100);

  private Waiting() {}

  /** A condition whose answer has to be asked for. */
  @FunctionalInterface
  public interface Condition<E extends Exception> {
    boolean holds() throws E, InterruptedException;
  }

  /** Looks again and again until the condition holds; false when it does not in time. */
  public static <E extends Exception> boolean until(Condition<E> condition, Duration longest)
      throws E, InterruptedException {
    long end = System.nanoTime() + longest.toNanos();
    while (!condition.holds()) {
      if (System.nanoTime() > end) {
        return false;
      }
      Thread.sleep(PAUSE);
    }
    return true;
  }
}
