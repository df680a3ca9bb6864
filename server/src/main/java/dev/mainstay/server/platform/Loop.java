package dev.mainstay.server.platform;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A background loop: a round of work whenever it is told to, and every so often without being told.
 */
public final class Loop implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger("queue");

  private final Semaphore told = new Semaphore(0);
  private final Duration every;
  private final Runnable round;
  private final Thread thread;
  private volatile boolean closed;

  /** A loop that does nothing before {@link #start}. */
  public Loop(String name, Duration every, Consumer<Loop> round) {
    this.every = every;
    this.round = () -> round.accept(this);
    this.thread = Thread.ofPlatform().daemon().name(name).unstarted(this::work);
  }

  public void start() {
    thread.start();
  }

  /** There may be something to do. */
  public void tell() {
    if (told.availablePermits() == 0) {
      told.release();
    }
  }

  private void work() {
    while (!closed) {
      try {
        round.run();
      } catch (Database.Unavailable e) {
        log.warn("{} waits for the database: {}", thread.getName(), e.getMessage());
      } catch (RuntimeException e) {
        log.error("{} failed and goes on", thread.getName(), e);
      }
      await();
    }
  }

  private void await() {
    try {
      if (told.tryAcquire(every.toMillis(), TimeUnit.MILLISECONDS)) {
        told.drainPermits();
      }
    } catch (InterruptedException e) {
      closed = true;
    }
  }

  /** Waits for the round that is under way. */
  @Override
  public void close() {
    closed = true;
    tell();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
