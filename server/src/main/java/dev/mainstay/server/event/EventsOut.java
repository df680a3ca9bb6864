package dev.mainstay.server.event;

import dev.mainstay.server.platform.BuildInfo;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.Loop;
import dev.mainstay.server.platform.OpenNetworks;
import dev.mainstay.server.platform.Vault;
import dev.mainstay.server.platform.http.OutgoingHttp;
import dev.mainstay.server.platform.http.Route;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jdbi.v3.core.Handle;

/** The wiring of events out: its routes and its workers. */
public final class EventsOut implements AutoCloseable {
  private static final Duration TELLING = Duration.ofMillis(250);
  private static final Duration DELIVERING = Duration.ofSeconds(1);
  private static final Duration GATHERING = Duration.ofMillis(20);
  private static final Duration TIDYING = Duration.ofMinutes(10);

  private final OutgoingHttp http;
  private final WebhooksApi api;
  private final EventNumbers numbers = new EventNumbers();
  private final AtomicReference<Runnable> onDeliveries = new AtomicReference<>(() -> {});
  private final Loop telling;
  private final Loop delivering;
  private final Loop tidying;
  private final DeliveryWorker deliveries;

  /** {@code node} is the number to take work under; empty while this node takes none. */
  public EventsOut(
      Database database,
      Clock clock,
      URI publicUrl,
      OpenNetworks networks,
      Details details,
      Supplier<Optional<Integer>> node) {
    Vault vault = Vault.open(database);
    http = new OutgoingHttp(networks);
    var sender = new Sender(http, clock, BuildInfo.version());
    Runnable tell = () -> onDeliveries.get().run();
    api = new WebhooksApi(new Webhooks(database, clock, vault, http, sender, tell));
    var teller = new TellWorker(database, clock, details, new Pages(publicUrl), tell);
    deliveries = new DeliveryWorker(database, clock, vault, sender, numbers, node);
    var tidy = new EventTidyWorker(database, clock);
    telling = new Loop("events-telling", TELLING, loop -> teller.round());
    delivering =
        new Loop("events-delivery", DELIVERING, GATHERING, loop -> deliveries.round(loop::tell));
    tidying = new Loop("events-tidy", TIDYING, loop -> tidy.round(loop::isClosing));
    onDeliveries.set(delivering::tell);
  }

  public List<Route> routes() {
    return api.routes();
  }

  public EventNumbers numbers() {
    return numbers;
  }

  /** Makes deliveries due whose nodes are gone. */
  public static int free(Handle handle, Instant now) {
    return DeliveryStore.free(handle, now);
  }

  /** There may be something to deliver. */
  public void tell() {
    onDeliveries.get().run();
  }

  public void start() {
    telling.start();
    delivering.start();
    tidying.start();
  }

  /** What is being sent is waited for a little while; what is not through then is given back. */
  @Override
  public void close() {
    telling.close();
    delivering.close();
    tidying.close();
    deliveries.finish(http::close);
  }
}
