package dev.mainstay.server.health;

import dev.mainstay.server.health.ingest.BundleStore;
import dev.mainstay.server.health.judge.MonitorStore;
import dev.mainstay.server.health.judge.StatusChangeStore;
import dev.mainstay.server.health.list.KeptListStore;
import dev.mainstay.server.health.result.CommitFailureStore;
import dev.mainstay.server.health.result.FeedStore;
import dev.mainstay.server.health.result.PartitionStore;
import dev.mainstay.server.health.result.RecentFailureStore;
import dev.mainstay.server.health.result.RepositoryDayStore;
import dev.mainstay.server.health.result.TestDayStore;
import dev.mainstay.server.health.result.UploadStore;
import dev.mainstay.server.health.test.RepoViewStore;
import dev.mainstay.server.health.test.RepoViewStore.Kept;
import dev.mainstay.server.platform.Database;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes partitions ahead of their days, drops those whose time is over, and has hours that have
 * passed folded into days.
 */
public final class RetentionWorker {
  private static final Logger log = LoggerFactory.getLogger("results");
  private static final Duration BUNDLES_KEPT = Duration.ofDays(2);
  private static final Duration LISTS_KEPT = Duration.ofDays(1);
  private static final int ROWS_AT_ONCE = 20_000;
  private static final int DAYS_OF_GRACE = 2;

  private final Database database;
  private final Clock clock;
  private final PartitionStore partitions;

  public RetentionWorker(Database database, Clock clock, PartitionStore partitions) {
    this.database = database;
    this.clock = clock;
    this.partitions = partitions;
  }

  /** One round; it ends early where the node is closing. */
  public void round(BooleanSupplier isClosing) {
    LocalDate today = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
    partitions.makeAhead(today);
    partitions.dropExpired(today).forEach(name -> log.info("dropped {}, past its retention", name));
    database.useTransaction(
        handle -> BundleStore.deleteExpired(handle, clock.instant().minus(BUNDLES_KEPT)));
    database.useTransaction(
        handle -> {
          KeptListStore.deleteExpired(handle, clock.instant().minus(LISTS_KEPT));
          MonitorStore.deleteExpired(handle, clock.instant());
        });
    new Folding(database, clock).round(isClosing);
    for (Kept kept : database.query(RepoViewStore::all)) {
      while (!isClosing.getAsBoolean() && deleteSome(kept) == ROWS_AT_ONCE) {}
    }
  }

  /** Deletes some rows of a repository whose time is over; the most of any table. */
  private int deleteSome(Kept kept) {
    long id = kept.repositoryId();
    Instant now = clock.instant();
    Instant before = now.minus(Duration.ofDays(kept.days() + DAYS_OF_GRACE));
    LocalDate day = LocalDate.ofInstant(before, ZoneOffset.UTC);
    return database.inTransaction(
        handle ->
            IntStream.of(
                    UploadStore.deleteExpired(handle, id, before, ROWS_AT_ONCE),
                    CommitFailureStore.deleteExpired(handle, id, before, ROWS_AT_ONCE),
                    TestDayStore.deleteExpired(handle, id, day, ROWS_AT_ONCE),
                    RepositoryDayStore.deleteExpired(handle, id, day),
                    RecentFailureStore.deleteExpired(handle, id, now, ROWS_AT_ONCE),
                    StatusChangeStore.deleteExpired(handle, id, before, ROWS_AT_ONCE),
                    FeedStore.deleteExpired(handle, id, ROWS_AT_ONCE))
                .max()
                .orElse(0));
  }
}
