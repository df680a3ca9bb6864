package dev.mainstay.server.report.json;

import dev.mainstay.server.report.ReportTimes;
import dev.mainstay.server.report.ReportedRun;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A place in a line of a known shape: an object without others in it. */
final class LineCursor extends JsonCursor {
  static final int MOST_FIELDS = 30;

  private static final int AT_OBJECT = -1;

  /** So many digits are a number that a double has exactly. */
  private static final int MOST_DIGITS = 15;

  /** What a value is; {@code END} is none. */
  enum Kind {
    TEXT,
    NUMBER,
    TRUE,
    FALSE,
    NULL,
    END
  }

  private final String[] names = new String[MOST_FIELDS];
  private final Kind[] kinds = new Kind[MOST_FIELDS];
  private final int[] from = new int[MOST_FIELDS];
  private final int[] to = new int[MOST_FIELDS];
  private byte[] bytes = new byte[0];
  private int count;
  private int at = AT_OBJECT;

  /** Begins a line. */
  void begins(byte[] line) {
    bytes = line;
    count = 0;
    at = AT_OBJECT;
  }

  /** Adds a field of the line, whose value lies between two indices. */
  void add(String name, Kind kind, int begin, int end) {
    names[count] = name;
    kinds[count] = kind;
    from[count] = begin;
    to[count] = end;
    count++;
  }

  @Override
  @Nullable String firstField() {
    return at == AT_OBJECT ? nextField() : null;
  }

  @Override
  @Nullable String nextField() {
    at++;
    return at < count ? names[at] : null;
  }

  @Override
  void array(Runnable element) {
    // There are none.
  }

  private boolean is(Kind kind) {
    return at >= 0 && at < count && kinds[at] == kind;
  }

  @Override
  String text() {
    if (at < 0 || at >= count) {
      return "";
    }
    return switch (kinds[at]) {
      case TEXT -> madeText();
      case NUMBER -> plain();
      case TRUE -> "true";
      case FALSE -> "false";
      default -> "";
    };
  }

  private String plain() {
    return new String(bytes, from[at], to[at] - from[at], StandardCharsets.ISO_8859_1);
  }

  private String madeText() {
    return from[at] == to[at] ? "" : JsonParsers.text(bytes, from[at], to[at]);
  }

  @Override
  String text(RecentText recent) {
    if (!is(Kind.TEXT)) {
      return text();
    }
    @Nullable String known = recent.find(bytes, from[at], to[at]);
    if (known != null) {
      return known;
    }
    String text = recent.of(madeText());
    recent.keep(bytes, from[at], to[at], text);
    return text;
  }

  @Override
  String word(List<String> words) {
    return is(Kind.TEXT) ? RawWords.find(words, bytes, from[at], to[at]) : "";
  }

  @Override
  void hold(HeldText held) {
    if (is(Kind.TEXT)) {
      held.hold(bytes, from[at], to[at]);
    }
  }

  @Override
  long moment(ReportTimes times) {
    return times.millis(text());
  }

  @Override
  int seconds() {
    return is(Kind.NUMBER) ? ReportTimes.durationMillis(plain()) : ReportedRun.UNKNOWN_DURATION;
  }

  @Override
  double number() {
    return is(Kind.NUMBER) ? number(from[at], to[at]) : -1;
  }

  /** A number, most of which are short and whole. */
  private double number(int begin, int end) {
    long whole = 0;
    int i = begin;
    while (i < end && i - begin < MOST_DIGITS && bytes[i] >= '0' && bytes[i] <= '9') {
      whole = whole * 10 + bytes[i] - '0';
      i++;
    }
    return i == end ? whole : Double.parseDouble(plain());
  }

  @Override
  boolean isTrue() {
    return is(Kind.TRUE);
  }

  @Override
  boolean isArray() {
    return false;
  }

  @Override
  boolean isObject() {
    return at == AT_OBJECT;
  }
}
