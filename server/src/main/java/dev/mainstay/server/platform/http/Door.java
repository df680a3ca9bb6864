package dev.mainstay.server.platform.http;

import dev.mainstay.server.platform.LastWords;
import dev.mainstay.server.platform.Tracing;
import io.helidon.http.DirectHandler.EventType;
import io.helidon.http.DirectHandler.TransportRequest;
import io.helidon.http.DirectHandler.TransportResponse;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Headers;
import io.helidon.http.Method;
import io.helidon.http.ServerResponseHeaders;
import io.helidon.http.Status;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * Every request comes in here. The order of checks: length of the request line and of the headers
 * (414, 431), key (401), path (404), method (405), scope (403), then what the handler asks of the
 * body: size (413), encoding and type (415), JSON and fields (400).
 */
final class Door {
  private static final Logger log = LoggerFactory.getLogger("http");
  private static final HeaderName REQUEST_ID = HeaderNames.create("x-request-id");
  private static final Pattern SANE_REQUEST_ID = Pattern.compile("[A-Za-z0-9._-]{1,64}");
  private static final long SLOW_MILLIS = 1000;

  private final List<Wire> wires;
  private final Routes routes;
  private final SlowClients slowClients;
  private final Memory memory;
  private final Places places;
  private final Traffic traffic;
  private volatile boolean leaving;

  Door(
      List<Surface> surfaces,
      Routes routes,
      SlowClients slowClients,
      Memory memory,
      Places places,
      Traffic traffic) {
    this.wires =
        surfaces.stream()
            .sorted(Comparator.comparingInt((Surface s) -> s.basePath().length()).reversed())
            .map(Wire::of)
            .toList();
    this.routes = routes;
    this.slowClients = slowClients;
    this.memory = memory;
    this.places = places;
    this.traffic = traffic;
  }

  /** From now on no connection is kept open, so that clients come to other nodes. */
  void leave() {
    leaving = true;
  }

  private Wire wire(String path) {
    for (Wire wire : wires) {
      if (wire.surface().covers(path)) {
        return wire;
      }
    }
    throw new IllegalStateException("no surface covers " + path);
  }

  void handle(ServerRequest request, ServerResponse response) {
    long start = System.nanoTime();
    String method = request.prologue().method().text();
    String path = request.path().rawPath();
    String requestId = requestId(request.headers());
    MDC.put("requestId", requestId);
    try (var spent = Tracing.asked(method, name -> header(request.headers(), name))) {
      Wire wire = wire(path);
      var body = new Body(request, slowClients, memory, wire.surface().assumesJson());
      var arrival = new Arrival(path, request.headers(), isFromProxy(request));
      Wire.Written made = answer(wire, arrival, requestId, request, body, spent);
      Optional<Budget.Room> room = memory.answers().tryTake(made.bytes().length);
      Wire.Written answer =
          room.isPresent() ? made : wire.error(arrival, requestId, ApiError.busy());
      boolean reusable;
      try (var _ = room.orElse(Budget.NONE)) {
        reusable = send(wire, answer, request, requestId, body, response);
      }
      record(method, path, answer.reply(), System.nanoTime() - start);
      describe(spent, method, path, requestId, answer.reply().status());
      if (!reusable) {
        // The library announces the end of a connection but leaves it to the client.
        throw new CloseConnectionException("done");
      }
      slowClients.expectNextRequest();
    } catch (Error e) {
      // The library would answer it, and go on.
      LastWords.ifFatal(e);
      throw e;
    } finally {
      MDC.remove("requestId");
    }
  }

  private static Optional<String> header(Headers headers, String name) {
    HeaderName known = HeaderNames.create(name);
    return headers.contains(known) ? Optional.of(headers.get(known).get()) : Optional.empty();
  }

  private static void describe(
      Tracing.Spent spent, String method, String path, String requestId, int status) {
    spent
        .with("http.request.method", method)
        .with("url.path", path)
        .with("http.response.status_code", status)
        .with("mainstay.request_id", requestId);
    if (status >= 500) {
      spent.failed("answered with " + status);
    }
  }

  private boolean isFromProxy(ServerRequest request) {
    return request.remotePeer().address() instanceof InetSocketAddress peer
        && places.isTrusted(peer.getAddress());
  }

  /** A request that went well and fast is no news: a line for each would cost more than most. */
  private void record(String method, String path, Reply reply, long nanos) {
    int status = reply.status();
    long millis = nanos / 1_000_000;
    traffic.answered(status);
    if (!(reply.content() instanceof Reply.Stream)) {
      traffic.took(nanos);
    }
    if (status >= 400 || millis >= SLOW_MILLIS) {
      log.info("{} {} {} in {} ms", method, path, status, millis);
    } else if (log.isDebugEnabled()) {
      log.debug("{} {} {} in {} ms", method, path, status, millis);
    }
  }

  /**
   * Answers what the HTTP library itself refuses: broken requests, and bodies beyond all bounds.
   */
  TransportResponse refuse(
      TransportRequest request,
      EventType event,
      Status status,
      ServerResponseHeaders headers,
      @Nullable String message) {
    var refusal = refuse(request, Refusals.of(status.code(), message), headers);
    log.info(
        "request refused with {}, id {}",
        refusal.status().code(),
        refusal.headers().get(REQUEST_ID).get());
    return refusal;
  }

