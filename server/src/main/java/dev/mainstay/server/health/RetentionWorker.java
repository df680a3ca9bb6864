package dev.mainstay.server.health;

import dev.mainstay.server.platform.Database;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes partitions ahead of their days and drops those whose time is over, now and every hour. */
final class RetentionWorker implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger("results");
  private static final Duration EVERY = Duration.ofHours(1);
  private static final Duration BUNDLES_KEPT = Duration.ofDays(2);
  private static final int ROWS_AT_ONCE = 5000;

  private final Database database;
  private final Clock clock;
  private final PartitionStore partitions;
  private final Thread worker =
      Thread.ofPlatform().daemon().name("retention").unstarted(this::work);

  RetentionWorker(Database database, Clock clock, PartitionStore partitions) {
    this.database = database;
    this.clock = clock;
    this.partitions = partitions;
  }

  void start() {
    worker.start();
  }

  private void work() {
    while (!Thread.currentThread().isInterrupted()) {
      try {
        tidy();
      } catch (RuntimeException e) {
        log.warn("retention will be tried again: {}", e.getMessage());
      }
      try {
        Thread.sleep(EVERY);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  void tidy() {
    LocalDate today = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
    partitions.makeAhead(today);
    partitions.dropExpired(today).forEach(name -> log.info("dropped {}, past its retention", name));
    database.useTransaction(
        handle -> BundleStore.deleteExpired(handle, clock.instant().minus(BUNDLES_KEPT)));
    while (deleteSome() == ROWS_AT_ONCE && !Thread.currentThread().isInterrupted()) {}
  }

  private int deleteSome() {
    int uploads =
        database.inTransaction(
            handle -> UploadStore.deleteExpired(handle, clock.instant(), ROWS_AT_ONCE));
    int failures =
        database.inTransaction(
            handle -> ResultStore.deleteExpired(handle, clock.instant(), ROWS_AT_ONCE));
    return Math.max(uploads, failures);
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
