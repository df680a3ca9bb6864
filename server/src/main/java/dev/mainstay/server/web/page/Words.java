package dev.mainstay.server.web.page;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Locale;

/** Times, spans and numbers as people read them. */
public final class Words {
  private static final DateTimeFormatter UTC =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);
  private static final String WRITTEN = "0000-00-00T00:00:00Z";
  private static final int MINUTE = 60;
  private static final int HOUR = 60 * MINUTE;
  private static final int DAY = 24 * HOUR;

  private Words() {}

  /** A time for readers without JavaScript; others see their own zone. */
  public static String utc(String at) {
    if (isAsWritten(at)) {
      return at.substring(0, 10) + " " + at.substring(11, 16) + " UTC";
    }
    try {
      return UTC.format(Instant.parse(at));
    } catch (DateTimeParseException e) {
      return at;
    }
  }

  /** Whether it is a time in UTC in the form that the API writes. */
  private static boolean isAsWritten(String at) {
    boolean written = at.length() >= WRITTEN.length() && at.endsWith("Z");
    for (int i = 0; written && i < WRITTEN.length() - 1; i++) {
      char sign = at.charAt(i);
      written = WRITTEN.charAt(i) == '0' ? sign >= '0' && sign <= '9' : sign == WRITTEN.charAt(i);
    }
    return written;
  }

  /** A span of time in its two largest units. */
  public static String span(double seconds) {
    long s = Math.max(0, Math.round(seconds));
    if (s < MINUTE) {
      return s + " s";
    }
    if (s < HOUR) {
      return both(s / MINUTE, "min", s % MINUTE, "s");
    }
    return s < DAY
        ? both(s / HOUR, "h", s % HOUR / MINUTE, "min")
        : both(s / DAY, "d", s % DAY / HOUR, "h");
  }

  private static String both(long large, String unit, long small, String smaller) {
    return small == 0 ? large + " " + unit : "%d %s %d %s".formatted(large, unit, small, smaller);
  }

  public static String percent(double share) {
    double percent = share * 100;
    return percent > 0 && percent < 10
        ? String.format(Locale.ROOT, "%.1f %%", percent)
        : Math.round(percent) + " %";
  }

  /** A number with its noun; the plural is the noun with an s. */
  public static String count(long number, String noun) {
    return "%,d %s%s".formatted(number, noun, number == 1 ? "" : "s");
  }

  /** The short form of a commit. */
  public static String commit(String sha) {
    return sha.length() > 10 ? sha.substring(0, 10) : sha;
  }
}
