package dev.mainstay.server.node;

import java.time.Duration;
import java.util.Collection;
import java.util.function.Supplier;

/** Lets threads end in their own time, within reason: what they leave, another node does. */
public final class Ending {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private Ending() {}

  public static void await(Supplier<Collection<Thread>> threads) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    try {
      for (Thread thread : threads.get()) {
        long left = deadline - System.nanoTime();
        if (left > 0) {
          thread.join(Duration.ofNanos(left));
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
