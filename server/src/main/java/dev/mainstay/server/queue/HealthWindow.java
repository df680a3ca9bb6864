package dev.mainstay.server.queue;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * A stretch of time in steps: from the beginning of an hour or a day in UTC until some moment, so
 * that the last step may be a part of one.
 */
public record HealthWindow(Instant from, Instant to, Step step) {
  static final int MOST_STEPS = 400;
  private static final Duration USUAL = Duration.ofDays(7);

  /** The length of a step. */
  public enum Step {
    HOUR(ChronoUnit.HOURS),
    DAY(ChronoUnit.DAYS);

    private final ChronoUnit unit;

    Step(ChronoUnit unit) {
      this.unit = unit;
    }

    public Duration length() {
      return unit.getDuration();
    }
  }

  /**
   * The stretch that was asked for, but not beyond now, and the last seven days where nothing was;
   * empty where nothing or too much lies between.
   */
  static Optional<HealthWindow> of(
      Optional<Instant> from, Optional<Instant> to, Step step, Instant now) {
    Instant end = to.filter(now::isAfter).orElse(now).truncatedTo(ChronoUnit.MICROS);
    Instant begin = from.orElseGet(() -> ceiling(end, step).minus(USUAL)).truncatedTo(step.unit);
    if (from.orElse(begin).compareTo(end) >= 0) {
      return Optional.empty();
    }
    var window = new HealthWindow(begin, end, step);
    return window.count() > MOST_STEPS ? Optional.empty() : Optional.of(window);
  }

  private static Instant ceiling(Instant time, Step step) {
    Instant floor = time.truncatedTo(step.unit);
    return floor.equals(time) ? time : floor.plus(step.length());
  }

  /** How many steps there are. */
  long count() {
    return Duration.between(from, ceiling(to, step)).dividedBy(step.length());
  }

  Instant begin(int number) {
    return from.plus(step.length().multipliedBy(number));
  }
}
