package dev.mainstay.server.report.json;

import dev.mainstay.server.report.Limits;
import dev.mainstay.server.report.PlainBytes;
import dev.mainstay.server.report.Texts;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;

/** Parsers of JSON with the limits of reports. */
final class JsonParsers {
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(Limits.JSON_DEPTH)
                  .maxStringLength(Limits.JSON_TEXT_LENGTH)
                  .build())
          // What is behind a report in an archive is still to be read.
          .disable(StreamReadFeature.AUTO_CLOSE_SOURCE)
          .build();

  /** What may stand behind a backslash in most texts, and what both together mean. */
  private static final String ESCAPES = "nt\"\\/r";

  private static final String ESCAPED = "\n\t\"\\/\r";

  private JsonParsers() {}

  static JsonParser of(InputStream in) {
    return JSON.createParser(ObjectReadContext.empty(), in);
  }

  static JsonParser of(byte[] bytes, int from, int length) {
    return JSON.createParser(ObjectReadContext.empty(), bytes, from, length);
  }

  /** The text, cleaned, that a parser passed over before: what stood between its quotes. */
  static String text(byte[] raw, int from, int to) {
    int length = to - from;
    if (PlainBytes.endOfPlainText(raw, from, to) == to) {
      return new String(raw, from, length, StandardCharsets.ISO_8859_1);
    }
    byte[] plain = new byte[length];
    int plainLength = unescape(raw, from, to, plain);
    if (plainLength >= 0) {
      return new String(plain, 0, plainLength, StandardCharsets.ISO_8859_1);
    }
    byte[] quoted = new byte[length + 2];
    quoted[0] = '"';
    System.arraycopy(raw, from, quoted, 1, length);
    quoted[length + 1] = '"';
    try (JsonParser json = of(quoted, 0, quoted.length)) {
      json.nextToken();
      return Texts.clean(Texts.uncoloured(json.getString()));
    }
  }

  /** Resolves the escapes that are common in a text of ASCII; -1 where there is anything else. */
  private static int unescape(byte[] raw, int from, int to, byte[] plain) {
    int length = 0;
    int at = from;
    while (true) {
      int end = PlainBytes.endOfPlainText(raw, at, to);
      System.arraycopy(raw, at, plain, length, end - at);
      length += end - at;
      if (end == to) {
        return length;
      }
      int escape = end + 1 < to && raw[end] == '\\' ? ESCAPES.indexOf(raw[end + 1]) : -1;
      if (escape < 0) {
        return -1;
      }
      plain[length++] = (byte) ESCAPED.charAt(escape);
      at = end + 2;
    }
  }
}
