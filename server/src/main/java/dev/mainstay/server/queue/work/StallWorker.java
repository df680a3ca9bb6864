package dev.mainstay.server.queue.work;

import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.QueueSettings;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.server.connection.ConnectionStore;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.queue.run.QueueRunner;
import dev.mainstay.server.queue.store.ActionStore;
import dev.mainstay.server.queue.store.OpenQueue;
import dev.mainstay.server.queue.store.QueueHealthStore;
import dev.mainstay.server.queue.store.QueueStore;
import dev.mainstay.server.queue.store.TestCommandStore;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds queues in which nothing has moved for longer than their own history explains: for twice the
 * time within which 95 of 100 of the last tests ended, and never less than some minutes. Several
 * nodes may find the same: the queue hears only the first.
 */
public final class StallWorker {
  private static final Logger log = LoggerFactory.getLogger("queue");
  private static final Duration LEAST = Duration.ofMinutes(10);
  private static final Duration WITHOUT_HISTORY = Duration.ofMinutes(30);
  private static final int LAST_TESTS = 100;
  private static final int FEWEST_TESTS = 5;
  private static final int MOST_AT_ONCE = 500;

  private final Database database;
  private final Clock clock;
  private final QueueRunner runner;

  public StallWorker(Database database, Clock clock, QueueRunner runner) {
    this.database = database;
    this.clock = clock;
    this.runner = runner;
  }

  public void round() {
    Instant since = clock.instant().minus(LEAST);
    List<QueueStore.Row> idle;
    long last = 0;
    do {
      long after = last;
      idle = database.query(handle -> QueueStore.idle(handle, after, since, MOST_AT_ONCE));
      for (QueueStore.Row row : idle) {
        last = row.id();
        runner.current(row).ifPresent(this::look);
      }
    } while (idle.size() == MOST_AT_ONCE);
  }

  private void look(OpenQueue queue) {
    QueueState state = queue.state();
    Optional<Instant> since = state.idleSince();
    if (since.isPresent()
        && state.progress().stall().isEmpty()
        && !since.get().isAfter(clock.instant().minus(LEAST))) {
      look(queue, since.get());
    }
  }

  private void look(OpenQueue queue, Instant since) {
    Optional<Duration> usual =
        database.query(
            handle -> QueueHealthStore.usualTest(handle, queue.id(), LAST_TESTS, FEWEST_TESTS));
    if (since.isAfter(clock.instant().minus(patience(queue.state().settings(), usual)))) {
      return;
    }
    var stall = StallCause.of(queue.state(), since, database.query(h -> around(h, queue, usual)));
    runner
        .accept(queue.id(), new QueueEvent.Stalled(stall))
        .filter(accepted -> accepted.after().state().progress().stall().equals(Optional.of(stall)))
        .ifPresent(
            told -> log.warn("queue {} stalls since {}: {}", queue.id(), since, stall.sentence()));
  }

  private static StallCause.Around around(
      Handle handle, OpenQueue queue, Optional<Duration> usual) {
    Optional<String> fault = ActionStore.fault(handle, queue.id());
    return new StallCause.Around(
        fault.or(
            () ->
                ConnectionStore.find(handle, queue.repositoryId())
                    .flatMap(ConnectionStore.Row::fault)),
        TestCommandStore.taken(handle, queue.id()),
        usual);
  }

  /** A batch that is filled may be waited for. */
  private static Duration patience(QueueSettings settings, Optional<Duration> usual) {
    Duration own = usual.map(u -> u.multipliedBy(2)).orElse(WITHOUT_HISTORY);
    Duration filling =
        settings.batch() ? LEAST.plusMinutes(settings.batchingMaxWaitTimeMinutes()) : Duration.ZERO;
    return own.compareTo(filling) > 0 ? own : filling;
  }
}
