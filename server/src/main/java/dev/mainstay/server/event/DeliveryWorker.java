package dev.mainstay.server.event;

import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.LastWords;
import dev.mainstay.server.platform.Vault;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes deliveries that are due and sends each on a thread of its own. An endpoint that failed last
 * has one in flight, others several; an organization has no more than its part of all.
 */
final class DeliveryWorker {
  private static final Logger log = LoggerFactory.getLogger("events");
  private static final Duration LEASE = Duration.ofSeconds(45);
  private static final Duration LAST_WAIT = Duration.ofSeconds(2);
  private static final int GONE = 410;
  static final int MOST = 512;
  static final int OF_ORGANIZATION = 128;
  static final int OF_ENDPOINT = 8;

  private final Database database;
  private final Clock clock;
  private final Vault vault;
  private final Sender sender;
  private final EventNumbers numbers;
  private final Supplier<Optional<Integer>> node;
  private final Map<DeliveryStore.Taken, Thread> inFlight = new ConcurrentHashMap<>();
  private volatile boolean closing;

  /** {@code node} is the number to take work under; empty while this node takes none. */
  DeliveryWorker(
      Database database,
      Clock clock,
      Vault vault,
      Sender sender,
      EventNumbers numbers,
      Supplier<Optional<Integer>> node) {
    this.database = database;
    this.clock = clock;
    this.vault = vault;
    this.sender = sender;
    this.numbers = numbers;
    this.node = node;
  }

  /** Begins what is due; {@code onRoom} runs whenever there is room again. */
  void round(Runnable onRoom) {
    int room = MOST - inFlight.size();
    if (room <= 0 || node.get().isEmpty()) {
      return;
    }
    int own = node.get().get();
    var busy = new HashMap<UUID, Integer>();
    var organizations = new HashMap<Long, Integer>();
    for (DeliveryStore.Taken taken : inFlight.keySet()) {
      busy.merge(taken.webhook(), 1, Integer::sum);
      organizations.merge(taken.organizationId(), 1, Integer::sum);
    }
    organizations.values().removeIf(count -> count < OF_ORGANIZATION);
    List<DeliveryStore.Taken> due =
        database.inForgettableTransaction(
            h ->
                DeliveryStore.take(
                    h,
                    own,
                    clock.instant(),
                    LEASE,
                    busy,
                    organizations.keySet(),
                    OF_ENDPOINT,
                    Math.min(room, OF_ORGANIZATION)));
    for (DeliveryStore.Taken taken : due) {
      begin(taken, onRoom);
    }
  }

  private void begin(DeliveryStore.Taken taken, Runnable onRoom) {
    Thread thread =
        Thread.ofVirtual()
            .name("event-" + taken.number())
            .unstarted(
                () -> {
                  try {
                    deliver(taken);
                  } catch (RuntimeException | Error e) {
                    LastWords.ifFatal(e);
                    log.warn("event {} is delivered later", taken.number(), e);
                  } finally {
                    inFlight.remove(taken);
                    onRoom.run();
                  }
                });
    inFlight.put(taken, thread);
    thread.start();
  }

  /** Waits a little for what is being sent, then gives the rest back: {@code breakOff} ends it. */
  void finish(Runnable breakOff) {
    closing = true;
    Instant until = Instant.now().plus(LAST_WAIT);
    inFlight.values().forEach(thread -> join(thread, Duration.between(Instant.now(), until)));
    breakOff.run();
    inFlight.values().forEach(thread -> join(thread, LAST_WAIT));
  }

  private static void join(Thread thread, Duration most) {
    try {
      thread.join(most.isPositive() ? most : Duration.ofMillis(1));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void deliver(DeliveryStore.Taken taken) {
    Optional<Endpoint> endpoint =
        database.query(h -> EndpointStore.find(h, vault, taken.webhook()));
    Optional<Event> event =
        database.query(h -> EventStore.find(h, taken.organizationId(), taken.number()));
    if (endpoint.isEmpty() || event.isEmpty()) {
      database.useTransaction(h -> DeliveryStore.done(h, taken));
      return;
    }
    Sender.Sent sent = sender.send(endpoint.get(), event.get(), taken.attempt());
    if (closing && !sent.delivered()) {
      database.useTransaction(h -> DeliveryStore.giveBack(h, taken, clock.instant()));
      return;
    }
    numbers.count(sent.attempt(), Duration.between(event.get().at(), clock.instant()));
    database.inForgettableTransaction(
        h -> {
          if (sent.delivered()) {
            delivered(h, taken, sent.attempt());
          } else {
            failed(h, taken, endpoint.get(), sent);
          }
          return true;
        });
  }

  private static void delivered(Handle handle, DeliveryStore.Taken taken, Attempt attempt) {
    AttemptStore.insert(handle, taken.webhook(), attempt);
    if (attempt.outcome() == Attempt.Outcome.DELIVERED) {
      EndpointStore.succeeded(handle, taken.webhook());
    }
    DeliveryStore.done(handle, taken);
  }

  private void failed(
      Handle handle, DeliveryStore.Taken taken, Endpoint endpoint, Sender.Sent sent) {
    Instant now = clock.instant();
    int status = sent.attempt().status().orElse(0);
    Optional<Instant> pause =
        Retries.slowsDown(status) || sent.asked().isPresent()
            ? Optional.of(now.plus(Retries.pause(endpoint.health().failures(), sent.asked())))
            : Optional.empty();
    Optional<Instant> next =
        status == GONE
            ? Optional.empty()
            : Retries.next(taken.attempt(), now, RandomGenerator.getDefault())
                .map(at -> pause.filter(at::isBefore).orElse(at));
    AttemptStore.insert(handle, taken.webhook(), next(sent.attempt(), next));
    Optional<Instant> since = EndpointStore.failed(handle, taken.webhook(), now, pause);
    if (next.isPresent()) {
      DeliveryStore.again(handle, taken, next.get());
    } else {
      DeliveryStore.done(handle, taken);
    }
    if (status == GONE) {
      switchOff(handle, endpoint, now, "The endpoint answered 410: it is gone.");
    } else if (since.filter(s -> s.isBefore(now.minus(Retries.PATIENCE))).isPresent()) {
      switchOff(handle, endpoint, now, "Nothing but failures came for five days.");
    }
  }

  private static void switchOff(Handle handle, Endpoint endpoint, Instant now, String reason) {
    EndpointStore.switchOff(handle, endpoint.id(), now, reason);
    log.warn(
        "the endpoint {} of organization {} is switched off: {}",
        endpoint.id(),
        endpoint.organizationId(),
        reason);
  }

  private static Attempt next(Attempt a, Optional<Instant> at) {
    return new Attempt(
        a.id(),
        a.eventNumber(),
        a.eventId(),
        a.kind(),
        a.attempt(),
        a.at(),
        a.took(),
        a.outcome(),
        a.status(),
        a.sentence(),
        at,
        a.sent(),
        a.answered());
  }
}
