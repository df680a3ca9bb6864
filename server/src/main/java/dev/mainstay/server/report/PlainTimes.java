package dev.mainstay.server.report;

import java.time.LocalDate;
import java.time.Month;
import java.time.chrono.IsoChronology;

/**
 * Times and durations as nearly all reports write them, read digit by digit: reports have one or
 * two for each test. What is written otherwise is left to {@link ReportTimes}.
 */
final class PlainTimes {
  static final long OTHERWISE = Long.MIN_VALUE;

  private static final int MILLIS_OF_DAY = 86_400_000;
  private static final int MOST_FRACTION = 9;
  private static final int MOST_SECONDS = 6;
  private static final int NANOS_OF_MILLI = 1_000_000;
  private static final int[] TENS = {
    1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000
  };

  private PlainTimes() {}

  /**
   * The milliseconds since 1970 of {@code 2026-03-01T10:00:00}, with or without a fraction and a
   * zone, or of 13 digits that are that number; {@link #OTHERWISE} for all else.
   */
  static long millis(String text) {
    int length = text.length();
    if (length == 13) {
      return number(text, 0, 13);
    }
    if (length < 19
        || text.charAt(4) != '-'
        || text.charAt(7) != '-'
        || (text.charAt(10) != 'T' && text.charAt(10) != ' ')
        || text.charAt(13) != ':'
        || text.charAt(16) != ':') {
      return OTHERWISE;
    }
    long day = day(number(text, 0, 4), number(text, 5, 7), number(text, 8, 10));
    long hour = number(text, 11, 13);
    long minute = number(text, 14, 16);
    long second = number(text, 17, 19);
    if (day < 0 || hour < 0 || hour > 23 || minute < 0 || minute > 59) {
      return OTHERWISE;
    }
    if (second < 0 || second > 59) {
      return OTHERWISE;
    }
    int at = 19;
    int milli = 0;
    if (at < length && (text.charAt(at) == '.' || text.charAt(at) == ',')) {
      int end = endOfDigits(text, at + 1);
      if (end == at + 1 || end > at + 1 + MOST_FRACTION) {
        return OTHERWISE;
      }
      milli = thousandths(text, at + 1, end);
      at = end;
    }
    long offset = offsetMinutes(text, at);
    return offset == OTHERWISE
        ? OTHERWISE
        : day * MILLIS_OF_DAY + (hour * 60 + minute - offset) * 60_000 + second * 1000 + milli;
  }

  private static long day(long year, long month, long day) {
    if (year < 1970 || month < 1 || month > 12 || day < 1) {
      return OTHERWISE;
    }
    boolean exists =
        day <= 28 || day <= Month.of((int) month).length(IsoChronology.INSTANCE.isLeapYear(year));
    return exists ? LocalDate.of((int) year, (int) month, (int) day).toEpochDay() : OTHERWISE;
  }

  /** How far the zone at the end of a time is ahead of UTC; none is UTC. */
  private static long offsetMinutes(String text, int at) {
    int length = text.length();
    if (at == length
        || (at == length - 1 && text.charAt(at) == 'Z')
        || (at == length - 4 && (text.endsWith(" UTC") || text.endsWith(" GMT")))) {
      return 0;
    }
    boolean ahead = text.charAt(at) == '+';
    boolean colon = at == length - 6 && text.charAt(at + 3) == ':';
    if ((!ahead && text.charAt(at) != '-') || (!colon && at != length - 5)) {
      return OTHERWISE;
    }
    long hours = number(text, at + 1, at + 3);
    long minutes = number(text, length - 2, length);
    if (hours < 0 || hours > 17 || minutes < 0 || minutes > 59) {
      return OTHERWISE;
    }
    return ahead ? hours * 60 + minutes : -hours * 60 - minutes;
  }

  /**
   * The milliseconds of seconds in decimal, from an index on: up to six digits, and up to nine
   * behind a point; -1 for all else.
   */
  static int durationMillis(String text, int from) {
    int length = text.length();
    int at = from;
    int millis = 0;
    while (at < length && text.charAt(at) != '.') {
      int digit = text.charAt(at++) - '0';
      if (digit < 0 || digit > 9 || at - from > MOST_SECONDS) {
        return -1;
      }
      millis = millis * 10 + digit;
    }
    if (at == from) {
      return -1;
    }
    int point = at++;
    for (int i = 0; i < 3; i++, at++) {
      int digit = at < length ? text.charAt(at) - '0' : 0;
      if (digit < 0 || digit > 9) {
        return -1;
      }
      millis = millis * 10 + digit;
    }
    return at >= length ? millis : rounded(millis, text, point);
  }

  /** The same of characters, from an index up to another. */
  static int durationMillis(char[] text, int from, int to) {
    int seconds = 0;
    int at = from;
    while (at < to && text[at] != '.') {
      int digit = text[at++] - '0';
      if (digit < 0 || digit > 9 || at - from > MOST_SECONDS) {
        return -1;
      }
      seconds = seconds * 10 + digit;
    }
    int behind = Math.max(0, to - at - 1);
    if (at == from || behind > MOST_FRACTION) {
      return -1;
    }
    int nanos = 0;
    for (int i = at + 1; i < to; i++) {
      int digit = text[i] - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      nanos = nanos * 10 + digit;
    }
    nanos *= TENS[MOST_FRACTION - behind];
    int rest = nanos % NANOS_OF_MILLI;
    // Exactly in the middle floating point decides.
    return rest == NANOS_OF_MILLI / 2
        ? -1
        : seconds * 1000 + nanos / NANOS_OF_MILLI + (rest > NANOS_OF_MILLI / 2 ? 1 : 0);
  }

  /** Rounds by what is behind the third digit behind the point. */
  private static int rounded(int millis, String text, int point) {
    int next = point + 4;
    int end = endOfDigits(text, next);
    // Exactly in the middle floating point decides, as it does where this is not plain.
    boolean middle = text.charAt(next) == '5' && isZero(text, next + 1, end);
    if (end < text.length() || end > point + 1 + MOST_FRACTION || middle) {
      return -1;
    }
    return text.charAt(next) >= '5' ? millis + 1 : millis;
  }

  private static boolean isZero(String text, int from, int to) {
    for (int i = from; i < to; i++) {
      if (text.charAt(i) != '0') {
        return false;
      }
    }
    return true;
  }

  /** The first three digits behind a point. */
  private static int thousandths(String text, int from, int to) {
    int value = 0;
    for (int i = from; i < from + 3; i++) {
      value = value * 10 + (i < to ? text.charAt(i) - '0' : 0);
    }
    return value;
  }

  private static int endOfDigits(String text, int from) {
    int end = from;
    while (end < text.length() && text.charAt(end) >= '0' && text.charAt(end) <= '9') {
      end++;
    }
    return end;
  }

  /** A number of digits only. */
  static long number(String text, int from, int to) {
    long value = 0;
    for (int i = from; i < to; i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return OTHERWISE;
      }
      value = value * 10 + digit;
    }
    return value;
  }
}
