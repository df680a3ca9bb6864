package dev.mainstay.server.forge.rest;

import java.net.http.HttpHeaders;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/**
 * The time as a host has it, by its answers. Its tokens and limits end by its own clock, and it
 * refuses what was signed at a time it calls wrong.
 */
public final class HostClock implements InstantSource {
  /** Answers take a while to come: less than this is no difference. */
  private static final Duration ALIKE = Duration.ofSeconds(10);

  private final InstantSource own;
  private volatile Duration ahead = Duration.ZERO;

  public HostClock(InstantSource own) {
    this.own = own;
  }

  @Override
  public Instant instant() {
    return own.instant().plus(ahead);
  }

  /** By so much the clock of the host is ahead of ours. */
  public Duration ahead() {
    return ahead;
  }

  void heard(HttpHeaders headers) {
    date(headers)
        .map(there -> Duration.between(own.instant(), there))
        .ifPresent(by -> ahead = by.abs().compareTo(ALIKE) > 0 ? by : Duration.ZERO);
  }

  private static Optional<Instant> date(HttpHeaders headers) {
    try {
      return headers
          .firstValue("date")
          .map(text -> ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant());
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
