package dev.mainstay.server.platform.http;

import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Room in memory that all requests have together. What is small needs none. */
final class Budget {
  static final Room NONE = () -> {};
  private static final int SMALL_BYTES = 64 * 1024;
  private static final int KIBIBYTE = 1024;

  /** What is no larger takes what is free, past whoever waits for more. */
  private static final int MODEST_KIBIBYTES = 1024;

  private static final long WAIT_SECONDS = 5;

  private final int all;
  private final Semaphore kibibytes;

  Budget(long bytes) {
    all = (int) Math.min(bytes / KIBIBYTE, Integer.MAX_VALUE);
    kibibytes = new Semaphore(all, true);
  }

  /** Some of the budget, to be given back. */
  interface Room extends AutoCloseable {
    @Override
    void close();
  }

  long bytes() {
    return (long) all * KIBIBYTE;
  }

  long freeBytes() {
    return (long) kibibytes.availablePermits() * KIBIBYTE;
  }

  /** Waits a while for room, or throws 503. */
  Room take(long bytes) {
    return tryTake(bytes).orElseThrow(ApiError::busy);
  }

  /** Waits a while for room. Whoever needs more than there is gets all of it. */
  Optional<Room> tryTake(long bytes) {
    if (bytes <= SMALL_BYTES) {
      return Optional.of(NONE);
    }
    int permits = (int) Math.min(bytes / KIBIBYTE, all);
    try {
      if (!(permits <= MODEST_KIBIBYTES && kibibytes.tryAcquire(permits))
          && !kibibytes.tryAcquire(permits, WAIT_SECONDS, TimeUnit.SECONDS)) {
        return Optional.empty();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
    return Optional.of(() -> kibibytes.release(permits));
  }
}
