package dev.mainstay.server.queue.work;

import dev.mainstay.server.platform.Database;
import dev.mainstay.server.queue.store.AskedStore;
import dev.mainstay.server.queue.store.EventStore;
import dev.mainstay.server.queue.store.ExpiredStore;
import dev.mainstay.server.queue.store.HeadStatusStore;
import dev.mainstay.server.queue.store.OpenQueue;
import dev.mainstay.server.queue.store.QueueStore;
import dev.mainstay.server.queue.store.TargetSetStore;
import dev.mainstay.server.queue.store.TargetStore;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jdbi.v3.core.Handle;

/**
 * Keeps the tables of queues within bounds. Now and then the whole state goes into a queue's log,
 * so that old events can go and the rest can still be played. Targets and statuses that were told
 * of a head go after a while, so does what people asked for, lists of targets when nothing names
 * them; pull requests that ended, test runs, and a deleted queue with its history when the
 * organization's retention is over.
 */
public final class TidyWorker {
  private static final Duration LOG_KEPT = Duration.ofDays(90);
  private static final Duration STATE_EVERY = Duration.ofDays(30);
  private static final Duration TARGETS_KEPT = Duration.ofDays(14);
  private static final int ROWS_AT_ONCE = 20_000;

  /** Pull requests and runs have more rows than their own. */
  private static final int ENDED_AT_ONCE = 1_000;

  private static final List<Deletion> DELETIONS =
      List.of(
          new Deletion(
              ROWS_AT_ONCE,
              (h, now, most) -> EventStore.deleteBefore(h, now.minus(LOG_KEPT), most)),
          new Deletion(
              ROWS_AT_ONCE,
              (h, now, most) -> TargetStore.deleteBefore(h, now.minus(TARGETS_KEPT), most)),
          new Deletion(
              ROWS_AT_ONCE,
              (h, now, most) -> HeadStatusStore.deleteBefore(h, now.minus(TARGETS_KEPT), most)),
          new Deletion(
              ROWS_AT_ONCE,
              (h, now, most) -> AskedStore.deleteBefore(h, now.minus(LOG_KEPT), most)),
          new Deletion(ENDED_AT_ONCE, ExpiredStore::deletePullRequests),
          new Deletion(ENDED_AT_ONCE, ExpiredStore::deleteRuns));

  /** Deletes what is too old, some at a time. */
  private record Deletion(int most, Statement statement) {
    interface Statement {
      int delete(Handle handle, Instant now, int most);
    }

    int delete(Handle handle, Instant now) {
      return statement.delete(handle, now, most);
    }
  }

  private final Database database;
  private final Clock clock;

  public TidyWorker(Database database, Clock clock) {
    this.database = database;
    this.clock = clock;
  }

  public void round() {
    round(() -> false);
  }

  /** One round; it ends early where the node is closing. */
  public void round(BooleanSupplier isClosing) {
    Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
    database
        .query(handle -> EventStore.withoutState(handle, now.minus(STATE_EVERY)))
        .forEach(queue -> writeState(queue, now));
    for (var deletion : DELETIONS) {
      while (database.inTransaction(h -> deletion.delete(h, now)) == deletion.most()
          && !isClosing.getAsBoolean()) {}
    }
    database.useTransaction(handle -> QueueStore.forget(handle, now));
    Instant unused = now.minus(LOG_KEPT).minus(STATE_EVERY);
    database
        .query(handle -> TargetSetStore.withUnused(handle, unused))
        .forEach(queue -> deleteSets(queue, unused, now));
  }

  /** Logs the whole state under a version of its own, since that is a place in the log. */
  private void writeState(long queueId, Instant now) {
    database.useTransaction(
        handle ->
            QueueStore.lock(handle, queueId)
                .map(row -> QueueStore.load(handle, row))
                .ifPresent(
                    queue -> {
                      OpenQueue next = queue.nextVersion();
                      if (QueueStore.save(handle, queue, next).isEmpty()) {
                        throw new IllegalStateException(
                            "queue " + queueId + " has changed under its lock");
                      }
                      EventStore.state(handle, queueId, next.version(), next.state(), now);
                    }));
  }

  private void deleteSets(long queueId, Instant unused, Instant now) {
    database.useTransaction(
        handle -> {
          if (QueueStore.lock(handle, queueId).isPresent()) {
            TargetSetStore.deleteUnused(handle, queueId, unused, now);
          }
        });
  }
}
