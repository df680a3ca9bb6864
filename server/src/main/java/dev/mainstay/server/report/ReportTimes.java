package dev.mainstay.server.report;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.regex.Pattern;

/** Times and durations as reports write them. What cannot be read is unknown, never an error. */
public final class ReportTimes {
  private static final long EARLIEST = Instant.parse("2000-01-01T00:00:00Z").toEpochMilli();
  private static final long LATEST = Instant.parse("9999-01-01T00:00:00Z").toEpochMilli();
  private static final int MAX_LENGTH = 64;
  private static final Pattern SECONDS_SINCE_1970 = Pattern.compile("\\d{9,10}(\\.\\d{1,9})?");
  private static final Pattern MILLIS_SINCE_1970 = Pattern.compile("\\d{12,13}");
  private static final Pattern DAY_FIRST = Pattern.compile("^\\d{1,2} [A-Za-z]{3} ");
  private static final Pattern SHORT_OFFSET = Pattern.compile("(.*:.*[+-]\\d\\d)(\\d\\d)");

  private String lastText = "";
  private long lastTime = ReportedRun.UNKNOWN_TIME;

  /** The moment a timestamp names; without a zone it is taken as UTC. */
  public long millis(String text) {
    if (!text.equals(lastText)) {
      lastTime = text.length() > MAX_LENGTH ? ReportedRun.UNKNOWN_TIME : read(text.strip());
      lastText = text;
    }
    return lastTime;
  }

  /** The moment that a number of milliseconds since 1970 names. */
  public static long millis(long since1970) {
    return since1970 >= EARLIEST && since1970 < LATEST ? since1970 : ReportedRun.UNKNOWN_TIME;
  }

  private static long read(String text) {
    try {
      long plain = PlainTimes.millis(text);
      long millis = plain == PlainTimes.OTHERWISE ? parsed(text) : plain;
      return millis >= EARLIEST && millis < LATEST ? millis : ReportedRun.UNKNOWN_TIME;
    } catch (DateTimeException | ArithmeticException e) {
      return ReportedRun.UNKNOWN_TIME;
    }
  }

  private static long parsed(String text) {
    if (SECONDS_SINCE_1970.matcher(text).matches()) {
      return (long) (Double.parseDouble(text) * 1000);
    }
    if (MILLIS_SINCE_1970.matcher(text).matches()) {
      return Long.parseLong(text);
    }
    if (text.length() == 10) {
      return LocalDate.parse(text).atStartOfDay().toInstant(ZoneOffset.UTC).toEpochMilli();
    }
    if (!text.isEmpty() && (Character.isLetter(text.charAt(0)) || DAY_FIRST.matcher(text).find())) {
      return OffsetDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME)
          .toInstant()
          .toEpochMilli();
    }
    String iso =
        text.replace(" UTC", "Z").replace(" GMT", "Z").replace("T ", "T").replaceFirst(" ", "T");
    iso = SHORT_OFFSET.matcher(iso.replace(',', '.')).replaceFirst("$1:$2");
    boolean hasZone =
        iso.indexOf('Z') > 0 || iso.lastIndexOf('+') > 10 || iso.lastIndexOf('-') > 10;
    return hasZone
        ? OffsetDateTime.parse(iso.replace(" ", "")).toInstant().toEpochMilli()
        : LocalDateTime.parse(iso).toInstant(ZoneOffset.UTC).toEpochMilli();
  }

  /** Seconds as a decimal, however written; negative and absurd ones are unknown. */
  public static int durationMillis(String text) {
    if (text.isEmpty() || text.length() > MAX_LENGTH) {
      return ReportedRun.UNKNOWN_DURATION;
    }
    int plain = PlainTimes.durationMillis(text, 0);
    if (plain >= 0) {
      return plain;
    }
    try {
      double millis = Double.parseDouble(plainDecimal(text)) * 1000;
      return millis >= 0 && millis <= Integer.MAX_VALUE
          ? (int) Math.round(millis)
          : ReportedRun.UNKNOWN_DURATION;
    } catch (NumberFormatException e) {
      return ReportedRun.UNKNOWN_DURATION;
    }
  }

  /** The same of characters, which nearly always need not become a text. */
  public static int durationMillis(char[] text, int from, int to) {
    int plain = PlainTimes.durationMillis(text, from, to);
    return plain >= 0 ? plain : durationMillis(new String(text, from, to - from));
  }

  /** A number of digits only; -1 for all else. */
  public static double count(String text) {
    return text.isEmpty() || text.length() > 15
        ? -1
        : (double) Math.max(-1, PlainTimes.number(text, 0, text.length()));
  }

  /** A duration in milliseconds, or in another unit that is so many of them. */
  public static int duration(double count, double unitMillis) {
    double millis = count * unitMillis;
    return millis >= 0 && millis <= Integer.MAX_VALUE
        ? (int) Math.round(millis)
        : ReportedRun.UNKNOWN_DURATION;
  }

  /** A number with a decimal point: one comma alone is a decimal comma; others group thousands. */
  private static String plainDecimal(String text) {
    int comma = text.indexOf(',');
    if (comma < 0) {
      return text;
    }
    boolean decimal = text.indexOf('.') < 0 && text.indexOf(',', comma + 1) < 0;
    return decimal ? text.replace(',', '.') : text.replace(",", "");
  }

  /** A duration as .NET writes it: {@code hh:mm:ss.fffffff}. */
  public static int clockMillis(String text) {
    boolean plain = text.length() > 8 && text.charAt(2) == ':' && text.charAt(5) == ':';
    long hours = plain ? PlainTimes.number(text, 0, 2) : -1;
    long minutes = plain ? PlainTimes.number(text, 3, 5) : -1;
    int rest = plain ? PlainTimes.durationMillis(text, 6) : -1;
    if (hours >= 0 && minutes >= 0 && rest >= 0) {
      return (int) (hours * 3_600_000 + minutes * 60_000) + rest;
    }
    String[] parts = text.length() > MAX_LENGTH ? new String[0] : text.split(":", 4);
    if (parts.length != 3) {
      return ReportedRun.UNKNOWN_DURATION;
    }
    try {
      double seconds =
          Integer.parseInt(parts[0]) * 3600.0
              + Integer.parseInt(parts[1]) * 60.0
              + Double.parseDouble(parts[2]);
      return durationMillis(Double.toString(seconds));
    } catch (NumberFormatException e) {
      return ReportedRun.UNKNOWN_DURATION;
    }
  }
}
