package dev.mainstay.server.report.json;

import dev.mainstay.server.report.TextCapture;
import dev.mainstay.server.report.Texts;

/** The characters of a value, for which no text is made unless somebody asks for it. */
final class HeldText {
  private char[] chars = new char[128];
  private int length;

  void clear() {
    length = 0;
  }

  void hold(char[] from, int start, int count) {
    chars = count <= chars.length ? chars : new char[2 * count];
    System.arraycopy(from, start, chars, 0, count);
    length = count;
  }

  boolean startsWith(String beginning) {
    if (beginning.length() > length) {
      return false;
    }
    for (int i = 0; i < beginning.length(); i++) {
      if (chars[i] != beginning.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** Adds the characters as they are. */
  void appendTo(TextCapture text) {
    text.append(chars, 0, length);
  }

  @Override
  public String toString() {
    return Texts.clean(chars, 0, length);
  }
}
