package dev.mainstay.server.health.judge;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Judges tests as results arrive on this node or another, and as time passes. */
public final class HealthWorker implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger("health");
  private static final Duration EVERY = Duration.ofSeconds(1);

  private final Judging judging;
  private final Semaphore news = new Semaphore(0);
  private final Thread worker = Thread.ofPlatform().daemon().name("health").unstarted(this::work);

  public HealthWorker(Judging judging) {
    this.judging = judging;
  }

  public void start() {
    worker.start();
  }

  /** Makes the worker look now rather than in a second. */
  public void wake() {
    news.release();
  }

  private void work() {
    while (!Thread.currentThread().isInterrupted()) {
      try {
        while (judging.step() >= 0 && !Thread.currentThread().isInterrupted()) {}
      } catch (RuntimeException e) {
        log.warn("judging will be tried again: {}", e.getMessage());
      }
      try {
        if (news.tryAcquire(EVERY.toMillis(), TimeUnit.MILLISECONDS)) {
          news.drainPermits();
        }
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  @Override
  public void close() {
    worker.interrupt();
    try {
      worker.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
