package dev.mainstay.server.event;

import dev.mainstay.server.platform.Json;
import dev.mainstay.server.platform.http.OutgoingHttp;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import tools.jackson.databind.node.ObjectNode;

/** Sends one event to one endpoint, once. */
final class Sender {
  private final OutgoingHttp http;
  private final Clock clock;
  private final String agent;

  Sender(OutgoingHttp http, Clock clock, String version) {
    this.http = http;
    this.clock = clock;
    this.agent = "mainstay/" + version;
  }

  /** How it went; {@code asked} is how long the endpoint wants to be left alone. */
  record Sent(Attempt attempt, Optional<Duration> asked) {
    boolean delivered() {
      return attempt.outcome() != Attempt.Outcome.FAILED;
    }
  }

  Sent send(Endpoint endpoint, Event event, int attempt) {
    Instant at = clock.instant();
    Optional<ObjectNode> body = endpoint.format().body(event);
    if (body.isEmpty()) {
      return new Sent(
          attempt(
              event,
              attempt,
              at,
              Attempt.Outcome.SKIPPED,
              Optional.empty(),
              "The format %s has no words for this.".formatted(endpoint.format().label()),
              "",
              ""),
          Optional.empty());
    }
    byte[] bytes = Json.write(body.get());
    try {
      OutgoingHttp.Answer answer =
          http.post(endpoint.url(), headers(endpoint, event, at, bytes), bytes);
      boolean taken = answer.status() / 100 == 2;
      return new Sent(
          attempt(
              event,
              attempt,
              at,
              taken ? Attempt.Outcome.DELIVERED : Attempt.Outcome.FAILED,
              Optional.of(answer.status()),
              sentence(answer.status()),
              new String(bytes, StandardCharsets.UTF_8),
              answer.body()),
          taken ? Optional.empty() : Retries.asked(answer.retryAfter(), at));
    } catch (OutgoingHttp.NoAnswer e) {
      return new Sent(
          attempt(
              event,
              attempt,
              at,
              Attempt.Outcome.FAILED,
              Optional.empty(),
              e.sentence(),
              new String(bytes, StandardCharsets.UTF_8),
              ""),
          Optional.empty());
    }
  }

  private Map<String, String> headers(Endpoint endpoint, Event event, Instant at, byte[] body) {
    var headers = new LinkedHashMap<String, String>();
    headers.put("Content-Type", "application/json");
    headers.put("User-Agent", agent);
    headers.putAll(Signature.headers(event.publicId(), at, body, endpoint.secrets().goodAt(at)));
    return headers;
  }

  private static String sentence(int status) {
    return status / 100 == 3
        ? "The endpoint answered %d, and redirects are not followed.".formatted(status)
        : "The endpoint answered %d.".formatted(status);
  }

  private Attempt attempt(
      Event event,
      int attempt,
      Instant at,
      Attempt.Outcome outcome,
      Optional<Integer> status,
      String sentence,
      String sent,
      String answered) {
    return new Attempt(
        UUID.randomUUID(),
        event.number(),
        event.id(),
        event.kind(),
        attempt,
        at,
        Duration.between(at, clock.instant()),
        outcome,
        status,
        sentence.replace('\0', ' '),
        Optional.empty(),
        sent,
        answered);
  }
}
