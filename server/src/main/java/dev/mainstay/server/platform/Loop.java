package dev.mainstay.server.platform;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one kind of background work: a round whenever the loop is told to, and every so often without
 * being told. A round that fails is tried again at the next one, and said once in a row of
 * failures.
 */
public final class Loop implements AutoCloseable {
  private final Logger log;
  private final Semaphore told = new Semaphore(0);
  private final Duration every;
  private final Runnable round;
  private final Thread thread;
  private boolean failing;
  private volatile boolean closed;

  /** A loop that does nothing before {@link #start}; a round may ask it {@link #isClosing}. */
  public Loop(String name, Duration every, Consumer<Loop> round) {
    this.log = LoggerFactory.getLogger(name);
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

  /** True where a round should come to an end soon. */
  public boolean isClosing() {
    return closed;
  }

  private void work() {
    while (!closed) {
      try {
        round.run();
        failing = false;
      } catch (RuntimeException e) {
        say(e);
      }
      await();
    }
  }

  private void say(RuntimeException fault) {
    if (failing) {
      log.debug("fails again", fault);
    } else if (fault instanceof Database.Unavailable || fault instanceof Database.Busy) {
      log.warn("waits for the database: {}", fault.getMessage());
    } else {
      log.error("failed and goes on", fault);
    }
    failing = true;
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
