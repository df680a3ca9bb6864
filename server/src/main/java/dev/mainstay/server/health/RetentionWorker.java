package dev.mainstay.server.health;

import dev.mainstay.server.health.ingest.BundleStore;
import dev.mainstay.server.health.judge.MonitorStore;
import dev.mainstay.server.health.judge.StatusChangeStore;
import dev.mainstay.server.health.list.KeptListStore;
import dev.mainstay.server.health.result.CommitFailureStore;
import dev.mainstay.server.health.result.FeedStore;
import dev.mainstay.server.health.result.FeedStore.Unfolded;
import dev.mainstay.server.health.result.PartitionStore;
import dev.mainstay.server.health.result.RecentFailureStore;
import dev.mainstay.server.health.result.RepositoryDayStore;
import dev.mainstay.server.health.result.TestDayStore;
import dev.mainstay.server.health.result.UploadStore;
import dev.mainstay.server.platform.Database;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes partitions ahead of their days, drops those whose time is over, and folds the counts of
 * hours that have passed into those of days.
 */
public final class RetentionWorker {
  private static final Logger log = LoggerFactory.getLogger("results");
  private static final Duration BUNDLES_KEPT = Duration.ofDays(2);
  private static final Duration LISTS_KEPT = Duration.ofDays(1);
  private static final int ROWS_AT_ONCE = 20_000;

  /** Deletes some rows whose time is over; returns how many. */
  private interface Deletion {
    int delete(Handle handle, Instant now, int most);
  }

  private static final List<Deletion> DELETIONS =
      List.of(
          UploadStore::deleteExpired,
          CommitFailureStore::deleteExpired,
          TestDayStore::deleteExpired,
          RepositoryDayStore::deleteExpired,
          RecentFailureStore::deleteExpired,
          StatusChangeStore::deleteExpired,
          (handle, now, most) -> FeedStore.deleteExpired(handle, most));

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
    fold();
    while (deleteSome() == ROWS_AT_ONCE && !isClosing.getAsBoolean()) {}
  }

  private void fold() {
    Instant hour = clock.instant().truncatedTo(ChronoUnit.HOURS);
    for (Unfolded one : database.query(handle -> FeedStore.unfolded(handle, hour))) {
      database.useTransaction(
          handle -> {
            if (TestDayStore.lock(handle, one.repositoryId())) {
              fold(handle, one, hour);
            }
          });
    }
  }

  private static void fold(Handle handle, Unfolded one, Instant until) {
    Instant from = one.from();
    while (from.isBefore(until)) {
      Instant nextDay = from.truncatedTo(ChronoUnit.DAYS).plus(1, ChronoUnit.DAYS);
      Instant to = nextDay.isBefore(until) ? nextDay : until;
      TestDayStore.fold(
          handle, one.repositoryId(), LocalDate.ofInstant(from, ZoneOffset.UTC), from, to);
      from = to;
    }
    FeedStore.folded(handle, one.repositoryId(), until, one.stamp());
  }

  private int deleteSome() {
    Instant now = clock.instant();
    int most = 0;
    for (Deletion deletion : DELETIONS) {
      most = Math.max(most, database.inTransaction(h -> deletion.delete(h, now, ROWS_AT_ONCE)));
    }
    return most;
  }
}
