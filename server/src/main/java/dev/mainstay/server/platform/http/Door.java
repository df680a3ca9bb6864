package dev.mainstay.server.platform.http;

import dev.mainstay.server.platform.Database;
import io.helidon.http.DirectHandler.EventType;
import io.helidon.http.DirectHandler.TransportRequest;
import io.helidon.http.DirectHandler.TransportResponse;
import io.helidon.http.Header;
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
import java.io.UncheckedIOException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * Every request comes in here. The order of checks: key (401), path (404), method (405), scope
 * (403), then what the handler asks of the body: size (413), type (415), JSON and fields (400).
 */
final class Door {
  private static final Logger log = LoggerFactory.getLogger("http");
  private static final HeaderName API_TOKEN = HeaderNames.create("x-api-token");
  private static final HeaderName REQUEST_ID = HeaderNames.create("x-request-id");
  private static final Pattern SANE_REQUEST_ID = Pattern.compile("[A-Za-z0-9._-]{1,64}");
  private static final int MAX_TOKEN_LENGTH = 256;

  /** Most versions of Prometheus can send a key as a bearer token, and in no header of ours. */
  private static final String BEARER_PATH = "/v1/getMergeQueueMetrics";

  private static final String BEARER = "Bearer ";
  private static final long SLOW_MILLIS = 1000;
  private static final List<Header> SECURITY_HEADERS =
      List.of(
          HeaderValues.createCached("X-Content-Type-Options", "nosniff"),
          HeaderValues.createCached(
              "Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
          HeaderValues.createCached("Cache-Control", "no-store"));

  private final Routes routes;
  private final Function<String, Optional<Caller>> authenticate;
  private final SlowClients slowClients;
  private final Body.Budget budget;

  Door(
      Routes routes,
      Function<String, Optional<Caller>> authenticate,
      SlowClients slowClients,
      Body.Budget budget) {
    this.routes = routes;
    this.authenticate = authenticate;
    this.slowClients = slowClients;
    this.budget = budget;
  }

  void handle(ServerRequest request, ServerResponse response) {
    long start = System.nanoTime();
    String method = request.prologue().method().text();
    String path = request.path().rawPath();
    String requestId = requestId(request.headers());
    MDC.put("requestId", requestId);
    try {
      var body = new Body(request, slowClients, budget);
      Reply reply = answer(method, path, requestId, request, body);
      boolean reusable = send(reply, request, requestId, body, response);
      record(method, path, reply.status(), (System.nanoTime() - start) / 1_000_000);
      if (!reusable) {
        // The library announces the end of a connection but leaves it to the client.
        throw new CloseConnectionException("done");
      }
    } finally {
      MDC.remove("requestId");
    }
  }

  /** What went well and fast is no news: a line for each would cost more than most requests. */
  private static void record(String method, String path, int status, long millis) {
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
    String requestId = requestId(request.headers());
    Reply reply =
        guarded(
            request.path(),
            requestId,
            () -> {
              authenticated(request.path(), request.headers());
              throw refusal(status.code());
            });
    log.info("request refused with {}, id {}", reply.status(), requestId);
    reply.headers().forEach((name, value) -> headers.set(HeaderNames.create(name), value));
    return TransportResponse.builder()
        .status(Status.create(reply.status()))
        .headers(withCommon(headers, reply, requestId))
        .keepAlive(false)
        .entity(reply.body())
        .build();
  }

  private static ApiError refusal(int status) {
    return switch (status) {
      case 413 -> Body.tooLarge();
      case 431 -> ApiError.of(431, "headers_too_large", "The headers must not exceed 16 KiB.");
      case 500 -> Problem.internal();
      case 503 -> ApiError.busy();
      default ->
          ApiError.of(status, "malformed_request", "This is not a well-formed HTTP request.");
    };
  }

  private Reply answer(
      String method, String path, String requestId, ServerRequest request, Body body) {
    return guarded(
        path,
        requestId,
        () -> {
          Optional<Caller> caller = authenticated(path, request.headers());
          Route route = routes.find(method, path);
          route.scope().ifPresent(scope -> demand(scope, caller.orElseThrow()));
          String query = request.query().rawValue();
          try (body) {
            return route.handler().apply(new Request(caller, request.headers(), query, body));
          }
        });
  }

  private static Reply guarded(
      String path, String requestId, java.util.function.Supplier<Reply> work) {
    try {
      return work.get();
    } catch (ApiError e) {
      return Problem.of(e, path, requestId);
    } catch (Database.Unavailable e) {
      log.warn("the database does not answer: {}", e.getMessage());
      return Problem.of(ApiError.unavailable(), path, requestId);
    } catch (CloseConnectionException | UncheckedIOException e) {
      throw new CloseConnectionException("the client is gone", e);
    } catch (RuntimeException e) {
      log.error("request failed", e);
      return Problem.of(Problem.internal(), path, requestId);
    }
  }

  private Optional<Caller> authenticated(String path, Headers headers) {
    if (!path.equals("/v1") && !path.startsWith("/v1/")) {
      return Optional.empty();
    }
    String token =
        headers.contains(API_TOKEN) ? headers.get(API_TOKEN).get() : bearer(path, headers);
    if (token.isEmpty() || token.length() > MAX_TOKEN_LENGTH) {
      throw ApiError.unauthorized();
    }
    return Optional.of(authenticate.apply(token).orElseThrow(ApiError::unauthorized));
  }

  private static String bearer(String path, Headers headers) {
    if (!path.equals(BEARER_PATH) || !headers.contains(HeaderNames.AUTHORIZATION)) {
      return "";
    }
    String header = headers.get(HeaderNames.AUTHORIZATION).get();
    return header.regionMatches(true, 0, BEARER, 0, BEARER.length())
        ? header.substring(BEARER.length()).strip()
        : "";
  }

  private static void demand(Scope scope, Caller caller) {
    if (!caller.may(scope)) {
      throw ApiError.of(
          403, "insufficient_scope", "This key lacks the scope `%s`.".formatted(scope.label()));
    }
  }

  /** Whether the connection can serve another request. */
  private boolean send(
      Reply reply, ServerRequest request, String requestId, Body body, ServerResponse response) {
    response.status(Status.create(reply.status()));
    reply.headers().forEach((name, value) -> response.header(HeaderNames.create(name), value));
    withCommon(response.headers(), reply, requestId);
    boolean leftOver = body.isLeftOver();
    if (leftOver) {
      response.header(HeaderValues.CONNECTION_CLOSE);
    }
    try (var _ = slowClients.within(slowClients.readingTime())) {
      if (request.prologue().method().equals(Method.HEAD)) {
        response.header(HeaderValues.create(HeaderNames.CONTENT_LENGTH, reply.body().length));
        response.send();
      } else {
        response.send(reply.body());
      }
    }
    if (leftOver) {
      body.drain();
    }
    return !leftOver && !request.headers().containsToken(HeaderValues.CONNECTION_CLOSE);
  }

  private static ServerResponseHeaders withCommon(
      ServerResponseHeaders headers, Reply reply, String requestId) {
    headers.set(
        reply.contentType().equals(Reply.JSON)
            ? HeaderValues.CONTENT_TYPE_JSON
            : HeaderValues.create(HeaderNames.CONTENT_TYPE, reply.contentType()));
    headers.set(REQUEST_ID, requestId);
    SECURITY_HEADERS.forEach(headers::set);
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
