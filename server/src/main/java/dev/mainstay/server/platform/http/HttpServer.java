package dev.mainstay.server.platform.http;

import dev.mainstay.server.platform.StartFailure;
import io.helidon.http.DirectHandler;
import io.helidon.webserver.ErrorHandling;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.DirectHandlers;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http1.Http1Config;
import io.helidon.webserver.http1.Http1ConnectionSelector;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;

/** The HTTP door: one listener with limits on everything a client could overdo. */
public final class HttpServer implements AutoCloseable {
  /** What the library reads of a request line or of headers; the door allows less, and says so. */
  private static final int MOST_READ_BYTES = 64 * 1024;

  /**
   * Where to listen, which places and memory there are for clients, where they are counted, how
   * long each may take to send its headers (the other limits follow from it), and how long requests
   * in flight may take at the end.
   */
  public record Options(
      String host,
      int port,
      Places places,
      Memory memory,
      Traffic traffic,
      Duration patience,
      Duration shutdownGrace) {

    /** Places of which one address gets half, whoever it is. */
    public Options(
        String host, int port, int maxConnections, Duration patience, Duration shutdownGrace) {
      this(
          host,
          port,
          new Places(maxConnections, List.of()),
          Memory.ofProcess(),
          new Traffic(),
          patience,
          shutdownGrace);
    }
  }

  private final WebServer server;
  private final Door door;
  private final SlowClients slowClients;

  private HttpServer(WebServer server, Door door, SlowClients slowClients) {
    this.server = server;
    this.door = door;
    this.slowClients = slowClients;
  }

  /** Starts to listen. The surfaces cover every path between them: one has no base path. */
  public static HttpServer start(Options options, List<Surface> surfaces, List<Route> routes) {
    var slowClients = new SlowClients(options.patience());
    var door =
        new Door(
            surfaces,
            new Routes(routes),
            slowClients,
            options.memory(),
            options.places(),
            options.traffic());
    var directHandlers = DirectHandlers.builder();
    for (var type : DirectHandler.EventType.values()) {
      directHandlers.addHandler(type, door::refuse);
    }
    var http1 =
        Http1Config.builder()
            .maxHeadersSize(MOST_READ_BYTES)
            .maxPrologueLength(MOST_READ_BYTES)
            .addReceiveListener(slowClients)
            // Ours hold nothing of a client's but a request id that was checked.
            .validateResponseHeaders(false)
            .build();
    var server =
        WebServer.builder()
            .host(options.host())
            .port(options.port())
            .maxTcpConnections(options.places().all())
            // Bounds the memory a single chunk can take; the door answers smaller excess itself.
            .maxPayloadSize(Body.MAX_DRAINED_BYTES)
            .shutdownGracePeriod(options.shutdownGrace())
            .shutdownHook(false)
            .directHandlers(directHandlers.build())
            // Not for clients: the door is told what was wrong, and says it in its own words.
            .errorHandling(ErrorHandling.builder().includeEntity(true).build())
            // An answer beyond one packet would wait for the client's delayed acknowledgement, 40
            // ms.
            .connectionOptions(connection -> connection.tcpNoDelay(true))
            .contentEncoding(SentEncodings.UNTOUCHED)
            .protocolsDiscoverServices(false)
            .connectionSelectors(
                List.of(
                    new AnyConnection(
                        Http1ConnectionSelector.builder().config(http1).build(),
                        door,
                        slowClients,
                        options.places())))
            .routing(HttpRouting.builder().any(door::handle))
            .build();
    try {
      server.start();
    } catch (RuntimeException e) {
      slowClients.close();
      throw cannotListen(options, e);
    }
    return new HttpServer(server, door, slowClients);
  }

  /** Finds out that the port is taken before anything else is started. */
  public static void checkFree(Options options) {
    try (var socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(options.host(), options.port()));
    } catch (IOException e) {
      throw cannotListen(options, e);
    }
  }

  private static StartFailure cannotListen(Options options, Exception cause) {
    return new StartFailure(
        "Cannot listen on %s port %d, which is taken or not allowed: stop what uses it, or choose another with --port."
            .formatted(options.host(), options.port()),
        cause);
  }

  public int port() {
    return server.port();
  }

  /** Goes on as before, but ends each connection with the answer to its next request. */
  public void leave() {
    door.leave();
  }

  /** Stops listening and waits for what is in flight. */
  @Override
  public void close() {
    server.stop();
    slowClients.close();
  }
}
