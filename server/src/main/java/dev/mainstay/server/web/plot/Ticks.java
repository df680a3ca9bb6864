package dev.mainstay.server.web.plot;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The marks of an axis, at round numbers and at round times in UTC. */
final class Ticks {
  private static final int MOST_TIMES = 8;
  private static final double[] NICE = {1, 2, 2.5, 5, 10};
  private static final long[] ROUND_SECONDS = {
    1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400,
    172_800, 432_000, 864_000
  };
  private static final long DAY = 86_400;
  private static final long[] STEPS = {
    60, 300, 900, 1800, 3600, 10_800, 21_600, 43_200, DAY, 2 * DAY, 7 * DAY, 14 * DAY, 28 * DAY,
    91 * DAY, 364 * DAY
  };

  /** The epoch began on a Thursday; weeks begin on Mondays. */
  private static final long MONDAY = 4 * DAY;

  private static final DateTimeFormatter HOUR = DateTimeFormatter.ofPattern("HH:mm", Locale.ROOT);
  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("MMM d", Locale.ENGLISH);
  private static final DateTimeFormatter MONTH =
      DateTimeFormatter.ofPattern("MMM yyyy", Locale.ENGLISH);

  private Ticks() {}

  record Time(Instant at, String text) {}

  /** Marks from 0 to a round number that is no less than the most; never fewer than two. */
  static List<Double> upTo(double most, Unit unit) {
    double top = Unit.safe(most);
    double step =
        unit == Unit.SHARE && top > 0.5 && top <= 1 ? 0.25 : step(top > 0 ? top / 4 : 0.25, unit);
    var ticks = new ArrayList<Double>(List.of(0.0));
    while (ticks.getLast() < top || ticks.size() < 2) {
      ticks.add(step * ticks.size());
    }
    return ticks;
  }

  private static double step(double least, Unit unit) {
    if (unit == Unit.SECONDS) {
      for (long round : ROUND_SECONDS) {
        if (round >= least) {
          return round;
        }
      }
      return DAY * step(least / DAY, Unit.COUNT);
    }
    double whole = unit == Unit.COUNT ? Math.max(1, least) : least;
    double power = Math.pow(10, Math.floor(Math.log10(whole)));
    for (double nice : NICE) {
      double step = nice * power;
      if (step >= whole && (unit != Unit.COUNT || step == Math.rint(step))) {
        return step;
      }
    }
    return 10 * power;
  }

  static List<Time> between(Instant from, Instant to) {
    long span = Math.max(1, Duration.between(from, to).toSeconds());
    long step = STEPS[STEPS.length - 1];
    for (int i = STEPS.length - 1; i >= 0 && span / STEPS[i] <= MOST_TIMES; i--) {
      step = STEPS[i];
    }
    while (span / step > MOST_TIMES) {
      step *= 2;
    }
    long shift = step % (7 * DAY) == 0 ? MONDAY : 0;
    long first = Math.ceilDiv(from.getEpochSecond() - shift, step) * step + shift;
    var ticks = new ArrayList<Time>();
    for (long at = first; at <= to.getEpochSecond(); at += step) {
      ticks.add(new Time(Instant.ofEpochSecond(at), text(Instant.ofEpochSecond(at), step)));
    }
    return ticks;
  }

  private static String text(Instant at, long step) {
    ZonedDateTime time = at.atZone(ZoneOffset.UTC);
    if (step >= 91 * DAY) {
      return MONTH.format(time);
    }
    boolean midnight = time.toLocalTime().toSecondOfDay() == 0;
    return midnight || step >= DAY ? DATE.format(time) : HOUR.format(time);
  }

  /** A time in words, to the minute. */
  static String moment(Instant at) {
    ZonedDateTime time = at.atZone(ZoneOffset.UTC);
    boolean midnight = time.toLocalTime().toSecondOfDay() == 0;
    return time.toLocalDate() + (midnight ? "" : " " + HOUR.format(time) + " UTC");
  }
}
