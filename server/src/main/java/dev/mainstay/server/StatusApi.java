package dev.mainstay.server;

import dev.mainstay.server.platform.DiskSpace;
import dev.mainstay.server.platform.Loop;
import dev.mainstay.server.platform.http.ApiError;
import dev.mainstay.server.platform.http.Memory;
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
import java.util.function.Consumer;

/** The health of the process, its numbers, and the description of the API; no key needed. */
final class StatusApi {
  private final Readiness readiness;
  private final DiskSpace disks;
  private final Places places;
  private final Memory memory;
  private final Consumer<PrometheusText> others;
  private final Reply description = description();

  /** {@code others} writes numbers of other rooms, which may ask the database. */
  StatusApi(
      Readiness readiness,
      DiskSpace disks,
      Places places,
      Memory memory,
      Consumer<PrometheusText> others) {
    this.readiness = readiness;
    this.disks = disks;
    this.places = places;
    this.memory = memory;
    this.others = others;
  }

  List<Route> routes() {
    return List.of(
        Route.get("/healthz", request -> Reply.json(Map.of("status", "ok"))),
        Route.get("/readyz", this::ready),
        Route.get("/metrics", this::metrics),
        Route.get("/openapi.json", request -> description));
  }

  private Reply ready(Request request) {
    readiness
        .fault()
        .ifPresent(
            fault -> {
              throw ApiError.of(503, fault.code(), fault.sentence());
            });
    return Reply.json(Map.of("status", "ready"));
  }

  /** Numbers of this process alone: nothing in them is of an organization. */
  private Reply metrics(Request request) {
    var text = new PrometheusText();
    text.family("mainstay_ready", "gauge", "1 where /readyz says so.")
        .sample("mainstay_ready", Map.of(), readiness.fault().isEmpty() ? 1 : 0);
    text.family("mainstay_disk_free_bytes", "gauge", "What is free on the disks of this node.");
    disks
        .free()
        .forEach(
            (disk, free) -> text.sample("mainstay_disk_free_bytes", Map.of("disk", disk), free));
    text.family("mainstay_memory_free_bytes", "gauge", "Room that is left, by what for.")
        .sample("mainstay_memory_free_bytes", Map.of("for", "bodies"), memory.freeForBodies())
        .sample("mainstay_memory_free_bytes", Map.of("for", "json"), memory.freeForTrees());
    loops(text);
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
    others.accept(text);
    return Reply.bytes(
        PrometheusText.CONTENT_TYPE, text.toString().getBytes(StandardCharsets.UTF_8));
  }

  private static void loops(PrometheusText text) {
    text.family("mainstay_loop_up", "gauge", "1 where work in the background goes on, by which.");
    Loop.all().forEach(one -> text.sample("mainstay_loop_up", labels(one), one.up() ? 1 : 0));
    text.family("mainstay_loop_failures_total", "counter", "Its rounds that failed.");
    Loop.all()
        .forEach(one -> text.sample("mainstay_loop_failures_total", labels(one), one.failures()));
  }

  private static Map<String, String> labels(Loop.State loop) {
    return Map.of("loop", loop.name());
  }

  private static Reply description() {
    try (InputStream file = StatusApi.class.getResourceAsStream("/openapi.json")) {
      return Reply.bytes("application/json", Objects.requireNonNull(file).readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
