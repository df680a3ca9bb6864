package dev.mainstay.server.report.json;

import dev.mainstay.server.report.PlainBytes;
import dev.mainstay.server.report.SourcePaths;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A value that mostly is one of a few that came before, and then need not be made again. */
final class RecentText {
  private static final int SLOTS = 8;
  private static final int LONGEST = 400;
  private static final int FIRST_ROOM = 64;

  private final UnaryOperator<String> made;
  private final byte[][] raw = new byte[SLOTS][];
  private final int[] lengths = new int[SLOTS];
  private final String[] texts = new String[SLOTS];

  private RecentText(UnaryOperator<String> made) {
    this.made = made;
    Arrays.fill(raw, new byte[0]);
    Arrays.fill(texts, "");
  }

  static RecentText plain() {
    return new RecentText(UnaryOperator.identity());
  }

  /** The path of a source, as it is part of the identity of a test. */
  static RecentText path() {
    return new RecentText(SourcePaths::of);
  }

  /** What was made of the same bytes of a document; null where that is forgotten. */
  @Nullable String find(byte[] bytes, int from, int to) {
    if (from == to) {
      return "";
    }
    int slot = slot(bytes, from, to);
    int length = to - from;
    return lengths[slot] == length && PlainBytes.areEqual(bytes, from, raw[slot], length)
        ? texts[slot]
        : null;
  }

  /** What is made of a text. */
  String of(String text) {
    return made.apply(text);
  }

  /** Remembers what was made of bytes. */
  void keep(byte[] bytes, int from, int to, String text) {
    int length = to - from;
    if (length == 0 || length > LONGEST) {
      return;
    }
    int slot = slot(bytes, from, to);
    if (raw[slot].length < length) {
      raw[slot] = new byte[Math.max(length, FIRST_ROOM)];
    }
    System.arraycopy(bytes, from, raw[slot], 0, length);
    lengths[slot] = length;
    texts[slot] = text;
  }

  private static int slot(byte[] bytes, int from, int to) {
    return (to - from + 7 * bytes[from] + 31 * bytes[to - 1]) & (SLOTS - 1);
  }
}
