package dev.mainstay.server.queue.whatif;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Work that takes a processor for seconds: one piece at a time, on a thread of its own, so that it
 * holds one processor at most and none of those who carry requests. A few may stand in line, and
 * not for long.
 */
final class Workbench {
  private final Semaphore line;
  private final Semaphore bench = new Semaphore(1, true);
  private final Duration patience;

  Workbench(int mostInLine, Duration patience) {
    this.line = new Semaphore(mostInLine);
    this.patience = patience;
  }

  /** Empty where there was no room for it. What it throws is thrown on. */
  <T> Optional<T> work(Supplier<T> work) {
    if (!line.tryAcquire()) {
      return Optional.empty();
    }
    try {
      if (!bench.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS)) {
        return Optional.empty();
      }
      try {
        return Optional.of(apart(work));
      } finally {
        bench.release();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    } finally {
      line.release();
    }
  }

  private static <T> T apart(Supplier<T> work) throws InterruptedException {
    var task = new FutureTask<>(work::get);
    Thread thread = Thread.ofPlatform().daemon().name("what-if").start(task);
    try {
      return task.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException thrown
          ? thrown
          : new IllegalStateException("what was to be tried could not be", e.getCause());
    } finally {
      thread.interrupt();
    }
  }
}
