package dev.mainstay.core.health.text;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Texts of reports, cut to a length. Of a name enough of a hash is kept that two long names which
 * begin alike stay distinguishable.
 */
public final class BoundedText {
  private static final int HASH_BYTES = 8;
  private static final String CUT = "\n… cut …\n";

  private BoundedText() {}

  public static String name(String text, int maxLength) {
    if (text.length() <= maxLength) {
      return text;
    }
    String tail = "…" + hash(text);
    return text.substring(0, boundary(text, maxLength - tail.length())) + tail;
  }

  /** The beginning of a text. */
  public static String head(String text, int maxLength) {
    return text.length() <= maxLength ? text : text.substring(0, boundary(text, maxLength));
  }

  /**
   * Three quarters of the room for the beginning, the rest for the end: stacks name their cause
   * last.
   */
  public static String middleCut(String text, int maxLength) {
    if (text.length() <= maxLength) {
      return text;
    }
    int room = maxLength - CUT.length();
    int head = boundary(text, room * 3 / 4);
    int tail = text.length() - (room - room * 3 / 4);
    if (Character.isLowSurrogate(text.charAt(tail))) {
      tail++;
    }
    return text.substring(0, head) + CUT + text.substring(tail);
  }

  /**
   * White space and control characters become single spaces, none at the ends; half characters the
   * replacement character.
   */
  public static String oneLine(String text) {
    var line = new StringBuilder(Math.min(text.length(), 256));
    for (int at = 0; at < text.length(); ) {
      int c = text.codePointAt(at);
      at += Character.charCount(c);
      if (c <= ' ' || Character.isISOControl(c) || Character.isSpaceChar(c)) {
        if (!line.isEmpty() && line.charAt(line.length() - 1) != ' ') {
          line.append(' ');
        }
      } else if (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) {
        line.append('\uFFFD');
      } else {
        line.appendCodePoint(c);
      }
    }
    return line.toString().strip();
  }

  private static int boundary(String text, int end) {
    return Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end;
  }

  private static String hash(String text) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash, 0, HASH_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
