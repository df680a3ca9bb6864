package dev.mainstay.server.event;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
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
    byte[] sent,
    byte[] answered) {
  private static final int KEPT_BYTES = 4096;

  Attempt {
    sent = first(sent);
    answered = first(answered);
  }

  private static byte[] first(byte[] bytes) {
    return bytes.length <= KEPT_BYTES ? bytes : Arrays.copyOf(bytes, KEPT_BYTES);
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
