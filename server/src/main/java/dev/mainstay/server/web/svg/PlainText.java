package dev.mainstay.server.web.svg;

import java.text.BreakIterator;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Text from outside, made harmless and cut to fit. Widths are estimates in units of the picture, on
 * the wide side, since the reader's fonts are not known here.
 */
public final class PlainText {
  private static final int LONGEST_CLUSTER = 16;
  private static final String ELLIPSIS = "…";

  /** The widths of what ASCII prints, where every sign is a cluster. */
  private static final double[] PLAIN_EMS =
      IntStream.rangeClosed(0, '~').mapToDouble(PlainText::em).toArray();

  private PlainText() {}

  /**
   * The text on one line: without control characters, marks that turn the direction of what
   * follows, and code points that XML does not know; at most so many characters, and a sign where
   * some were left out.
   */
  public static String clean(String text, int most) {
    if (isPlain(text) && text.length() <= most) {
      return text;
    }
    var clean = new StringBuilder();
    boolean space = false;
    for (int i = 0; i < text.length() && clean.length() <= most; ) {
      int point = text.codePointAt(i);
      i += Character.charCount(point);
      if (isBlank(point)) {
        space = !clean.isEmpty();
      } else if (isShown(point)) {
        clean.append(space ? " " : "").appendCodePoint(point);
        space = false;
      }
    }
    return clean.length() <= most ? clean.toString() : cut(clean.toString(), most) + ELLIPSIS;
  }

  /** Whether it is clean as it is: printed signs of ASCII, with single spaces between them. */
  private static boolean isPlain(String text) {
    boolean space = true;
    for (int i = 0; i < text.length(); i++) {
      char sign = text.charAt(i);
      if (sign < ' ' || sign > '~' || (space && sign == ' ')) {
        return false;
      }
      space = sign == ' ';
    }
    return !space;
  }

  private static String cut(String text, int most) {
    boolean halved = Character.isHighSurrogate(text.charAt(most - 1));
    return text.substring(0, halved ? most - 1 : most).strip();
  }

  private static boolean isBlank(int point) {
    return Character.isWhitespace(point)
        || Character.isSpaceChar(point)
        || Character.getType(point) == Character.CONTROL;
  }

  private static boolean isShown(int point) {
    int type = Character.getType(point);
    boolean joins = point == 0x200D || point == 0x200C;
    return joins
        || (type != Character.FORMAT
            && type != Character.SURROGATE
            && type != Character.UNASSIGNED
            && type != Character.PRIVATE_USE);
  }

  /** As much of the text as the width has room for, whole signs only. */
  public static String fit(String text, int width, double size) {
    String clean = clean(text, 400);
    if (width(clean, size) <= width) {
      return clean;
    }
    double used = em(ELLIPSIS) * size;
    if (isPlain(clean)) {
      int end = 0;
      for (int i = 0; i < clean.length() && used <= width; i++) {
        end = i;
        used += PLAIN_EMS[clean.charAt(i)] * size;
      }
      return clean.substring(0, end).strip() + ELLIPSIS;
    }
    var kept = new StringBuilder();
    BreakIterator clusters = BreakIterator.getCharacterInstance(Locale.ROOT);
    clusters.setText(clean);
    int start = 0;
    for (int end = clusters.next(); end != BreakIterator.DONE; end = clusters.next()) {
      String cluster = clean.substring(start, end);
      start = end;
      used += em(cluster) * size;
      if (used > width) {
        break;
      }
      kept.append(cluster.length() <= LONGEST_CLUSTER ? cluster : "?");
    }
    return kept.toString().strip() + ELLIPSIS;
  }

  /** The estimated width of the text in a font of this size. */
  public static double width(String text, double size) {
    double sum = 0;
    if (isPlain(text)) {
      for (int i = 0; i < text.length(); i++) {
        sum += PLAIN_EMS[text.charAt(i)];
      }
      return sum * size;
    }
    BreakIterator clusters = BreakIterator.getCharacterInstance(Locale.ROOT);
    clusters.setText(text);
    int start = 0;
    for (int end = clusters.next(); end != BreakIterator.DONE; end = clusters.next()) {
      sum += em(text.substring(start, end));
      start = end;
    }
    return sum * size;
  }

  /** The width of a cluster; one that is too long to be a sign of any script is never shown. */
  private static double em(String cluster) {
    if (cluster.length() > LONGEST_CLUSTER) {
      return 1000;
    }
    int point = cluster.codePointAt(0);
    return point > 0x2E80 || cluster.length() > 2 ? 1.3 : em(point);
  }

  private static double em(int point) {
    return switch (Character.getType(point)) {
      case Character.UPPERCASE_LETTER -> "MWQOG".indexOf(point) >= 0 ? 1.02 : 0.74;
      case Character.LOWERCASE_LETTER ->
          "ijltfr".indexOf(point) >= 0 ? 0.4 : "mw".indexOf(point) >= 0 ? 0.95 : 0.62;
      case Character.DECIMAL_DIGIT_NUMBER -> 0.64;
      case Character.SPACE_SEPARATOR -> 0.33;
      case Character.OTHER_PUNCTUATION -> "#%&@…".indexOf(point) >= 0 ? 0.95 : 0.4;
      case Character.DASH_PUNCTUATION, Character.START_PUNCTUATION, Character.END_PUNCTUATION ->
          0.42;
      default -> 0.85;
    };
  }
}
