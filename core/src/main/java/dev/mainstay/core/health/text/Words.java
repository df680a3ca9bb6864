package dev.mainstay.core.health.text;

import java.util.Locale;
import java.util.Set;

/**
 * Takes a line of text apart into words and what stands between them, and puts it together again
 * with a mark in place of every number, id, address, path and time. What is next to each other and
 * marked becomes one mark: a date and a time, a list of numbers. Each character is looked at a
 * bounded number of times.
 */
final class Words {
  private static final String BETWEEN = " \t\"'`()[]{}<>,;=|!?";

  private static final Set<String> UNITS =
      Set.of(
          "ns",
          "nanos",
          "nanosecond",
          "nanoseconds",
          "us",
          "µs",
          "micros",
          "microsecond",
          "microseconds",
          "ms",
          "millis",
          "millisecond",
          "milliseconds",
          "s",
          "sec",
          "secs",
          "second",
          "seconds",
          "m",
          "min",
          "mins",
          "minute",
          "minutes",
          "h",
          "hr",
          "hrs",
          "hour",
          "hours",
          "d",
          "day",
          "days");

  private static final Set<String> CALENDAR =
      Set.of(
          "jan",
          "feb",
          "mar",
          "apr",
          "may",
          "jun",
          "jul",
          "aug",
          "sep",
          "oct",
          "nov",
          "dec",
          "january",
          "february",
          "march",
          "april",
          "june",
          "july",
          "august",
          "september",
          "october",
          "november",
          "december",
          "mon",
          "tue",
          "wed",
          "thu",
          "fri",
          "sat",
          "sun",
          "monday",
          "tuesday",
          "wednesday",
          "thursday",
          "friday",
          "saturday",
          "sunday",
          "utc",
          "gmt",
          "cet",
          "cest",
          "est",
          "edt",
          "pst",
          "pdt",
          "am",
          "pm");

  private final String line;
  private final StringBuilder out = new StringBuilder();

  /** The end in {@code out} of a mark that a following one would join, or -1. */
  private int markEnd = -1;

  /** The beginning in {@code out} of a word of the calendar that a following mark would take in. */
  private int calendarStart = -1;

  private Words(String line) {
    this.line = line;
  }

  static String shape(String line) {
    var words = new Words(line);
    words.read();
    return words.out.toString();
  }

  private void read() {
    int at = 0;
    while (at < line.length()) {
      int end = at;
      boolean between = isBetween(line.charAt(at));
      while (end < line.length() && isBetween(line.charAt(end)) == between) {
        end++;
      }
      if (!between && line.substring(at, end).contains("://")) {
        end = endOfUrl(end);
      }
      if (between) {
        separate(line.substring(at, end));
      } else {
        word(line.substring(at, end));
      }
      at = end;
    }
  }

  private int endOfUrl(int from) {
    int end = from;
    while (end < line.length()
        && (!isBetween(line.charAt(end)) || "?=,;!|".indexOf(line.charAt(end)) >= 0)) {
      end++;
    }
    return end;
  }

  private static boolean isBetween(char c) {
    return BETWEEN.indexOf(c) >= 0;
  }

  /** Blanks and commas do not keep marks apart; anything else does. */
  private void separate(String between) {
    boolean joins = between.chars().allMatch(c -> c == ' ' || c == ',');
    if (!joins) {
      markEnd = -1;
      calendarStart = -1;
    }
    out.append(between);
  }

  private void word(String word) {
    int end = word.length();
    while (end > 0 && ".:".indexOf(word.charAt(end - 1)) >= 0) {
      end--;
    }
    String bare = word.substring(0, end);
    String shape = WordShape.of(bare);
    String lower = bare.toLowerCase(Locale.ROOT);
    if (shape.equals(WordShape.MARK)) {
      mark();
    } else if (markEnd >= 0 && (UNITS.contains(lower) || CALENDAR.contains(lower))) {
      out.setLength(markEnd);
    } else if (CALENDAR.contains(lower)) {
      calendarStart = calendarStart >= 0 ? calendarStart : out.length();
      out.append(shape);
    } else {
      out.append(shape);
      markEnd = -1;
      calendarStart = -1;
    }
    if (end < word.length()) {
      out.append(word, end, word.length());
      markEnd = -1;
      calendarStart = -1;
    }
  }

  private void mark() {
    if (markEnd >= 0) {
      out.setLength(markEnd);
    } else {
      if (calendarStart >= 0) {
        out.setLength(calendarStart);
      }
      out.append(WordShape.MARK);
    }
    markEnd = out.length();
    calendarStart = -1;
  }
}
