package dev.mainstay.server.report.text;

import dev.mainstay.server.report.PlainBytes;
import dev.mainstay.server.report.Texts;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The lines of a text, of any length: of a long one its beginning. */
final class TextLines {
  private static final int LONGEST = 64 * 1024;

  private final InputStream in;
  private final byte[] buffer = new byte[2 * LONGEST];
  private int from;
  private int to;
  private boolean first = true;
  private boolean open;

  TextLines(InputStream in) {
    this.in = in;
  }

  /** The next line, or null behind the last. */
  @Nullable String next() throws IOException {
    int plain = PlainBytes.endOfAscii(buffer, from, to);
    if (plain == to || buffer[plain] != '\n') {
      return otherLine(plain);
    }
    int length = Math.min(plain - from, LONGEST);
    var line = new String(buffer, from, length, StandardCharsets.ISO_8859_1);
    first = false;
    from = plain + 1;
    return line;
  }

  /** The next line, which does not end before an index. */
  private @Nullable String otherLine(int atLeast) throws IOException {
    int scanned = atLeast;
    while (true) {
      int end = PlainBytes.endOfLine(buffer, scanned, to);
      if (end < to) {
        String line = text(from, end);
        from = end + 1;
        return line;
      }
      System.arraycopy(buffer, from, buffer, 0, to - from);
      to -= from;
      from = 0;
      // Of a line that is too long the rest is let go as it comes.
      to = to == buffer.length ? LONGEST : to;
      scanned = to;
      int n = in.read(buffer, to, buffer.length - to);
      if (n < 0) {
        String last = to == 0 ? null : text(0, to);
        open |= to > 0;
        to = 0;
        return last;
      }
      to += n;
    }
  }

  /** True where the last line does not end. */
  boolean isOpen() {
    return open;
  }

  private String text(int start, int end) {
    int length = Math.min(end - start, LONGEST);
    String line = new String(buffer, start, length, StandardCharsets.UTF_8);
    line = first && line.startsWith("\ufeff") ? line.substring(1) : line;
    first = false;
    line = line.endsWith("\r") ? line.substring(0, line.length() - 1) : line;
    return Texts.clean(Texts.uncoloured(line));
  }
}
