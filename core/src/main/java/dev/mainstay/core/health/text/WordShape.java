package dev.mainstay.core.health.text;

import java.util.Set;

/** The shape of one word of a message, without what differs from run to run. */
final class WordShape {
  /** Stands for a number, an id, an address or a time. */
  static final String MARK = "#";

  private static final Set<String> SOURCES =
      Set.of(
          "java", "kt", "kts", "scala", "groovy", "clj", "go", "py", "js", "jsx", "mjs", "ts",
          "tsx", "rb", "rs", "c", "cc", "cpp", "h", "hpp", "cs", "fs", "php", "swift", "m", "ex",
          "exs", "dart", "lua", "pl", "sh", "vue", "html", "css", "sql", "xml", "json", "yml",
          "yaml");

  private WordShape() {}

  static String of(String word) {
    if (word.isEmpty()) {
      return "";
    }
    if (isAddress(word)) {
      return MARK;
    }
    if (isPath(word)) {
      return "<path>";
    }
    if (Numbers.isQuantity(word)) {
      return MARK;
    }
    return parts(word);
  }

  private static boolean isAddress(String word) {
    if (word.contains("://")) {
      return true;
    }
    int slash = word.lastIndexOf('/');
    if (Numbers.isIpv4(word.substring(slash + 1)) || Numbers.isIpv6(word)) {
      return true;
    }
    return isHostAndPort(word);
  }

  private static boolean isHostAndPort(String word) {
    int colon = word.lastIndexOf(':');
    if (colon < 1 || !Numbers.isDigits(word, colon + 1, word.length(), 5)) {
      return false;
    }
    String host = word.substring(0, colon);
    if (host.equals("localhost")) {
      return true;
    }
    int dot = host.lastIndexOf('.');
    return dot > 0
        && host.chars().allMatch(WordShape::isOfHost)
        && !SOURCES.contains(host.substring(dot + 1));
  }

  private static boolean isOfHost(int c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-';
  }

  private static boolean isPath(String word) {
    if (word.indexOf('\\') >= 0) {
      return word.length() > 2;
    }
    int slash = word.indexOf('/');
    if (slash < 0) {
      return false;
    }
    if (slash == 0) {
      return word.length() > 1;
    }
    return word.startsWith("./")
        || word.startsWith("../")
        || word.startsWith("~/")
        || (word.indexOf('/', slash + 1) >= 0 && !Numbers.isQuantity(word))
        || (word.indexOf('.', slash) > 0 && !Character.isDigit(word.charAt(slash + 1)));
  }

  /** Letters and digits between other characters, each by itself; marks side by side are one. */
  private static String parts(String word) {
    var shape = new StringBuilder();
    int at = 0;
    while (at < word.length()) {
      int number = Numbers.end(word, at);
      if (number > at
          && (number == word.length() || !Character.isLetterOrDigit(word.charAt(number)))) {
        mark(shape);
        at = number;
      } else if (Character.isLetterOrDigit(word.charAt(at))) {
        int end = at;
        while (end < word.length() && Character.isLetterOrDigit(word.charAt(end))) {
          end++;
        }
        part(shape, word.substring(at, end), at > 0 && word.charAt(at - 1) == '@');
        at = end;
      } else {
        shape.append(word.charAt(at++));
      }
    }
    return shape.toString();
  }

  private static void part(StringBuilder shape, String part, boolean afterAt) {
    if (Numbers.isGenerated(part) || (afterAt && Numbers.isHex(part))) {
      mark(shape);
      return;
    }
    for (int at = 0; at < part.length(); at++) {
      char c = part.charAt(at);
      if (c < '0' || c > '9') {
        shape.append(c);
      } else if (!endsWithMark(shape)) {
        shape.append(MARK);
      }
    }
  }

  /** A mark takes in the one before it, with what joins the two. */
  private static void mark(StringBuilder shape) {
    int length = shape.length();
    if (endsWithMark(shape)) {
      return;
    }
    if (length >= 2
        && "-_.:/+~".indexOf(shape.charAt(length - 1)) >= 0
        && shape.charAt(length - 2) == MARK.charAt(0)) {
      shape.setLength(length - 1);
    } else {
      shape.append(MARK);
    }
  }

  private static boolean endsWithMark(StringBuilder shape) {
    return !shape.isEmpty() && shape.charAt(shape.length() - 1) == MARK.charAt(0);
  }
}
