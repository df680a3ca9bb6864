package dev.mainstay.server.mcp;

/** Words of others, made short. */
final class Texts {
  private static final int SHORT = 200;

  private Texts() {}

  /** As much of a text as fits a sentence. */
  static String cut(String text) {
    return cut(text, SHORT);
  }

  /** The beginning of a text. */
  static String cut(String text, int most) {
    if (text.length() <= most) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most;
    return text.substring(0, end) + "…";
  }

  /** The end of a text. */
  static String end(String text, int most) {
    if (text.length() <= most) {
      return text;
    }
    int from = text.length() - most;
    return "…" + text.substring(Character.isLowSurrogate(text.charAt(from)) ? from + 1 : from);
  }

  /** A text on one line. */
  static String line(String text) {
    return cut(text.strip().replaceAll("\\s+", " "));
  }
}
