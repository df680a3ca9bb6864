package dev.mainstay.server.event;

import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.FactStore;
import dev.mainstay.server.platform.http.PrometheusText;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;

/** The numbers of events out: what this node delivered, and what waits in the database. */
public final class EventNumbers {
  private static final List<Integer> BOUNDS = List.of(1, 2, 5, 15, 60, 300, 3600);

  private static final Duration REMEMBERED = Duration.ofSeconds(5);

  private Optional<Stored> last = Optional.empty();
  private final AtomicLong delivered = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final AtomicLongArray lags = new AtomicLongArray(BOUNDS.size());
  private final AtomicLong lagMillis = new AtomicLong();

  private record Stored(
      Instant at, FactStore.Waiting facts, DeliveryStore.Due due, EndpointStore.Count endpoints) {}

  /** Counts an attempt; what was delivered counts by how long it took. */
  void count(Attempt attempt, Duration lag) {
    if (attempt.outcome() == Attempt.Outcome.FAILED) {
      failed.incrementAndGet();
      return;
    }
    delivered.incrementAndGet();
    lagMillis.addAndGet(lag.toMillis());
    IntStream.range(0, BOUNDS.size())
        .filter(i -> lag.toMillis() <= BOUNDS.get(i) * 1000L)
        .forEach(lags::incrementAndGet);
  }

  /** Writes them. */
  public void write(PrometheusText text, Database database, Clock clock) {
    text.family(
            "mainstay_event_attempts_total",
            "counter",
            "Attempts to deliver an event, by how they went.")
        .sample("mainstay_event_attempts_total", Map.of("outcome", "delivered"), delivered.get())
        .sample("mainstay_event_attempts_total", Map.of("outcome", "failed"), failed.get());
    text.family("mainstay_event_lag_seconds", "histogram", "From what happened to its delivery.")
        .histogram(
            "mainstay_event_lag_seconds",
            Map.of(),
            BOUNDS,
            IntStream.range(0, BOUNDS.size()).mapToObj(lags::get).toList(),
            lagMillis.get() / 1000.0,
            delivered.get());
    stored(database, clock).ifPresent(stored -> write(text, stored));
  }

  private static void write(PrometheusText text, Stored stored) {
    Instant now = stored.at();
    FactStore.Waiting facts = stored.facts();
    DeliveryStore.Due due = stored.due();
    EndpointStore.Count endpoints = stored.endpoints();
    text.family("mainstay_events_waiting", "gauge", "Events that wait, by what for.")
        .sample("mainstay_events_waiting", Map.of("for", "telling"), facts.count())
        .sample("mainstay_events_waiting", Map.of("for", "delivery"), due.count());
    text.family("mainstay_events_oldest_seconds", "gauge", "How long the oldest of them waits.")
        .sample(
            "mainstay_events_oldest_seconds",
            Map.of("for", "telling"),
            seconds(facts.oldest(), now))
        .sample(
            "mainstay_events_oldest_seconds",
            Map.of("for", "delivery"),
            seconds(due.oldest(), now));
    text.family("mainstay_event_endpoints", "gauge", "Endpoints, by how they are.")
        .sample("mainstay_event_endpoints", Map.of("state", "on"), endpoints.on())
        .sample("mainstay_event_endpoints", Map.of("state", "failing"), endpoints.failing())
        .sample(
            "mainstay_event_endpoints", Map.of("state", "switched_off"), endpoints.switchedOff());
  }

  /** What the database says, asked for every few seconds; nothing where it does not answer. */
  private synchronized Optional<Stored> stored(Database database, Clock clock) {
    Instant now = clock.instant();
    if (last.filter(s -> s.at().isAfter(now.minus(REMEMBERED))).isEmpty()) {
      try {
        last =
            Optional.of(
                database.query(
                    h ->
                        new Stored(
                            now,
                            FactStore.waiting(h, now),
                            DeliveryStore.due(h, now),
                            EndpointStore.count(h))));
      } catch (Database.Unavailable | Database.Busy e) {
        last = Optional.empty();
      }
    }
    return last;
  }

  private static double seconds(Instant from, Instant now) {
    return Math.max(0, Duration.between(from, now).toMillis()) / 1000.0;
  }
}
