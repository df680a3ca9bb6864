package dev.mainstay.server.event;

import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

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
}
