package dev.mainstay.server;

import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.http.ApiError;
import dev.mainstay.server.platform.http.Places;
import dev.mainstay.server.platform.http.PrometheusText;
import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.platform.http.Request;
import dev.mainstay.server.platform.http.Route;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The health of the process, its numbers, and the description of the API; no key needed. */
final class StatusApi {
  private static final long PROBE_NANOS = 500_000_000;

  private final Database database;
  private final Places places;
  private final Reply description = description();
  private boolean reachable;
  private long probedAt = System.nanoTime() - PROBE_NANOS;

  StatusApi(Database database, Places places) {
    this.database = database;
    this.places = places;
  }

  List<Route> routes() {
    return List.of(
        Route.get("/healthz", request -> Reply.json(Map.of("status", "ok"))),
        Route.get("/readyz", this::ready),
        Route.get("/metrics", this::metrics),
        Route.get("/openapi.json", request -> description));
  }

  private Reply ready(Request request) {
    if (!isReachable()) {
      throw ApiError.of(503, "not_ready", "The database does not answer.");
    }
    return Reply.json(Map.of("status", "ready"));
  }

  /** Numbers of this process alone: nothing in them is of an organization. */
  private Reply metrics(Request request) {
    var text = new PrometheusText();
    text.family("mainstay_connections", "gauge", "Connections that are open.")
        .sample("mainstay_connections", Map.of(), places.taken());
    text.family("mainstay_connections_limit", "gauge", "Connections that may be open.")
        .sample("mainstay_connections_limit", Map.of(), places.all());
    text.family(
            "mainstay_connections_refused_total",
            "counter",
            "Connections that were refused, by why: their address held half of all.")
        .sample(
            "mainstay_connections_refused_total", Map.of("reason", "address"), places.refused());
    return Reply.bytes(
        PrometheusText.CONTENT_TYPE, text.toString().getBytes(StandardCharsets.UTF_8));
  }

  /** Anybody may ask, so the database is asked at most twice a second. */
  private synchronized boolean isReachable() {
    if (System.nanoTime() - probedAt >= PROBE_NANOS) {
      reachable = database.isReachable();
      probedAt = System.nanoTime();
    }
    return reachable;
  }

  private static Reply description() {
    try (InputStream file = StatusApi.class.getResourceAsStream("/openapi.json")) {
      return Reply.bytes("application/json", Objects.requireNonNull(file).readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
