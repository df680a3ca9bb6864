package dev.mainstay.server.report;

/** Characters fit to be kept: XML, JSON and PostgreSQL agree on these. */
final class Texts {
  private static final char REPLACEMENT = '\uFFFD';

  private Texts() {}

  /** The name of an XML element without its prefix. */
  static String localName(String name) {
    return name.substring(name.lastIndexOf(':') + 1);
  }

  static boolean isAllowed(char c) {
    return (c >= 0x20 && c < 0xd800)
        || c == '\n'
        || c == '\t'
        || c == '\r'
        || (c >= 0xe000 && c <= 0xfffd);
  }

  /** The text with control characters and halves of surrogate pairs replaced. */
  static String clean(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (!isAllowed(text.charAt(i))) {
        return replaced(text, i);
      }
    }
    return text;
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

  static String firstLine(String text) {
    return text.lines().map(String::strip).filter(line -> !line.isEmpty()).findFirst().orElse("");
  }
}
