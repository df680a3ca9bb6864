package dev.mainstay.server.report;

import java.util.regex.Pattern;

/** Characters fit to be kept: XML, JSON and PostgreSQL agree on these. */
public final class Texts {
  /** Stands for a start without any meaningful byte. */
  public static final int NOTHING = -1;

  private static final char REPLACEMENT = '\uFFFD';

  /** The number of characters from the blank on that are allowed one and all. */
  private static final int PLAIN = 0xd800 - ' ';

  private static final Pattern TERMINAL = Pattern.compile("\u001b\\[[0-9;?]{0,40}[ -/]{0,4}[@-~]");

  private Texts() {}

  /** The name of an XML element without its prefix. */
  public static String localName(String name) {
    return name.indexOf(':') < 0 ? name : name.substring(name.lastIndexOf(':') + 1);
  }

  public static boolean isAllowed(char c) {
    return (c >= 0x20 && c < 0xd800)
        || c == '\n'
        || c == '\t'
        || c == '\r'
        || (c >= 0xe000 && c <= 0xfffd);
  }

  /** The text with control characters and halves of surrogate pairs replaced. */
  public static String clean(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (!isAllowed(text.charAt(i))) {
        return replaced(text, i);
      }
    }
    return text;
  }

  /** The text of characters, cleaned and without the commands to a terminal. */
  public static String clean(char[] chars, int from, int length) {
    if (length == 0) {
      return "";
    }
    var text = new String(chars, from, length);
    return isClean(chars, from, length) ? text : clean(uncoloured(text));
  }

  /** True where all characters are allowed. */
  public static boolean isClean(char[] chars, int from, int length) {
    for (int i = from; i < from + length; i++) {
      char c = chars[i];
      if ((char) (c - ' ') >= PLAIN && !isAllowed(c)) {
        return false;
      }
    }
    return true;
  }

  /** The text without the commands to a terminal that colour it. */
  public static String uncoloured(String text) {
    return text.indexOf('\u001b') < 0 ? text : TERMINAL.matcher(text).replaceAll("");
  }

  private static String replaced(String text, int from) {
    var clean = new StringBuilder(text.length()).append(text, 0, from);
    for (int i = from; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isHighSurrogate(c)
          && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        clean.append(c).append(text.charAt(++i));
      } else {
        clean.append(isAllowed(c) ? c : REPLACEMENT);
      }
    }
    return clean.toString();
  }

  public static String firstLine(String text) {
    return text.lines().map(String::strip).filter(line -> !line.isEmpty()).findFirst().orElse("");
  }

  /** The first byte that is neither blank nor part of a byte-order mark nor NUL. */
  public static int firstMeaningful(byte[] start) {
    for (byte b : start) {
      int c = b & 0xff;
      if (c > ' ' && c != 0xef && c != 0xbb && c != 0xbf && c != 0xfe && c != 0xff) {
        return c;
      }
    }
    return NOTHING;
  }
}
