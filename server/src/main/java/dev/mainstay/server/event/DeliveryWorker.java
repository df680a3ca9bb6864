package dev.mainstay.server.event;

import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.DiskFull;
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
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes what became of deliveries, takes those that are due and sends each on a thread of its own.
 * An endpoint that failed last has one in flight, others several, and fewer the less room there is:
 * so whoever is slow leaves some for everybody else.
 */
final class DeliveryWorker {
  private static final Logger log = LoggerFactory.getLogger("events");
  private static final Duration LEASE = Duration.ofSeconds(45);
  private static final Duration LAST_WAIT = Duration.ofSeconds(2);
  static final int MOST = 512;
  static final int OF_ORGANIZATION = 128;
  static final int OF_ENDPOINT = 8;

  private final Database database;
  private final Clock clock;
  private final Vault vault;
  private final Sender sender;
  private final EventNumbers numbers;
  private final Supplier<Optional<Integer>> node;
  private final DeliveryEnds ends;
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
    this.ends = new DeliveryEnds(database, clock);
  }

  /** Writes what has ended and begins what is due; {@code onMore} runs where more can be done. */
  void round(Runnable onMore) {
    ends.write(inFlight::remove);
    node.get().ifPresent(own -> begin(own, onMore));
  }

  /** Deliveries that were taken, with all that is needed for them. */
  private record Due(
      DeliveryStore.Take take, Map<UUID, Endpoint> endpoints, Map<Long, Event> events) {}

  private void begin(int own, Runnable onMore) {
    int room = MOST - inFlight.size();
    if (room <= 0) {
      return;
    }
    DeliveryStore.Share share = share(room);
    Due due = database.inForgettableTransaction(h -> take(h, own, share, room));
    if (due.take().othersWait()) {
      onMore.run();
    }
    for (DeliveryStore.Taken taken : due.take().taken()) {
      Endpoint endpoint = due.endpoints().get(taken.webhook());
      if (endpoint != null) {
        begin(taken, endpoint, Optional.ofNullable(due.events().get(taken.number())), onMore);
      }
    }
  }

  private Due take(Handle handle, int own, DeliveryStore.Share share, int room) {
    DeliveryStore.Take take =
        DeliveryStore.take(
            handle, own, clock.instant(), LEASE, share, Math.min(room, OF_ORGANIZATION));
    List<DeliveryStore.Taken> taken = take.taken();
    if (taken.isEmpty()) {
      return new Due(take, Map.of(), Map.of());
    }
    List<UUID> webhooks = taken.stream().map(DeliveryStore.Taken::webhook).distinct().toList();
    return new Due(
        take, EndpointStore.some(handle, vault, webhooks), EventStore.some(handle, taken));
  }

  /** The fuller this node is, or an organization's part of it, the less each endpoint gets. */
  private DeliveryStore.Share share(int room) {
    var busy = new HashMap<UUID, Integer>();
    var organizations = new HashMap<Long, Integer>();
    for (DeliveryStore.Taken taken : inFlight.keySet()) {
      busy.merge(taken.webhook(), 1, Integer::sum);
      organizations.merge(taken.organizationId(), 1, Integer::sum);
    }
    int ofOthers = part(room, MOST);
    organizations.replaceAll(
        (id, count) -> Math.min(ofOthers, part(OF_ORGANIZATION - count, OF_ORGANIZATION)));
    return new DeliveryStore.Share(busy, organizations, ofOthers);
  }

  private static int part(int room, int all) {
    return Math.max(1, OF_ENDPOINT * room / all);
  }

  private void begin(
      DeliveryStore.Taken taken, Endpoint endpoint, Optional<Event> event, Runnable onMore) {
    Thread thread =
        Thread.ofVirtual()
            .name("event-" + taken.number())
            .unstarted(
                () -> {
                  try {
                    event.ifPresentOrElse(
                        e -> deliver(taken, endpoint, e), () -> ends.forgotten(taken));
                  } catch (RuntimeException | Error e) {
                    LastWords.ifFatal(e);
                    log.warn("event {} is delivered later", taken.number(), e);
                    inFlight.remove(taken);
                  } finally {
                    onMore.run();
                  }
                });
    inFlight.put(taken, thread);
    thread.start();
  }

  private void deliver(DeliveryStore.Taken taken, Endpoint endpoint, Event event) {
    Sender.Sent sent = sender.send(endpoint, event, taken.attempt());
    if (closing && !sent.delivered()) {
      ends.brokenOff(taken);
      return;
    }
    numbers.count(sent.attempt(), Duration.between(event.at(), clock.instant()));
    ends.tried(taken, endpoint, sent);
  }

  /** Waits a little for what is being sent, then gives the rest back: {@code breakOff} ends it. */
  void finish(Runnable breakOff) {
    closing = true;
    Instant until = Instant.now().plus(LAST_WAIT);
    inFlight.values().forEach(thread -> join(thread, Duration.between(Instant.now(), until)));
    breakOff.run();
    inFlight.values().forEach(thread -> join(thread, LAST_WAIT));
    try {
      ends.write(inFlight::remove);
    } catch (Database.Unavailable | Database.Busy | DiskFull e) {
      log.warn("what was sent last is sent again: {}", e.getMessage());
    }
  }

  private static void join(Thread thread, Duration most) {
    try {
      thread.join(most.isPositive() ? most : Duration.ofMillis(1));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
