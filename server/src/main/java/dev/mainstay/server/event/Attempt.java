package dev.mainstay.server.event;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;

/** An attempt to deliver, with the beginning of what was sent and of what was answered. */
record Attempt(
    UUID id,
    long eventNumber,
    UUID eventId,
    String kind,
    int attempt,
    Instant at,
    Duration took,
    Outcome outcome,
    Optional<Integer> status,
    String sentence,
    Optional<Instant> nextAt,
    String sent,
    String answered) {
  private static final int KEPT_BYTES = 4096;

  Attempt {
    sent = first(sent);
    answered = first(answered);
  }

  /** The same, which is followed by another one at this time. */
  Attempt withNext(Optional<Instant> next) {
    return new Attempt(
        id,
        eventNumber,
        eventId,
        kind,
        attempt,
        at,
        took,
        outcome,
        status,
        sentence,
        next,
        sent,
        answered);
  }

  /** The first bytes of a text, without what the database does not store. */
  private static String first(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return (bytes.length <= KEPT_BYTES
            ? text
            : new String(bytes, 0, KEPT_BYTES, StandardCharsets.UTF_8))
        .replace('\0', ' ');
  }

  /** How an attempt went; skipped is what a format has no words for. */
  enum Outcome {
    DELIVERED,
    FAILED,
    SKIPPED;

    String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
