package dev.mainstay.core.health.text;

/** Tells numbers, ids that a program made up, addresses and times from other words. */
final class Numbers {
  private static final int SHORTEST_HEX = 6;
  private static final int SHORTEST_HEX_OF_LETTERS = 16;
  private static final int SHORTEST_GENERATED = 6;
  private static final int[] UUID_DASHES = {8, 13, 18, 23};
  private static final int UUID_LENGTH = 36;

  private Numbers() {}

  /**
   * The end of a number that begins at a place: a uuid, 0x…, or digits with a sign, a fraction or
   * an exponent. The place itself where none begins.
   */
  static int end(String word, int from) {
    if (isUuid(word, from)) {
      return from + UUID_LENGTH;
    }
    int at = from;
    if (at < word.length() && "+-".indexOf(word.charAt(at)) >= 0 && from == 0) {
      at++;
    }
    int digits = digitsEnd(word, at);
    if (digits == at) {
      return from;
    }
    if (word.startsWith("0x", at) || word.startsWith("0X", at)) {
      return hexEnd(word, at + 2);
    }
    return exponentEnd(word, fractionEnd(word, digits));
  }

  private static int fractionEnd(String word, int at) {
    return at < word.length() && word.charAt(at) == '.' && digitsEnd(word, at + 1) > at + 1
        ? digitsEnd(word, at + 1)
        : at;
  }

  private static int exponentEnd(String word, int at) {
    if (at >= word.length() || "eE".indexOf(word.charAt(at)) < 0) {
      return at;
    }
    int sign = at + 1 < word.length() && "+-".indexOf(word.charAt(at + 1)) >= 0 ? at + 2 : at + 1;
    int end = digitsEnd(word, sign);
    return end > sign ? end : at;
  }

  private static int digitsEnd(String word, int from) {
    int at = from;
    while (at < word.length() && isDigit(word.charAt(at))) {
      at++;
    }
    return at;
  }

  private static int hexEnd(String word, int from) {
    int at = from;
    while (at < word.length() && isHexDigit(word.charAt(at))) {
      at++;
    }
    return at;
  }

  private static boolean isUuid(String word, int from) {
    if (word.length() < from + UUID_LENGTH) {
      return false;
    }
    int dash = 0;
    for (int i = 0; i < UUID_LENGTH; i++) {
      char c = word.charAt(from + i);
      boolean expected = dash < UUID_DASHES.length && UUID_DASHES[dash] == i;
      if (expected ? c != '-' : !isHexDigit(c)) {
        return false;
      }
      dash += expected ? 1 : 0;
    }
    return true;
  }

  /** Digits with units or with what dates, times and versions put between them: 1h30m, 10:15Z. */
  static boolean isQuantity(String word) {
    int at = word.startsWith("PT") ? 2 : 0;
    boolean any = false;
    while (at < word.length()) {
      int end = digitsEnd(word, at);
      if (end > at) {
        any = true;
        at = end;
      } else if ("+-:./,_~%TZ".indexOf(word.charAt(at)) >= 0) {
        at++;
      } else {
        int unit = any && isDigit(word.charAt(at - 1)) ? unitEnd(word, at) : at;
        if (unit == at) {
          return false;
        }
        at = unit;
      }
    }
    return any;
  }

  private static int unitEnd(String word, int at) {
    int end = at;
    while (end < word.length() && end < at + 4 && Character.isLetter(word.charAt(end))) {
      end++;
    }
    return switch (word.substring(at, end)) {
      case "ns",
          "us",
          "µs",
          "ms",
          "s",
          "sec",
          "secs",
          "S",
          "m",
          "min",
          "mins",
          "M",
          "h",
          "hr",
          "H",
          "d",
          "D",
          "B",
          "kB",
          "KB",
          "MB",
          "GB",
          "KiB",
          "MiB",
          "GiB",
          "k",
          "K",
          "G",
          "x",
          "px",
          "st",
          "nd",
          "rd",
          "th" ->
          end;
      default -> at;
    };
  }

  static boolean isIpv4(String word) {
    int at = 0;
    for (int i = 0; i < 4; i++) {
      int end = digitsEnd(word, at);
      if (end == at
          || end > at + 3
          || (i < 3 && (end == word.length() || word.charAt(end) != '.'))) {
        return false;
      }
      at = i < 3 ? end + 1 : end;
    }
    return at == word.length()
        || (word.charAt(at) == ':' && isDigits(word, at + 1, word.length(), 5));
  }

  static boolean isIpv6(String word) {
    int colons = 0;
    boolean digit = false;
    for (int at = 0; at < word.length(); at++) {
      char c = word.charAt(at);
      if (c == '%' && colons >= 2) {
        return true;
      }
      if (c != ':' && !isHexDigit(c)) {
        return false;
      }
      colons += c == ':' ? 1 : 0;
      digit |= isDigit(c);
    }
    return colons >= 2 && (digit || word.contains("::"));
  }

  /** Letters and digits as no person writes them. */
  static boolean isGenerated(String part) {
    int changes = 0;
    int digits = 0;
    boolean hex = true;
    for (int at = 0; at < part.length(); at++) {
      char c = part.charAt(at);
      digits += isDigit(c) ? 1 : 0;
      hex &= isHexDigit(c);
      changes += at > 0 && isDigit(c) != isDigit(part.charAt(at - 1)) ? 1 : 0;
    }
    if (digits == part.length()) {
      return true;
    }
    if (hex
        && (digits > 0
            ? part.length() >= SHORTEST_HEX
            : part.length() >= SHORTEST_HEX_OF_LETTERS)) {
      return true;
    }
    return part.length() >= SHORTEST_GENERATED && changes >= 3;
  }

  static boolean isHex(String part) {
    return !part.isEmpty() && hexEnd(part, 0) == part.length();
  }

  static boolean isDigits(String word, int from, int to, int most) {
    return to > from && to <= from + most && digitsEnd(word, from) >= to;
  }

  private static boolean isHexDigit(char c) {
    return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
