package dev.mainstay.server.queue.run;

import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.LastWords;
import dev.mainstay.server.queue.run.PlannedWrite.Waiting;
import dev.mainstay.server.queue.store.OpenQueue;
import dev.mainstay.server.queue.store.QueueStore;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.function.Predicate;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A queue's writer: takes one queue from event to event, and saves state, log, history and actions.
 * While a transaction is written, proposals that come are planned on top of the state it leads to,
 * and share the next one. A plan is written only where the queue is what it was planned from; where
 * another node was faster, or the transaction before failed, it is made anew under a lock.
 */
final class QueueWriter {
  private static final Logger log = LoggerFactory.getLogger("queue");
  private static final int MOST_AT_ONCE = 100;

  /** Threads of the system: a virtual one would be told of each answer by yet another thread. */
  private static final Executor WRITERS =
      Executors.newCachedThreadPool(Thread.ofPlatform().daemon().name("queue-writer").factory());

  private final long queueId;
  private final Database database;
  private final Clock clock;
  private final KnownQueues known;
  private final Runnable onWork;
  private final Predicate<QueueWriter> close;

  /** Proposals that wait; an empty one says that a transaction has ended. */
  private final Queue<Optional<Waiting>> mail = new ConcurrentLinkedQueue<>();

  private final Semaphore mails = new Semaphore(0);

  private final List<Waiting> batch = new ArrayList<>();
  private Optional<PlannedWrite> plan = Optional.empty();
  private CompletableFuture<Boolean> written = CompletableFuture.completedFuture(true);

  /** The queue that the transaction being written leads to, if all goes well. */
  private Optional<OpenQueue> next = Optional.empty();

  QueueWriter(
      long queueId,
      Database database,
      Clock clock,
      KnownQueues known,
      Runnable onWork,
      Predicate<QueueWriter> close) {
    this.queueId = queueId;
    this.database = database;
    this.clock = clock;
    this.known = known;
    this.onWork = onWork;
    this.close = close;
  }

  void add(Waiting waiting) {
    post(Optional.of(waiting));
  }

  private void post(Optional<Waiting> one) {
    mail.add(one);
    mails.release();
  }

  boolean isEmpty() {
    return mail.isEmpty();
  }

  /** Works until no proposal waits. */
  void work() {
    while (true) {
      boolean full = batch.size() == MOST_AT_ONCE;
      if (full) {
        written.join();
      }
      if (!written.isDone() || (!full && !mail.isEmpty())) {
        mails.acquireUninterruptibly();
        mail.remove().ifPresent(this::take);
      } else if (!batch.isEmpty()) {
        write();
      } else if (close.test(this)) {
        return;
      }
    }
  }

  private void take(Waiting waiting) {
    batch.add(waiting);
    if (batch.size() == 1) {
      Optional<OpenQueue> base = written.isDone() ? known.find(queueId) : next;
      plan = base.map(queue -> new PlannedWrite(queue, now()));
    }
    plan.ifPresent(p -> p.add(waiting));
  }

  /**
   * The time to the microsecond, as the database keeps it: played again, all times are the same.
   */
  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MICROS);
  }

  /** Begins to write the batch; the transaction before has ended. */
  private void write() {
    List<Waiting> together = List.copyOf(batch);
    Optional<PlannedWrite> planned =
        plan.filter(this::isSound)
            .or(() -> known.find(queueId).map(queue -> PlannedWrite.of(queue, now(), together)));
    batch.clear();
    plan = Optional.empty();
    next = planned.map(PlannedWrite::after);
    var done = new CompletableFuture<Boolean>();
    written = done;
    Runnable work =
        () -> {
          try {
            write(planned, together);
          } finally {
            done.complete(true);
            post(Optional.empty());
          }
        };
    try {
      WRITERS.execute(work);
    } catch (RuntimeException | Error noThread) {
      work.run();
    }
  }

  /**
   * True where the queue that the write was planned from was committed: that very state, not
   * another of its version.
   */
  @SuppressWarnings("ReferenceEquality")
  private boolean isSound(PlannedWrite planned) {
    return known.find(queueId).filter(queue -> queue == planned.base()).isPresent();
  }

  /** Writes a batch; where a proposal breaks the transaction, each proposal has one of its own. */
  private void write(Optional<PlannedWrite> planned, List<Waiting> together) {
    Optional<PlannedWrite> committed;
    try {
      committed = commit(planned, together);
    } catch (RuntimeException | Error fault) {
      LastWords.ifFatal(fault);
      known.forget(queueId);
      if (together.size() == 1) {
        together.getFirst().answer().completeExceptionally(fault);
      } else {
        together.forEach(one -> write(Optional.empty(), List.of(one)));
      }
      return;
    }
    committed.ifPresentOrElse(
        this::tell, () -> together.forEach(waiting -> waiting.answer().complete(Optional.empty())));
  }

  /** Tells of what is committed: whatever goes wrong in here, it is not written again. */
  private void tell(PlannedWrite committed) {
    committed.tell();
    if (committed.asksForWork()) {
      try {
        onWork.run();
      } catch (RuntimeException e) {
        log.error("workers were not told of queue {}; they look by themselves", queueId, e);
      }
    }
  }

  /** Empty where the queue is gone. */
  private Optional<PlannedWrite> commit(Optional<PlannedWrite> planned, List<Waiting> together) {
    Optional<PlannedWrite> committed =
        database.inTransaction(
            handle -> planned.filter(p -> p.write(handle)).or(() -> writeAnew(handle, together)));
    committed.ifPresentOrElse(write -> known.keep(write.after()), () -> known.forget(queueId));
    return committed;
  }

  /** Plans and writes from the queue as it is, under its lock; empty where it is gone. */
  private Optional<PlannedWrite> writeAnew(Handle handle, List<Waiting> together) {
    Optional<QueueStore.Row> row = QueueStore.lock(handle, queueId);
    Optional<PlannedWrite> anew =
        row.map(r -> known.since(r).orElseGet(() -> QueueStore.load(handle, r)))
            .map(queue -> PlannedWrite.of(queue, now(), together));
    if (anew.isPresent() && !anew.get().write(handle)) {
      throw new IllegalStateException("queue " + queueId + " has changed under its lock");
    }
    return anew;
  }
}
