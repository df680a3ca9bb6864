package dev.mainstay.server.queue;

import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.server.platform.Database;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * The one door into a queue. Requests wait for the same queue at one {@link Desk}, which is there
 * for as long as somebody does.
 */
final class QueueRunner {
  private final Database database;
  private final Clock clock;
  private final Runnable onWork;
  private final KnownQueues known = new KnownQueues();
  private final Map<Long, Desk> desks = new HashMap<>();

  /** {@code onWork} is told when there is something to do. */
  QueueRunner(Database database, Clock clock, Runnable onWork) {
    this.database = database;
    this.clock = clock;
    this.onWork = onWork;
  }

  /** Empty where there is no such queue any more. */
  Optional<Request.Accepted> accept(long queueId, QueueEvent event) {
    return accept(queueId, Request.of(event));
  }

  Optional<Request.Accepted> accept(QueueName name, Request request) {
    return database
        .query(handle -> QueueStore.find(handle, name))
        .flatMap(row -> accept(row.id(), request));
  }

  /** Empty where there is no such queue any more. What the request throws is thrown on. */
  Optional<Request.Accepted> accept(long queueId, Request request) {
    var waiting = new Plan.Waiting(request, new CompletableFuture<>());
    synchronized (desks) {
      desks.computeIfAbsent(queueId, this::open).add(waiting);
    }
    try {
      return waiting.answer().join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw e;
    }
  }

  private Desk open(long queueId) {
    var desk = new Desk(queueId, database, clock, known, onWork, this::close);
    Thread.ofVirtual().name("queue-" + queueId).start(desk::work);
    return desk;
  }

  /** Whether nobody waits, so that the desk is closed; the next one opens another. */
  private boolean close(Desk desk) {
    synchronized (desks) {
      return desk.isEmpty() && desks.values().remove(desk);
    }
  }

  /** The queue as it is now. */
  Optional<OpenQueue> find(QueueName name) {
    Optional<OpenQueue> found =
        database.query(handle -> QueueStore.find(handle, name)).flatMap(this::current);
    known.name(name, found.map(OpenQueue::id));
    return found;
  }

  /** The queue as this node saw it last; it may have changed since, or be gone. */
  Optional<OpenQueue> lastSeen(QueueName name) {
    return known.find(name);
  }

  Optional<OpenQueue> current(QueueStore.Row row) {
    Optional<OpenQueue> kept = known.since(row);
    if (kept.isPresent()) {
      return kept;
    }
    Optional<OpenQueue> loaded =
        database.inTransaction(
            handle -> QueueStore.lockShared(handle, row.id()).map(r -> QueueStore.load(handle, r)));
    loaded.ifPresent(known::keep);
    return loaded;
  }
}
