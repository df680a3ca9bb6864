package dev.mainstay.server.forge.rest;

import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.forge.HostUsage;
import dev.mainstay.server.forge.Purpose;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The requests that a host allows one account, whose repositories share them. Whoever asks beyond
 * that is told so here, and the host is left alone. What matters less leaves some to what matters
 * more, by its {@link Purpose}.
 */
public final class Budget {
  /** The limits on requests that make or change something, which a host does not tell by itself. */
  public record Writes(int aMinute, int anHour) {
    public static final Writes ANY = new Writes(Integer.MAX_VALUE, Integer.MAX_VALUE);
  }

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final int MOST_DOUBLINGS = 6;

  private final HostClock clock;
  private final Writes allowed;
  private final Deque<Instant> writes = new ArrayDeque<>();
  private OptionalLong limit = OptionalLong.empty();
  private OptionalLong remaining = OptionalLong.empty();
  private Instant reset = Instant.MIN;
  private Instant closedUntil = Instant.MIN;
  private int refusals;

  public Budget(InstantSource clock, Writes allowed) {
    this.clock = new HostClock(clock);
    this.allowed = allowed;
  }

  /** The clock by which the host counts. */
  public HostClock clock() {
    return clock;
  }

  /** The requests of one repository, and what is left to the account by the last answer. */
  synchronized HostUsage used(Usage usage) {
    return new HostUsage(
        usage.requests(), usage.unchangedAnswers(), limit, remaining, clock.ahead());
  }

  /** Takes a request from the budget, or throws: it is for later. */
  synchronized void take(String host, boolean write) {
    Instant now = clock.instant();
    int part = 100 - Purpose.now().percentLeft();
    wait(now, part, write)
        .ifPresent(
            wait -> {
              throw ForgeUnavailable.limited(
                  "%s allows no more requests for now: this one waits for %d s."
                      .formatted(host, wait.toSeconds() + 1),
                  wait);
            });
    if (write && allowed.anHour() < Integer.MAX_VALUE) {
      writes.add(now);
    }
  }

  private Optional<Duration> wait(Instant now, int part, boolean write) {
    if (closedUntil.isAfter(now)) {
      return Optional.of(Duration.between(now, closedUntil));
    }
    boolean spent =
        limit.isPresent()
            && remaining.isPresent()
            && remaining.getAsLong() * 100 <= limit.getAsLong() * (100 - part);
    if (spent && reset.isAfter(now)) {
      return Optional.of(Duration.between(now, reset));
    }
    return write ? writeWait(now, part) : Optional.empty();
  }

  private Optional<Duration> writeWait(Instant now, int part) {
    while (!writes.isEmpty() && !writes.getFirst().isAfter(now.minus(HOUR))) {
      writes.removeFirst();
    }
    if (writes.size() >= (long) allowed.anHour() * part / 100) {
      return Optional.of(Duration.between(now, writes.getFirst().plus(HOUR)));
    }
    long lately = writes.stream().filter(at -> at.isAfter(now.minus(MINUTE))).count();
    return lately >= (long) allowed.aMinute() * part / 100 ? Optional.of(MINUTE) : Optional.empty();
  }

  /** An answer that is no refusal for a limit. */
  synchronized void answered(HttpHeaders headers) {
    clock.heard(headers);
    refusals = 0;
    read(headers);
  }

  private void read(HttpHeaders headers) {
    OptionalLong left = limit(headers, "remaining");
    boolean ofThese =
        headers.firstValue("x-ratelimit-resource").map(r -> r.equals("core")).orElse(true);
    if (ofThese && left.isPresent()) {
      limit = limit(headers, "limit");
      remaining = left;
      limit(headers, "reset").ifPresent(at -> reset = Instant.ofEpochSecond(at));
    }
  }

  /** The host refuses to answer for a limit of its own: the time until it may be asked again. */
  synchronized Duration refused(HttpHeaders headers) {
    clock.heard(headers);
    read(headers);
    Instant now = clock.instant();
    OptionalLong after = number(headers, "retry-after");
    boolean spent = limit(headers, "remaining").equals(OptionalLong.of(0));
    Duration usual = MINUTE.multipliedBy(1L << Math.min(refusals++, MOST_DOUBLINGS));
    Duration wait =
        after.isPresent()
            ? Duration.ofSeconds(after.getAsLong())
            : spent && reset.isAfter(now) ? Duration.between(now, reset) : usual;
    closedUntil = now.plus(wait.isPositive() ? wait : usual);
    return Duration.between(now, closedUntil);
  }

  /** What a header tells of a limit: some hosts mark its name as their own, others do not. */
  static OptionalLong limit(HttpHeaders headers, String what) {
    OptionalLong own = number(headers, "x-ratelimit-" + what);
    return own.isPresent() ? own : number(headers, "ratelimit-" + what);
  }

  private static OptionalLong number(HttpHeaders headers, String name) {
    return headers.firstValue(name).stream()
        .filter(text -> text.matches("\\d{1,12}"))
        .mapToLong(Long::parseLong)
        .findFirst();
  }
}
