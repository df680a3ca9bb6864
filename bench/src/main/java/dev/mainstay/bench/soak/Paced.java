package dev.mainstay.bench.soak;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Work that comes at an even pace, whether or not what came before has ended. */
final class Paced implements AutoCloseable {
  private final Tally tally;
  private final long begun = System.nanoTime();
  private final Duration time;
  private final List<Thread> threads = new ArrayList<>();

  Paced(Tally tally, Duration time) {
    this.tally = tally;
    this.time = time;
  }

  /** One piece of work, by its number from 0. */
  interface Work {
    void run(int number) throws Exception;
  }

  /** So many pieces over the whole time, by so many threads; how long each took is counted. */
  void go(String what, int pieces, int atOnce, Work work) {
    var next = new AtomicInteger();
    for (int i = 0; i < atOnce; i++) {
      threads.add(Thread.ofPlatform().name(what).start(() -> go(what, pieces, next, work)));
    }
  }

  private void go(String what, int pieces, AtomicInteger next, Work work) {
    for (int number = next.getAndIncrement(); number < pieces; number = next.getAndIncrement()) {
      long due = begun + time.toNanos() / pieces * number;
      for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
        LockSupport.parkNanos(left);
        if (Thread.currentThread().isInterrupted()) {
          return;
        }
      }
      long start = System.nanoTime();
      try {
        work.run(number);
        tally.took(what, System.nanoTime() - start);
      } catch (InterruptedException e) {
        return;
      } catch (Exception e) {
        tally.fault("%s %d: %s".formatted(what, number, e));
      }
    }
  }

  /** Waits for all of it. */
  @Override
  public void close() {
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
