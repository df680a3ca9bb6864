package dev.mainstay.server;

import dev.mainstay.server.access.Access;
import dev.mainstay.server.access.Access.NewKey;
import dev.mainstay.server.access.KeyRing;
import dev.mainstay.server.access.KeysApi;
import dev.mainstay.server.access.OrganizationApi;
import dev.mainstay.server.health.TestHealth;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.StartFailure;
import dev.mainstay.server.platform.http.HttpServer;
import dev.mainstay.server.platform.http.Route;
import dev.mainstay.server.platform.http.Surface;
import dev.mainstay.server.platform.http.V1;
import dev.mainstay.server.queue.MergeQueues;
import dev.mainstay.server.queue.api.QueueRoutes;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The wiring of one node, by hand, top to bottom. */
public final class Mainstay implements AutoCloseable {
  private static final Duration CLIENT_PATIENCE = Duration.ofSeconds(15);

  private final Deque<Runnable> closings = new ArrayDeque<>();
  private final List<Route> routes;
  private final HttpServer http;

  private Mainstay(Config config, Clock clock, Consumer<NewKey> show, Runnable onCrash) {
    HttpServer.Options options =
        new HttpServer.Options(
            config.host(),
            config.port(),
            config.maxConnections(),
            CLIENT_PATIENCE,
            config.shutdownGrace());
    try {
      HttpServer.checkFree(options);
      var storage = Storage.ofNode(config, onCrash);
      closings.push(storage::close);
      var access = new Access(storage.database(), clock);
      access.firstStart(config.firstOrganization(), config.firstToken(), show);
      var keyRing = new KeyRing(storage.database(), clock);
      closings.push(keyRing::close);
      var tests =
          new TestHealth(storage.database(), clock, config.publicUrl(), config.chosenPublicUrl());
      closings.push(tests::close);
      var mergeQueues = mergeQueues(config, storage.database(), clock, tests);
      closings.push(mergeQueues::close);
      mergeQueues.start();
      routes = routes(storage.database(), access, clock, tests, mergeQueues);
      http =
          HttpServer.start(
              options, List.of(V1.surface(keyRing::authenticate), Surface.open()), routes);
      closings.push(http::close);
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /**
   * Starts a node, or throws a {@link StartFailure} that says what to do. The key of a first start
   * is given to {@code show}; should the embedded database die, {@code onCrash} runs.
   */
  public static Mainstay start(
      Config config, Clock clock, Consumer<NewKey> show, Runnable onCrash) {
    return new Mainstay(config, clock, show, onCrash);
  }

  /** The port it listens on. */
  public int port() {
    return http.port();
  }

  List<Route> routes() {
    return routes;
  }

  /** Finishes what is in flight, then stops, in the reverse order of the start. */
  @Override
  public void close() {
    while (!closings.isEmpty()) {
      closings.pop().run();
    }
  }

  private static MergeQueues mergeQueues(
      Config config, Database database, Clock clock, TestHealth tests) {
    return new MergeQueues(
        database, clock, config.dataDirectory().resolve("work"), tests::ownersOfRepository);
  }

  private static List<Route> routes(
      Database database, Access access, Clock clock, TestHealth tests, MergeQueues mergeQueues) {
    return Stream.of(
            new StatusApi(database).routes(),
            new KeysApi(access, clock).routes(),
            new OrganizationApi(access).routes(),
            tests.routes(),
            QueueRoutes.of(mergeQueues.queues()))
        .flatMap(List::stream)
        .toList();
  }
}
