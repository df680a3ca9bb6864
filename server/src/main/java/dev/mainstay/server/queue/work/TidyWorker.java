package dev.mainstay.server.queue.work;

import dev.mainstay.server.platform.Database;
import dev.mainstay.server.queue.store.EventStore;
import dev.mainstay.server.queue.store.HeadStatusStore;
import dev.mainstay.server.queue.store.OpenQueue;
import dev.mainstay.server.queue.store.QueueStore;
import dev.mainstay.server.queue.store.TargetSetStore;
import dev.mainstay.server.queue.store.TargetStore;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.ToIntFunction;
import org.jdbi.v3.core.Handle;

/**
 * Keeps the tables of queues within bounds. Now and then the whole state goes into a queue's log,
 * so that old events can go and the rest can still be played. Targets and statuses that were told
 * of a head go after a while, lists of targets when nothing names them, and a deleted queue with
 * its history when the organization's retention is over.
 */
public final class TidyWorker {
  private static final Duration LOG_KEPT = Duration.ofDays(90);
  private static final Duration STATE_EVERY = Duration.ofDays(30);
  private static final Duration TARGETS_KEPT = Duration.ofDays(14);
  private static final int ROWS_AT_ONCE = 20_000;

  private final Database database;
  private final Clock clock;

  public TidyWorker(Database database, Clock clock) {
    this.database = database;
    this.clock = clock;
  }

  public void round() {
    Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
    database
        .query(handle -> EventStore.withoutState(handle, now.minus(STATE_EVERY)))
        .forEach(queue -> writeState(queue, now));
    repeat(handle -> EventStore.deleteBefore(handle, now.minus(LOG_KEPT), ROWS_AT_ONCE));
    repeat(handle -> TargetStore.deleteBefore(handle, now.minus(TARGETS_KEPT), ROWS_AT_ONCE));
    repeat(handle -> HeadStatusStore.deleteBefore(handle, now.minus(TARGETS_KEPT), ROWS_AT_ONCE));
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
                      if (!QueueStore.save(handle, queue, next)) {
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

  private void repeat(ToIntFunction<Handle> deletion) {
    int deleted;
    do {
      deleted = database.inTransaction(deletion::applyAsInt);
    } while (deleted == ROWS_AT_ONCE);
  }
}
