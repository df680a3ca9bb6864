package dev.mainstay.server.report.json;

import dev.mainstay.server.report.SourcePaths;
import dev.mainstay.server.report.Texts;
import java.util.Arrays;
import java.util.function.UnaryOperator;

/** A value that mostly is one of a few that came before, and then need not be made again. */
final class RecentText {
  private static final int SLOTS = 8;
  private static final int LONGEST = 400;

  private final UnaryOperator<String> made;
  private final char[][] chars = new char[SLOTS][];
  private final String[] texts = new String[SLOTS];

  private RecentText(UnaryOperator<String> made) {
    this.made = made;
    Arrays.fill(chars, new char[0]);
    Arrays.fill(texts, "");
  }

  static RecentText plain() {
    return new RecentText(UnaryOperator.identity());
  }

  /** The path of a source, as it is part of the identity of a test. */
  static RecentText path() {
    return new RecentText(SourcePaths::of);
  }

  String of(char[] from, int start, int count) {
    if (count == 0) {
      return "";
    }
    int slot = (count + 7 * from[start] + 31 * from[start + count - 1]) % SLOTS;
    char[] known = chars[slot];
    if (Arrays.equals(from, start, start + count, known, 0, known.length)) {
      return texts[slot];
    }
    String text = made.apply(Texts.clean(from, start, count));
    if (count <= LONGEST) {
      chars[slot] = Arrays.copyOfRange(from, start, start + count);
      texts[slot] = text;
    }
    return text;
  }
}
