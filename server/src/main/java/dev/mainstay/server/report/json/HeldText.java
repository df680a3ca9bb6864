package dev.mainstay.server.report.json;

import dev.mainstay.server.report.TextCapture;
import org.jspecify.annotations.Nullable;

/** The bytes of a text in a document, of which no text is made unless somebody asks for it. */
final class HeldText {
  private byte[] raw = new byte[128];
  private int length;
  private @Nullable String made = "";

  void clear() {
    length = 0;
    made = "";
  }

  void hold(byte[] bytes, int from, int to) {
    length = to - from;
    raw = length <= raw.length ? raw : new byte[2 * length];
    System.arraycopy(bytes, from, raw, 0, length);
    made = null;
  }

  /** Holds a text whose bytes are not at hand. */
  void hold(String text) {
    made = text;
  }

  /** Its length in the document, about. */
  int length() {
    return made == null ? length : made.length();
  }

  /** True where it begins with characters of ASCII. */
  boolean startsWith(String beginning) {
    if (made != null) {
      return made.startsWith(beginning);
    }
    for (int i = 0; i < beginning.length(); i++) {
      if (i == length || (raw[i] != '\\' && raw[i] != beginning.charAt(i))) {
        return false;
      }
      if (raw[i] == '\\') {
        return toString().startsWith(beginning);
      }
    }
    return true;
  }

  void appendTo(SaidText text) {
    if (made == null) {
      text.append(raw, length);
    } else {
      text.append(made);
    }
  }

  void appendTo(TextCapture text) {
    text.append(toString());
  }

  @Override
  public String toString() {
    if (made == null) {
      made = JsonParsers.text(raw, 0, length);
    }
    return made;
  }
}
