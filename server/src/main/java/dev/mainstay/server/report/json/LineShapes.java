package dev.mainstay.server.report.json;

import dev.mainstay.server.report.PlainBytes;
import dev.mainstay.server.report.json.LineCursor.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * The shapes of the lines of a file: a tool writes lines that differ in nothing but their values.
 * What stands between the values of a line is learnt when a parser reads it. Another line with the
 * same between its values is well-formed where they are, and needs no parser.
 */
final class LineShapes {
  private static final int MOST_LEARNT = 50;
  private static final int MOST_CHOICES = 8;
  private static final int MOST_PARTS = LineCursor.MOST_PARTS;
  private static final int LONGEST_NUMBER = 40;

  /** Blanks and names may be as long as a line, and what is learnt is kept. */
  private static final int LONGEST_BETWEEN = 1_000;

  /** How many lines in a row may be of other shapes before nobody looks for one any more. */
  private static final int MOST_OTHERS = 500;

  private final List<Step> first = new ArrayList<>();
  private int learnt;
  private int others;

  /** A part of the shape of a line: a value, or the beginning or end of one that has parts. */
  private static final class Step {
    /** The bytes from the end of the value before it up to its own, with the quote. */
    final byte[] before;

    final String name;
    final Kind kind;

    /** The parts that may follow it, or the end of the line. */
    final List<Step> next = new ArrayList<>();

    Step(byte[] before, String name, Kind kind) {
      this.before = before;
      this.name = name;
      this.kind = kind;
    }
  }

  /** False where it helps no more to look for shapes. */
  boolean help() {
    return others < MOST_OTHERS;
  }

  /** True where a line of another shape should be learnt. */
  boolean learn() {
    return learnt < MOST_LEARNT;
  }

  /**
   * Sets a cursor to the line that begins at an index, if its shape is known. Returns the index
   * behind its object, or -1.
   */
  int match(byte[] bytes, int from, int to, LineCursor cursor) {
    int end = find(bytes, from, to, cursor);
    others = end < 0 ? others + 1 : 0;
    return end;
  }

  private int find(byte[] bytes, int from, int to, LineCursor cursor) {
    cursor.begins(bytes);
    List<Step> choices = first;
    int at = from;
    while (true) {
      int choice = choice(choices, bytes, at, to);
      if (choice < 0) {
        return -1;
      }
      Step step = choices.get(choice);
      at += step.before.length;
      int end = at;
      choices = step.next;
      switch (step.kind) {
        case END -> {
          cursor.closes(Kind.END);
          return at == to || bytes[at] == '\n' || bytes[at] == '\r' ? at : -1;
        }
        case OBJECT, ARRAY -> {
          cursor.opens(step.name, step.kind);
          continue;
        }
        case CLOSE -> {
          cursor.closes(Kind.CLOSE);
          continue;
        }
        case TEXT -> end = endOfText(bytes, at, to);
        case NUMBER -> end = endOfNumber(bytes, at, to);
        default -> {}
      }
      if (end < 0) {
        return -1;
      }
      cursor.add(step.name, step.kind, at, end);
      at = end;
    }
  }

  private static int choice(List<Step> choices, byte[] bytes, int at, int to) {
    for (int i = 0; i < choices.size(); i++) {
      byte[] before = choices.get(i).before;
      if (before.length <= to - at && PlainBytes.areEqual(bytes, at, before, before.length)) {
        return i;
      }
    }
    return -1;
  }

  /** The index of the quote behind a text of ASCII, which may have escapes; -1 for all else. */
  private static int endOfText(byte[] bytes, int from, int to) {
    int end = PlainBytes.endOfPlainText(bytes, from, to);
    while (end < to && bytes[end] == '\\') {
      if (end + 1 == to || "\"\\/bfnrt".indexOf(bytes[end + 1]) < 0) {
        return -1;
      }
      end = PlainBytes.endOfPlainText(bytes, end + 2, to);
    }
    return end < to && bytes[end] == '"' ? end : -1;
  }