  /** Answers what has not become a request. */
  TransportResponse refuse(
      TransportRequest request, ApiError refusal, ServerResponseHeaders headers) {
    String requestId = requestId(request.headers());
    Wire wire = wire(request.path());
    var arrival = new Arrival(request.path(), request.headers());
    Wire.Written answer =
        wire.answer(
            arrival,
            requestId,
            () -> {
              // Whose request it is can be told only of one whose headers were read.
              if (refusal.status() == 413) {
                wire.surface().authentication().caller(arrival);
              }
              throw refusal;
            });
    Reply reply = answer.reply();
    traffic.answered(reply.status());
    reply.headers().forEach((name, value) -> headers.set(HeaderNames.create(name), value));
    return TransportResponse.builder()
        .status(Refusals.status(reply.status()))
        .headers(withCommon(headers, wire, reply, requestId))
        .keepAlive(false)
        .entity(answer.bytes())
        .build();
  }

  private Wire.Written answer(
      Wire wire,
      Arrival arrival,
      String requestId,
      ServerRequest request,
      Body body,
      Tracing.Spent spent) {
    return wire.answer(
        arrival,
        requestId,
        () -> {
          Refusals.checkLength(request);
          Optional<Caller> caller = wire.surface().authentication().caller(arrival);
          caller.ifPresent(c -> body.prove());
          String method = request.prologue().method().text();
          // A path of one surface is never taken for a parameter of another's route.
          String base = wire.surface().basePath();
          var found =
              routes.find(method, arrival.path(), p -> wire(p).surface().basePath().equals(base));
          spent.of(method, found.route().path());
          Function<Request, Reply> handler = admitted(found.route(), caller);
          String query = request.query().rawValue();
          try (body) {
            return handler.apply(new Request(caller, arrival, found.parameters(), query, body));
          }
        });
  }

  private static Function<Request, Reply> admitted(Route route, Optional<Caller> caller) {
    if (caller.isEmpty() && route.withoutKey().isPresent()) {
      return route.withoutKey().get();
    }
    admit(route, caller);
    return route.handler();
  }

  /** Throws where the caller may not use the route. */
  static void admit(Route route, Optional<Caller> caller) {
    if (!route.scopes().isEmpty()) {
      demandScope(route, caller.orElseThrow());
    }
    caller.ifPresent(c -> demandErrand(route, c));
  }

  private static void demandScope(Route route, Caller caller) {
    if (!route.admits(caller)) {
      String wanted =
          route.scopes().stream()
              .map(scope -> "`" + scope.label() + "`")
              .collect(Collectors.joining(" or "));
      throw ApiError.of(
          403, "insufficient_scope", "This key lacks the scope %s.".formatted(wanted));
    }
  }

  private static void demandErrand(Route route, Caller caller) {
    if (caller.errand().isPresent() && !route.forErrands()) {
      throw ApiError.of(
          403,
          "insufficient_scope",
          "This is the key of a test command: it only sends the results of its own run.");
    }
  }

  /** Sends an answer; true where the connection can serve another request. */
  private boolean send(
      Wire wire,
      Wire.Written answer,
      ServerRequest request,
      String requestId,
      Body body,
      ServerResponse response) {
    Reply reply = answer.reply();
    response.status(Refusals.status(reply.status()));
    reply.headers().forEach((name, value) -> response.header(HeaderNames.create(name), value));
    withCommon(response.headers(), wire, reply, requestId);
    boolean leftOver = body.isLeftOver();
    boolean last =
        leaving || body.endsConnection() || reply.status() == 414 || reply.status() == 431;
    if (last) {
      response.header(HeaderValues.CONNECTION_CLOSE);
    }
    boolean headOnly = request.prologue().method().equals(Method.HEAD);
    if (reply.content() instanceof Reply.Stream stream) {
      stream(headOnly ? out -> {} : stream.source(), response);
    } else {
      send(answer.bytes(), headOnly, response);
    }
    if (leftOver) {
      body.drain();
    }
    return !last && !asksForTheEnd(request);
  }

  private static boolean asksForTheEnd(ServerRequest request) {
    return request.headers().contains(HeaderNames.CONNECTION)
        && request.headers().containsToken(HeaderValues.CONNECTION_CLOSE);
  }

  private void send(byte[] bytes, boolean headOnly, ServerResponse response) {
    try (var _ = slowClients.within(slowClients.readingTime())) {
      if (headOnly) {
        response.header(HeaderValues.create(HeaderNames.CONTENT_LENGTH, bytes.length));
        response.send();
      } else {
        response.send(bytes);
      }
    }
  }

  /** Sends a body while it is made. One that breaks off is not ended, so that the client knows. */
  private void stream(Reply.Source source, ServerResponse response) {
    try {
      var out = slowClients.limited(response.outputStream());
      source.writeTo(out);
      out.close();
    } catch (IOException | RuntimeException e) {
      log.info("a streamed answer broke off: {}", e.toString());
      throw new CloseConnectionException("broken off", e);
    }
  }

  private static ServerResponseHeaders withCommon(
      ServerResponseHeaders headers, Wire wire, Reply reply, String requestId) {
    String type = reply.content().type();
    headers.set(
        type.equals(Reply.JSON)
            ? HeaderValues.CONTENT_TYPE_JSON
            : HeaderValues.create(HeaderNames.CONTENT_TYPE, type));
    headers.set(REQUEST_ID, requestId);
    wire.headers().forEach(headers::setIfAbsent);
    return headers;
  }

  private static String requestId(Headers headers) {
    if (headers.contains(REQUEST_ID)) {
      String given = headers.get(REQUEST_ID).get();
      if (SANE_REQUEST_ID.matcher(given).matches()) {
        return given;
      }
    }
    return HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
  }
}
