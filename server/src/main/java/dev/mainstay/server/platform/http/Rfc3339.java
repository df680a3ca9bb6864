package dev.mainstay.server.platform.http;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.regex.Pattern;

/** Times as RFC 3339 writes them: with seconds and an offset. */
final class Rfc3339 {
  private static final Pattern FORM =
      Pattern.compile(
          "(\\d{4}-\\d{2}-\\d{2}[Tt]\\d{2}:\\d{2}:\\d{2})(\\.\\d+)?([Zz]|[+-]\\d{2}:\\d{2})");
  private static final int MAX_FRACTION_DIGITS = 9;
  private static final Instant FIRST = Instant.parse("0000-01-01T00:00:00Z");
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999Z");

  private Rfc3339() {}

  static Optional<Instant> read(String text) {
    var parts = FORM.matcher(text);
    if (!parts.matches()) {
      return Optional.empty();
    }
    String fraction = Optional.ofNullable(parts.group(2)).orElse("");
    int digits = Math.min(fraction.length(), MAX_FRACTION_DIGITS + 1);
    try {
      return Optional.of(
          inRange(
              LocalDateTime.parse(parts.group(1) + fraction.substring(0, digits))
                  .toInstant(ZoneOffset.UTC)
                  .minus(offsetOf(parts.group(3)))));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  /** The offset that Z or +hh:mm says, which RFC 3339 bounds by a day alone. */
  private static Duration offsetOf(String text) {
    if (text.length() == 1) {
      return Duration.ZERO;
    }
    var offset = Duration.between(LocalTime.MIN, LocalTime.parse(text.substring(1)));
    return text.startsWith("-") ? offset.negated() : offset;
  }

  /** A time beyond what can be stored and written, which an offset may make, is the nearest one. */
  private static Instant inRange(Instant time) {
    return time.isBefore(FIRST) ? FIRST : time.isAfter(LAST) ? LAST : time;
  }
}
