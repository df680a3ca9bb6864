package dev.mainstay.server.health;

import dev.mainstay.server.platform.Database;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes partitions ahead of their days, drops those whose time is over, and merges the counts of
 * hours that have passed; now and every hour.
 */
final class RetentionWorker implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger("results");
  private static final Duration EVERY = Duration.ofHours(1);
  private static final Duration BUNDLES_KEPT = Duration.ofDays(2);
  private static final Duration MERGED_BACK = Duration.ofDays(3);
  private static final int ROWS_AT_ONCE = 20_000;

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
    while (mergeSome() == ROWS_AT_ONCE && !Thread.currentThread().isInterrupted()) {}
    while (deleteSome() == ROWS_AT_ONCE && !Thread.currentThread().isInterrupted()) {}
  }

  /**
   * Hours that are over, of the last days; older ones that got late results stay right unmerged.
   */
  private int mergeSome() {
    Instant hour = clock.instant().truncatedTo(ChronoUnit.HOURS);
    return database.inTransaction(
        handle -> ResultStore.mergeHours(handle, hour.minus(MERGED_BACK), hour, ROWS_AT_ONCE));
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
