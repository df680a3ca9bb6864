package dev.mainstay.server.report.json;

import dev.mainstay.server.report.ReportTimes;
import dev.mainstay.server.report.ReportedRun;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A place in a line of a known shape: an object, whose parts are in a list. */
final class LineCursor extends JsonCursor {
  static final int MOST_PARTS = 60;

  /** So many digits are a number that a double has exactly. */
  private static final int MOST_DIGITS = 15;

  /** What a part is; {@code CLOSE} ends an object or an array, {@code END} the line. */
  enum Kind {
    TEXT,
    NUMBER,
    TRUE,
    FALSE,
    NULL,
    OBJECT,
    ARRAY,
    CLOSE,
    END
  }

  /** The line itself is the first part, and its end the last. */
  private static final int MOST = MOST_PARTS + 2;

  /** The names of fields; those that end something have none. */
  private final @Nullable String[] names = new String[MOST];

  private final Kind[] kinds = new Kind[MOST];
  private final int[] from = new int[MOST];
  private final int[] to = new int[MOST];

  /** The parts of the line that are begun, up to {@code depth}. */
  private final int[] open = new int[MOST];

  /** Of an object or an array the part that ends it, of all others they themselves. */
  private final int[] last = new int[MOST];

  private byte[] bytes = new byte[0];
  private int count;
  private int depth;
  private int at;

  /** Begins a line. */
  void begins(byte[] line) {
    bytes = line;
    count = 0;
    depth = 0;
    at = 0;
    opens("", Kind.OBJECT);
  }

  /** Adds a value of the line, which lies between two indices; elements have no name. */
  void add(String name, Kind kind, int begin, int end) {
    names[count] = name;
    kinds[count] = kind;
    from[count] = begin;
    to[count] = end;
    last[count] = count;
    count++;
  }

  /** Begins an object or an array of the line. */
  void opens(String name, Kind kind) {
    names[count] = name;
    kinds[count] = kind;
    open[depth++] = count++;
  }

  /** Ends the object or array that was begun last. */
  void closes(Kind kind) {
    names[count] = null;
    kinds[count] = kind;
    last[count] = count;
    last[open[--depth]] = count++;
  }

  @Override
  @Nullable String firstField() {
    if (!is(Kind.OBJECT)) {
      passOver();
      return null;
    }
    return fieldBehind();
  }

  @Override
  @Nullable String nextField() {
    passOver();
    return fieldBehind();
  }

  private @Nullable String fieldBehind() {
    return at == count - 1 ? null : names[++at];
  }

  /** Goes to the end of the object or array here. */
  private void passOver() {
    at = last[at];
  }

  @Override
  void array(Runnable element) {
    if (!is(Kind.ARRAY)) {
      passOver();
      return;
    }
    at++;
    while (!is(Kind.CLOSE)) {
      element.run();
      passOver();
      at++;
    }
  }

  private boolean is(Kind kind) {
    return kinds[at] == kind;
  }

  @Override
  String text() {
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
    return is(Kind.ARRAY);
  }

  @Override
  boolean isObject() {
    return is(Kind.OBJECT);
  }
}
