package dev.mainstay.server.health.ingest;

import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The turns of uploads, in the order they came: few at a time, since each may need memory for
 * millions of tests. One that is long in finding owners goes on beside the turns, so that others
 * need not wait for it; there is place for one.
 */
final class Turns {
  private static final int AT_ONCE = Math.max(2, Runtime.getRuntime().availableProcessors());
  private static final long WAIT_SECONDS = 60;

  private final Semaphore turns = new Semaphore(AT_ONCE, true);
  private final Semaphore beside = new Semaphore(1);

  /** Empty where no turn is to be had in time. */
  Optional<Turn> take() {
    try {
      return turns.tryAcquire(WAIT_SECONDS, TimeUnit.SECONDS)
          ? Optional.of(new Turn())
          : Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  int free() {
    return turns.availablePermits();
  }

  /** A turn, of one thread. */
  final class Turn implements AutoCloseable {
    private boolean isBeside;

    private Turn() {}

    /** Lets somebody else have the turn, where there is a place to go on without. */
    void stepAside() {
      if (!isBeside && beside.tryAcquire()) {
        isBeside = true;
        turns.release();
      }
    }

    /** Waits for a turn again. */
    void stepBack() {
      if (isBeside) {
        turns.acquireUninterruptibly();
        isBeside = false;
        beside.release();
      }
    }

    @Override
    public void close() {
      (isBeside ? beside : turns).release();
    }
  }
}
