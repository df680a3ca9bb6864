package dev.mainstay.server.report.xml;

import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The encoding of an XML file, guessed from its first bytes. */
final class XmlCharset {
  private static final Pattern DECLARED =
      Pattern.compile("^\\s*<\\?xml[^>]*?encoding\\s*=\\s*[\"']([A-Za-z0-9._:-]{1,40})[\"']");

  private static final String MOST_COMMON = "?xml version=\"1.0\" encoding=\"UTF-8\"";

  /** The byte-order mark of UTF-8. */
  private static final String MARK = "\u00ef\u00bb\u00bf";

  private static final int LOOKED_AT = 200;

  private XmlCharset() {}

  static Charset of(byte[] b, int from, int to) {
    if (to - from >= 2) {
      int first = ((b[from] & 0xff) << 8) | (b[from + 1] & 0xff);
      switch (first) {
        case 0xfeff, 0xfffe -> {
          return StandardCharsets.UTF_16;
        }
        case 0x003c -> {
          return StandardCharsets.UTF_16BE;
        }
        case 0x3c00 -> {
          return StandardCharsets.UTF_16LE;
        }
        default -> {}
      }
    }
    return declared(
        new String(b, from, Math.min(to - from, LOOKED_AT), StandardCharsets.ISO_8859_1));
  }

  private static Charset declared(String start) {
    String text = start.startsWith(MARK) ? start.substring(MARK.length()) : start;
    if (text.startsWith(MOST_COMMON, 1)) {
      return StandardCharsets.UTF_8;
    }
    Matcher matcher = DECLARED.matcher(text);
    if (!matcher.find()) {
      return StandardCharsets.UTF_8;
    }
    try {
      Charset named = Charset.forName(matcher.group(1));
      boolean fitsWhatWasReadSoFar =
          "<?xml".equals(new String("<?xml".getBytes(named), StandardCharsets.ISO_8859_1));
      return fitsWhatWasReadSoFar ? named : StandardCharsets.UTF_8;
    } catch (IllegalCharsetNameException
        | UnsupportedCharsetException
        | UnsupportedOperationException e) {
      return StandardCharsets.UTF_8;
    }
  }
}
