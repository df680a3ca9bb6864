package dev.mainstay.server.report.xml;

import dev.mainstay.server.report.Texts;

/** What stands between an ampersand and a semicolon. */
final class XmlReference {
  /** Stands for what is no reference that a parser knows by itself. */
  static final int NONE = -1;

  private static final int MOST_DIGITS = 7;
  private static final int MOST_HEX_DIGITS = 6;

  private XmlReference() {}

  /** The number of the character that is meant. */
  static int code(byte[] text, int from, int to) {
    if (text[from] == '#') {
      boolean hex = text[from + 1] == 'x';
      return hex
          ? number(text, from + 2, to, 16, MOST_HEX_DIGITS)
          : number(text, from + 1, to, 10, MOST_DIGITS);
    }
    return switch (to - from) {
      case 2 -> is("lt", text, from) ? '<' : is("gt", text, from) ? '>' : NONE;
      case 3 -> is("amp", text, from) ? '&' : NONE;
      case 4 -> is("quot", text, from) ? '"' : is("apos", text, from) ? '\'' : NONE;
      default -> NONE;
    };
  }

  static boolean isAllowed(int code) {
    return code != NONE
        && (code < 0x10000 ? Texts.isAllowed((char) code) : code <= Character.MAX_CODE_POINT);
  }

  private static boolean is(String name, byte[] text, int from) {
    for (int i = 0; i < name.length(); i++) {
      if (text[from + i] != name.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  private static int number(byte[] text, int from, int to, int base, int mostDigits) {
    if (to <= from || to - from > mostDigits) {
      return NONE;
    }
    int code = 0;
    for (int i = from; i < to; i++) {
      int digit = Character.digit(text[i], base);
      if (digit < 0) {
        return NONE;
      }
      code = code * base + digit;
    }
    return code;
  }
}
