package dev.mainstay.server.queue.run;

import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.queue.store.OpenQueue;
import dev.mainstay.server.queue.store.QueueName;
import dev.mainstay.server.queue.store.QueueStore;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;

/**
 * The one door into queues. Proposals to one queue wait at one {@link QueueWriter}, which is there
 * for as long as one waits.
 */
public final class QueueRunner {
  /** Threads of the system: a virtual one would wait for its turn behind all who wait for it. */
  private static final Executor PLANNERS =
      Executors.newCachedThreadPool(Thread.ofPlatform().daemon().name("queue").factory());

  private final Database database;
  private final Clock clock;
  private final Runnable onWork;
  private final Evidence evidence;
  private final KnownQueues known = new KnownQueues();
  private final Map<Long, QueueWriter> writers = new HashMap<>();

  /**
   * {@code onWork} runs when a queue has asked for actions; {@code health} is asked of the results
   * of runs.
   */
  public QueueRunner(Database database, Clock clock, Runnable onWork, Evidence.Source health) {
    this.database = database;
    this.clock = clock;
    this.onWork = onWork;
    this.evidence = new Evidence(health, clock);
  }

  /** Empty where there is no such queue any more. */
  public Optional<Proposal.Accepted> accept(long queueId, QueueEvent event) {
    return accept(queueId, Proposal.of(event));
  }

  public Optional<Proposal.Accepted> accept(QueueName name, Proposal proposal) {
    return known
        .find(name)
        .flatMap(queue -> accept(queue.id(), proposal))
        .or(() -> find(name).flatMap(queue -> accept(queue.id(), proposal)));
  }

  /** Empty where there is no such queue any more. An exception of the proposal is thrown on. */
  public Optional<Proposal.Accepted> accept(long queueId, Proposal proposal) {
    var waiting = new PlannedWrite.Waiting(proposal, new CompletableFuture<>());
    synchronized (writers) {
      writers.computeIfAbsent(queueId, this::open).add(waiting);
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

  private QueueWriter open(long queueId) {
    var writer = new QueueWriter(queueId, database, clock, known, onWork, this::close);
    PLANNERS.execute(writer::work);
    return writer;
  }

  /** Closes a writer at which no proposal waits, and says so; the next proposal opens another. */
  private boolean close(QueueWriter writer) {
    synchronized (writers) {
      return writer.isEmpty() && writers.values().remove(writer);
    }
  }

  /** What test health knows of runs that failed. */
  public Evidence evidence() {
    return evidence;
  }

  /** The queue as it is now. */
  public Optional<OpenQueue> find(long queueId) {
    return database.query(handle -> QueueStore.find(handle, queueId)).flatMap(this::current);
  }

  /** The queue as it is now. */
  public Optional<OpenQueue> find(QueueName name) {
    Optional<OpenQueue> found =
        database.query(handle -> QueueStore.find(handle, name)).flatMap(this::current);
    known.name(name, found.map(OpenQueue::id));
    return found;
  }

  /** The queue as this node saw it last; it may have changed since, or be gone. */
  public Optional<OpenQueue> lastSeen(QueueName name) {
    return known.find(name);
  }

  /** The same, by the queue's number. */
  public Optional<OpenQueue> lastSeen(long queueId) {
    return known.find(queueId);
  }

  /** All queues as this node saw them last. */
  public List<OpenQueue> known() {
    return known.all();
  }

  public Optional<OpenQueue> current(QueueStore.Row row) {
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