  /** The index behind a plain number; -1 for all else. */
  private static int endOfNumber(byte[] bytes, int from, int to) {
    int begin = from < to && bytes[from] == '-' ? from + 1 : from;
    int end = endOfDigits(bytes, begin, to);
    if (end == begin || (bytes[begin] == '0' && end > begin + 1)) {
      return -1;
    }
    if (end < to && bytes[end] == '.') {
      int point = end;
      end = endOfDigits(bytes, point + 1, to);
      if (end == point + 1) {
        return -1;
      }
    }
    return end - from <= LONGEST_NUMBER ? end : -1;
  }

  private static int endOfDigits(byte[] bytes, int from, int to) {
    int i = from;
    while (i < to && bytes[i] >= '0' && bytes[i] <= '9') {
      i++;
    }
    return i;
  }

  /** Learns the shape of a line that was read, if it has not too many parts. */
  void learn(byte[] bytes, int from, int to) {
    learnt++;
    List<Step> choices = first;
    int at = from;
    try (JsonParser json = JsonParsers.of(bytes, from, to - from)) {
      json.nextToken();
      int depth = 1;
      for (int i = 0; i <= MOST_PARTS; i++) {
        JsonToken next = json.nextToken();
        boolean isNamed = next == JsonToken.PROPERTY_NAME;
        String name = isNamed ? json.currentName() : "";
        Kind kind = kind(isNamed ? json.nextToken() : next);
        depth += kind == Kind.OBJECT || kind == Kind.ARRAY ? 1 : 0;
        depth -= kind == Kind.CLOSE ? 1 : 0;
        if (depth == 0) {
          if (to - at <= LONGEST_BETWEEN) {
            add(choices, new Step(Arrays.copyOfRange(bytes, at, to), "", Kind.END));
          }
          return;
        }
        if (i == MOST_PARTS) {
          return;
        }
        int token = from + (int) json.currentTokenLocation().getByteOffset();
        int begin = kind == Kind.TEXT ? token + 1 : token + lengthOf(kind);
        int end =
            switch (kind) {
              case TEXT -> PlainBytes.endOfText(bytes, begin, to);
              case NUMBER -> endOfNumber(bytes, begin, to);
              default -> begin;
            };
        if (end < 0 || begin - at > LONGEST_BETWEEN) {
          return;
        }
        // The same text as in the code of a reader is found to be it at once.
        choices = add(choices, new Step(Arrays.copyOfRange(bytes, at, begin), name.intern(), kind));
        at = end;
      }
    }
  }

  private static Kind kind(JsonToken token) {
    return switch (token) {
      case VALUE_STRING -> Kind.TEXT;
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> Kind.NUMBER;
      case VALUE_TRUE -> Kind.TRUE;
      case VALUE_FALSE -> Kind.FALSE;
      case VALUE_NULL -> Kind.NULL;
      case START_OBJECT -> Kind.OBJECT;
      case START_ARRAY -> Kind.ARRAY;
      case END_OBJECT, END_ARRAY -> Kind.CLOSE;
      default -> throw new IllegalStateException("not in a line that was read: " + token);
    };
  }

  /** The length of a value that is always the same. */
  private static int lengthOf(Kind kind) {
    return switch (kind) {
      case OBJECT, ARRAY, CLOSE -> 1;
      case TRUE, NULL -> 4;
      case FALSE -> 5;
      default -> 0;
    };
  }

  /** Adds a part to those that may follow another; returns what may follow it. */
  private static List<Step> add(List<Step> choices, Step step) {
    for (Step known : choices) {
      if (known.kind == step.kind && Arrays.equals(known.before, step.before)) {
        return known.next;
      }
    }
    if (choices.size() < MOST_CHOICES) {
      choices.add(step);
    }
    return step.next;
  }
}
