package dev.mainstay.server.queue;

import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.server.platform.Database;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one door into a queue. A transaction locks the queue's row, lets the engine take it from
 * event to event, and saves state, log, history and what is to be done. Requests that wait for the
 * same queue on this node share a transaction. States are kept in memory and believed only where
 * the locked row has the same version.
 */
final class QueueRunner {
  private static final Logger log = LoggerFactory.getLogger("queue");
  private static final int MOST_AT_ONCE = 100;
  private static final int MOST_QUEUES_KEPT = 1_000;

  private final Database database;
  private final Clock clock;
  private final Runnable onWork;
  private final Map<Long, Mailbox> mailboxes = new HashMap<>();
  private final Map<Long, OpenQueue> known = new LinkedHashMap<>(16, 0.75f, true);
  private final Map<QueueName, Long> ids = new HashMap<>();

  /** {@code onWork} is told when there is something to do. */
  QueueRunner(Database database, Clock clock, Runnable onWork) {
    this.database = database;
    this.clock = clock;
    this.onWork = onWork;
  }

  private record Waiting(Request request, CompletableFuture<Optional<Request.Accepted>> answer) {}

  private static final class Mailbox {
    private final Deque<Waiting> waiting = new ArrayDeque<>();
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
    var waiting = new Waiting(request, new CompletableFuture<>());
    synchronized (mailboxes) {
      Mailbox mailbox = mailboxes.get(queueId);
      if (mailbox == null) {
        mailbox = new Mailbox();
        mailboxes.put(queueId, mailbox);
        Mailbox opened = mailbox;
        Thread.ofVirtual().name("queue-" + queueId).start(() -> empty(queueId, opened));
      }
      mailbox.waiting.add(waiting);
    }
    try {
      return waiting.answer.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw e;
    }
  }

  /** Whatever waits together is done together, until nobody waits. */
  private void empty(long queueId, Mailbox mailbox) {
    while (true) {
      var batch = new ArrayList<Waiting>();
      synchronized (mailboxes) {
        while (!mailbox.waiting.isEmpty() && batch.size() < MOST_AT_ONCE) {
          batch.add(mailbox.waiting.remove());
        }
        if (batch.isEmpty()) {
          mailboxes.remove(queueId);
          return;
        }
      }
      runTogether(queueId, batch);
    }
  }

  /** One that breaks the transaction must not take the others with it. */
  private void runTogether(long queueId, List<Waiting> batch) {
    try {
      run(queueId, batch);
    } catch (RuntimeException | Error together) {
      forget(queueId);
      if (batch.size() == 1) {
        batch.getFirst().answer.completeExceptionally(together);
        return;
      }
      for (Waiting one : batch) {
        runTogether(queueId, List.of(one));
      }
    }
  }

  private record Answer(
      Waiting to, Optional<Request.Accepted> accepted, Optional<RuntimeException> fault) {}

  private void run(long queueId, List<Waiting> batch) {
    var answers = new ArrayList<Answer>();
    Optional<Bookkeeping> books =
        database.inTransaction(
            handle -> {
              answers.clear();
              Optional<QueueStore.Row> row = QueueStore.lock(handle, queueId);
              if (row.isEmpty()) {
                return Optional.empty();
              }
              OpenQueue queue =
                  known(row.get()).orElseGet(() -> QueueStore.load(handle, row.get()));
              var book = new Bookkeeping(queue, now());
              batch.forEach(waiting -> answers.add(accept(queueId, book, waiting)));
              book.save(handle);
              answers.stream()
                  .filter(a -> a.fault().isEmpty())
                  .forEach(a -> a.to().request().also().accept(handle));
              return Optional.of(book);
            });
    books.ifPresent(book -> keep(book.queue()));
    if (books.isEmpty()) {
      batch.forEach(waiting -> waiting.answer.complete(Optional.empty()));
      return;
    }
    OpenQueue last = books.get().queue();
    answers.forEach(answer -> tell(answer, last));
    if (books.get().asksForWork()) {
      onWork.run();
    }
  }

  private static void tell(Answer answer, OpenQueue last) {
    if (answer.fault().isPresent()) {
      answer.to().answer().completeExceptionally(answer.fault().get());
    } else {
      answer.to().request().then().run();
      answer.to().answer().complete(answer.accepted().map(a -> a.committedWith(last)));
    }
  }

  /** An event that the engine cannot stand is not recorded, and nobody else suffers from it. */
  private static Answer accept(long queueId, Bookkeeping book, Waiting waiting) {
    try {
      return new Answer(waiting, Optional.of(book.accept(waiting.request())), Optional.empty());
    } catch (IllegalArgumentException e) {
      return new Answer(waiting, Optional.empty(), Optional.of(e));
    } catch (RuntimeException e) {
      log.error("queue {} cannot take an event: its rules are broken", queueId, e);
      return new Answer(waiting, Optional.empty(), Optional.of(e));
    }
  }

  /** To the microsecond, as the database keeps it: played again, all times are the same. */
  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MICROS);
  }

  /** The queue as it is now. */
  Optional<OpenQueue> find(QueueName name) {
    Optional<OpenQueue> found =
        database.query(handle -> QueueStore.find(handle, name)).flatMap(this::current);
    synchronized (known) {
      found.ifPresentOrElse(q -> ids.put(name, q.id()), () -> ids.remove(name));
    }
    return found;
  }

  /** The queue as this node saw it last; it may have changed since, or be gone. */
  Optional<OpenQueue> lastSeen(QueueName name) {
    synchronized (known) {
      return Optional.ofNullable(ids.get(name)).flatMap(id -> Optional.ofNullable(known.get(id)));
    }
  }

  Optional<OpenQueue> current(QueueStore.Row row) {
    Optional<OpenQueue> kept = known(row);
    if (kept.isPresent()) {
      return kept;
    }
    Optional<OpenQueue> loaded =
        database.inTransaction(
            handle -> QueueStore.lockShared(handle, row.id()).map(r -> QueueStore.load(handle, r)));
    loaded.ifPresent(this::keep);
    return loaded;
  }

  private Optional<OpenQueue> known(QueueStore.Row row) {
    synchronized (known) {
      return Optional.ofNullable(known.get(row.id())).filter(q -> q.version() == row.version());
    }
  }

  private void keep(OpenQueue queue) {
    synchronized (known) {
      OpenQueue kept = known.get(queue.id());
      if (kept == null || kept.version() < queue.version()) {
        known.put(queue.id(), queue);
      }
      if (known.size() > MOST_QUEUES_KEPT) {
        forget(known.keySet().iterator().next());
      }
    }
  }

  private void forget(long queueId) {
    synchronized (known) {
      known.remove(queueId);
      ids.values().remove(queueId);
    }
  }
}
