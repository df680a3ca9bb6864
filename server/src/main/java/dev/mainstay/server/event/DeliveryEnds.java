package dev.mainstay.server.event;

import dev.mainstay.server.platform.Convoy;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.DiskFull;
import dev.mainstay.server.platform.FactStore;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What became of deliveries, until it is written: the attempt, the health of the endpoint, and that
 * the delivery is done or when it is tried again. Whatever has come together is one transaction,
 * which locks endpoints before deliveries, as whoever deletes an endpoint does.
 */
final class DeliveryEnds {
  private static final Logger log = LoggerFactory.getLogger("events");
  private static final int GONE = 410;

  private final Database database;
  private final Clock clock;
  private final Queue<End> ended = new ConcurrentLinkedQueue<>();
  private final Deque<End> unwritten = new ArrayDeque<>();

  private sealed interface End {
    DeliveryStore.Taken taken();
  }

  private record Tried(DeliveryStore.Taken taken, Endpoint endpoint, Sender.Sent sent)
      implements End {}

  private record Forgotten(DeliveryStore.Taken taken) implements End {}

  private record BrokenOff(DeliveryStore.Taken taken) implements End {}

  DeliveryEnds(Database database, Clock clock) {
    this.database = database;
    this.clock = clock;
  }

  void tried(DeliveryStore.Taken taken, Endpoint endpoint, Sender.Sent sent) {
    ended.add(new Tried(taken, endpoint, sent));
  }

  /** The event is not kept any more. */
  void forgotten(DeliveryStore.Taken taken) {
    ended.add(new Forgotten(taken));
  }

  /** This node itself ended the attempt: it does not count. */
  void brokenOff(DeliveryStore.Taken taken) {
    ended.add(new BrokenOff(taken));
  }

  /**
   * Writes what has come to its end, and says of which deliveries; only one thread does that at a
   * time. Where it fails for now, all is written the next time; what cannot be written at all is
   * left to its lease.
   */
  void write(Consumer<DeliveryStore.Taken> onWritten) {
    while (!ended.isEmpty()) {
      unwritten.add(ended.remove());
    }
    if (unwritten.isEmpty()) {
      return;
    }
    try {
      List<End> all = List.copyOf(unwritten);
      save(all);
      unwritten.clear();
      all.forEach(end -> onWritten.accept(end.taken()));
    } catch (Database.Unavailable | Database.Busy | DiskFull e) {
      throw e;
    } catch (RuntimeException e) {
      log.warn("{} deliveries are written one by one", unwritten.size(), e);
      writeEach(onWritten);
    }
  }

  private void writeEach(Consumer<DeliveryStore.Taken> onWritten) {
    while (!unwritten.isEmpty()) {
      End end = unwritten.element();
      try {
        save(List.of(end));
      } catch (Database.Unavailable | Database.Busy | DiskFull e) {
        throw e;
      } catch (RuntimeException e) {
        log.error("event {} is delivered again", end.taken().number(), e);
      }
      unwritten.remove();
      onWritten.accept(end.taken());
    }
  }

  private void save(List<End> all) {
    database.inForgettableTransaction(
        handle -> {
          save(handle, all, clock.instant());
          return true;
        });
  }

  private static void save(Handle handle, List<End> all, Instant now) {
    var attempts = new ArrayList<AttemptStore.Made>();
    var failures = new ArrayList<Failure>();
    var done = new ArrayList<DeliveryStore.Taken>();
    var again = new ArrayList<DeliveryStore.Again>();
    var brokenOff = new ArrayList<DeliveryStore.Taken>();
    for (End end : all) {
      switch (end) {
        case Tried tried when tried.sent().delivered() -> {
          attempts.add(new AttemptStore.Made(tried.taken().webhook(), tried.sent().attempt()));
          done.add(tried.taken());
        }
        case Tried tried -> {
          Failure failure = Failure.of(tried, now);
          attempts.add(new AttemptStore.Made(tried.taken().webhook(), failure.attempt()));
          failures.add(failure);
          failure
              .next()
              .ifPresentOrElse(
                  at -> again.add(new DeliveryStore.Again(tried.taken(), at)),
                  () -> done.add(tried.taken()));
        }
        case Forgotten forgotten -> done.add(forgotten.taken());
        case BrokenOff broken -> brokenOff.add(broken.taken());
      }
    }
    var convoy = new Convoy();
    AttemptStore.insert(convoy, attempts);
    EndpointStore.succeeded(
        convoy,
        attempts.stream()
            .filter(made -> made.attempt().outcome() == Attempt.Outcome.DELIVERED)
            .map(AttemptStore.Made::webhook)
            .distinct()
            .toList());
    convoy.send(handle);
    failures.stream()
        .sorted(Comparator.comparing(failure -> failure.endpoint().id()))
        .forEach(failure -> failure.save(handle, now));
    var last = new Convoy();
    DeliveryStore.done(last, done, now);
    DeliveryStore.again(last, again, now);
    DeliveryStore.giveBack(last, brokenOff, now);
    last.send(handle);
  }

  /** An attempt that failed, and when there is another one. */
  private record Failure(
      Endpoint endpoint, Attempt attempt, Optional<Instant> pause, Optional<Instant> next) {

    static Failure of(Tried tried, Instant now) {
      Sender.Sent sent = tried.sent();
      int status = sent.attempt().status().orElse(0);
      Optional<Instant> pause =
          Retries.slowsDown(status) || sent.asked().isPresent()
              ? Optional.of(
                  now.plus(Retries.pause(tried.endpoint().health().failures(), sent.asked())))
              : Optional.empty();
      Optional<Instant> next =
          status == GONE
              ? Optional.empty()
              : Retries.next(tried.taken().attempt(), now, RandomGenerator.getDefault())
                  .map(at -> pause.filter(at::isBefore).orElse(at));
      return new Failure(tried.endpoint(), sent.attempt().withNext(next), pause, next);
    }

    /** The health of the endpoint. */
    void save(Handle handle, Instant now) {
      Optional<Instant> since = EndpointStore.failed(handle, endpoint.id(), now, pause);
      if (attempt.status().filter(status -> status == GONE).isPresent()) {
        switchOff(handle, now, "The endpoint answered 410: it is gone.");
      } else if (since.filter(s -> s.isBefore(now.minus(Retries.PATIENCE))).isPresent()) {
        switchOff(handle, now, "Nothing but failures came for five days.");
      }
    }

    private void switchOff(Handle handle, Instant now, String reason) {
      if (EndpointStore.switchOff(handle, endpoint.id(), now, reason)) {
        log.warn(
            "the endpoint {} of organization {} is switched off: {}",
            endpoint.id(),
            endpoint.organizationId(),
            reason);
        tellOthers(handle, now, reason);
      }
    }

    private void tellOthers(Handle handle, Instant now, String reason) {
      long organization = endpoint.organizationId();
      String slug = EventStore.organization(handle, organization);
      Event event = endpoint.event(slug, FactStore.nextNumber(handle), EventKind.SWITCHED_OFF, now);
      event.data().putObject("reason").put("code", "switched_off").put("message", reason);
      EventStore.insert(handle, List.of(event), now);
      DeliveryStore.insert(handle, organization, List.of(event.number()), now);
    }
  }
}
