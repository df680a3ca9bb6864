package dev.mainstay.server.event;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** When a delivery that failed is tried again, and how long an endpoint is left alone. */
final class Retries {
  /** An endpoint that did nothing but fail for so long is switched off. */
  static final Duration PATIENCE = Duration.ofDays(5);

  private static final List<Duration> WAITS =
      List.of(
          Duration.ofSeconds(5),
          Duration.ofMinutes(5),
          Duration.ofMinutes(30),
          Duration.ofHours(2),
          Duration.ofHours(5),
          Duration.ofHours(10),
          Duration.ofHours(14),
          Duration.ofHours(20),
          Duration.ofHours(24));

  private static final double JITTER = 0.1;
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(5);
  private static final Duration LONGEST_PAUSE = Duration.ofHours(1);
  private static final int MOST_DOUBLINGS = 10;

  private Retries() {}

  /** The time of the next attempt after so many; empty where there is none. */
  static Optional<Instant> next(int attempts, Instant now, RandomGenerator random) {
    return attempts > WAITS.size()
        ? Optional.empty()
        : Optional.of(now.plus(jittered(WAITS.get(attempts - 1), random)));
  }

  /** Up to a tenth longer, so that what failed together does not come again together. */
  private static Duration jittered(Duration wait, RandomGenerator random) {
    return wait.plusMillis((long) (wait.toMillis() * JITTER * random.nextDouble()));
  }

  static boolean slowsDown(int status) {
    return status == 429 || status == 502 || status == 504;
  }

  /** How long an endpoint is left alone that asked for it, or failed so often in a row. */
  static Duration pause(int failures, Optional<Duration> asked) {
    Duration own = FIRST_PAUSE.multipliedBy(1L << Math.min(failures, MOST_DOUBLINGS));
    Duration wait = asked.filter(a -> a.compareTo(own) > 0).orElse(own);
    return wait.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : wait;
  }

  /** The wait that a Retry-After header asks for, in seconds or as a date. */
  static Optional<Duration> asked(Optional<String> header, Instant now) {
    return header
        .map(String::strip)
        .flatMap(
            text -> {
              if (text.matches("\\d{1,9}")) {
                return Optional.of(Duration.ofSeconds(Long.parseLong(text)));
              }
              try {
                Instant until =
                    ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
                return Optional.of(Duration.between(now, until)).filter(d -> !d.isNegative());
              } catch (DateTimeException e) {
                return Optional.empty();
              }
            });
  }
}
