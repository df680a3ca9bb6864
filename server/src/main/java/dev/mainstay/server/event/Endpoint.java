package dev.mainstay.server.event;

import dev.mainstay.server.platform.Json;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import tools.jackson.databind.node.ObjectNode;

/**
 * An endpoint that events are sent to. Without {@code repos}, which are keys of repositories, it
 * hears of all. {@code failingSince} is there while nothing but failures came.
 */
record Endpoint(
    UUID id,
    long organizationId,
    String name,
    URI url,
    List<String> kinds,
    Optional<List<String>> repos,
    Format format,
    boolean enabled,
    Instant createdAt,
    Secrets secrets,
    Health health) {

  /** The secret, and the one before it for as long as that is good. */
  record Secrets(String current, Optional<String> earlier, Optional<Instant> earlierUntil) {
    List<String> goodAt(Instant now) {
      return earlier
          .filter(e -> earlierUntil.filter(now::isBefore).isPresent())
          .map(e -> List.of(current, e))
          .orElse(List.of(current));
    }

    @Override
    public String toString() {
      return "Secrets[]";
    }
  }

  /** How deliveries went; {@code failures} are those in a row. */
  record Health(
      int failures,
      Optional<Instant> failingSince,
      Optional<Instant> waitUntil,
      Optional<Instant> switchedOffAt,
      Optional<String> switchedOffReason) {
    static final Health GOOD =
        new Health(0, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
  }

  Endpoint {
    kinds = List.copyOf(kinds);
  }

  /** An event about the endpoint itself, which is of no repository. */
  Event event(String organization, long number, EventKind kind, Instant at) {
    ObjectNode data = Json.object().put("sequence", number).put("organization", organization);
    data.putObject("webhook").put("id", id.toString()).put("name", name);
    return new Event(
        organizationId, number, UUID.randomUUID(), 0, "", kind.label(), "webhook/" + id, at, data);
  }
}
