package dev.mainstay.server.report.file;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;

/** The bytes in UTF-8 of a text in UTF-16, as some shells write what a command prints. */
final class Utf16Stream extends InputStream {
  private static final int PIECE = 4 * 1024;

  private final Reader reader;
  private final char[] chars = new char[PIECE];
  private byte[] bytes = new byte[0];
  private int at;

  Utf16Stream(InputStream in) {
    this.reader = new InputStreamReader(in, StandardCharsets.UTF_16);
  }

  /** True where a text begins with the byte-order mark of UTF-16. */
  static boolean begins(byte[] start) {
    return start.length >= 2
        && ((start[0] == (byte) 0xfe && start[1] == (byte) 0xff)
            || (start[0] == (byte) 0xff && start[1] == (byte) 0xfe));
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    while (at == bytes.length) {
      int n = reader.read(chars, 0, PIECE - 1);
      if (n < 0) {
        return -1;
      }
      if (n > 0 && Character.isHighSurrogate(chars[n - 1])) {
        int second = reader.read();
        n = second < 0 ? n : n + 1;
        chars[n - 1] = second < 0 ? chars[n - 1] : (char) second;
      }
      bytes = new String(chars, 0, n).getBytes(StandardCharsets.UTF_8);
      at = 0;
    }
    int n = Math.min(length, bytes.length - at);
    System.arraycopy(bytes, at, target, offset, n);
    at += n;
    return n;
  }
}
