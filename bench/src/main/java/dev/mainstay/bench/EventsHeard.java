package dev.mainstay.bench;

import com.sun.net.httpserver.HttpExchange;
import dev.mainstay.server.platform.Json;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;

/** When calls were sent, and when each of so many endpoints heard of them. */
final class EventsHeard {
  private final Map<String, Long> sent = new ConcurrentHashMap<>();
  private final Map<String, Set<Integer>> arrived = new ConcurrentHashMap<>();
  private final Collection<Double> lags = new ConcurrentLinkedQueue<>();
  private final AtomicInteger twice = new AtomicInteger();
  private final int endpoints;

  EventsHeard(int endpoints) {
    this.endpoints = endpoints;
  }

  /** Only calls from now on count. */
  void begin() {
    sent.clear();
    arrived.clear();
    lags.clear();
    twice.set(0);
  }

  /** A call about a pull request is sent now, which makes an event of this kind. */
  void sent(String kind, int number) {
    sent.put(kind + number, System.nanoTime());
  }

  void hear(int endpoint, HttpExchange exchange, byte[] body, long at) {
    JsonNode event = Json.readObject(body);
    String call = event.path("type").asString() + event.at("/data/pullRequest/number").asInt();
    Long from = sent.get(call);
    if (from == null) {
      return;
    }
    if (arrived.computeIfAbsent(call, c -> ConcurrentHashMap.newKeySet()).add(endpoint)) {
      lags.add((at - from) / 1e6);
    } else {
      twice.incrementAndGet();
    }
  }

  /** How long it took from calls to their arrivals, in milliseconds. */
  Collection<Double> lags() {
    return lags;
  }

  int twice() {
    return twice.get();
  }

  int wanted() {
    return sent.size() * endpoints;
  }

  int missing() {
    return sent.keySet().stream()
        .mapToInt(call -> endpoints - arrived.getOrDefault(call, Set.of()).size())
        .sum();
  }

  void awaitAll(Duration longest) throws InterruptedException {
    Waiting.until(() -> missing() == 0, longest);
  }
}
