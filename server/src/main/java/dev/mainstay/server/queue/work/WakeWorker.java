package dev.mainstay.server.queue.work;

import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.queue.run.Proposal;
import dev.mainstay.server.queue.run.QueueRunner;
import dev.mainstay.server.queue.store.QueueStore;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Wakes queues that asked for it. Woken by two nodes, a queue hears only the first. */
public final class WakeWorker {
  private static final Logger log = LoggerFactory.getLogger("queue");
  private static final Duration REST = Duration.ofMinutes(1);
  private static final int MOST_AT_ONCE = 100;

  private final Database database;
  private final Clock clock;
  private final QueueRunner runner;

  public WakeWorker(Database database, Clock clock, QueueRunner runner) {
    this.database = database;
    this.clock = clock;
    this.runner = runner;
  }

  public void round() {
    List<Long> due;
    do {
      due = database.query(handle -> QueueStore.due(handle, clock.instant(), MOST_AT_ONCE));
      due.forEach(this::wake);
    } while (due.size() == MOST_AT_ONCE);
  }

  /** Results that a run waits for may have come: this is the last look before it is given up. */
  private List<QueueEvent> events(long queueId) {
    var events = new ArrayList<QueueEvent>();
    runner.find(queueId).map(runner.evidence()::awaited).ifPresent(events::addAll);
    events.add(new QueueEvent.TimePassed());
    return events;
  }

  private void wake(long queueId) {
    try {
      List<QueueEvent> events = events(queueId);
      runner.accept(
          queueId,
          Proposal.of(
              state ->
                  state.wakeAt().filter(at -> !at.isAfter(clock.instant())).isPresent()
                      ? events
                      : List.of()));
    } catch (Database.Unavailable e) {
      throw e;
    } catch (RuntimeException e) {
      Instant later = clock.instant().plus(REST);
      log.error("queue {} could not be woken and rests until {}", queueId, later, e);
      database.useTransaction(handle -> QueueStore.wakeLater(handle, queueId, later));
    }
  }
}
