package dev.mainstay.server.report.xml;

import dev.mainstay.server.report.PlainBytes;
import dev.mainstay.server.report.Texts;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The characters of an XML file as they come. The encoding is guessed from the bytes; bytes that do
 * not fit it are read as Latin-1.
 */
final class XmlChars {
  /** Stands for what is none. */
  static final char REPLACEMENT = '\uFFFD';

  private static final int BUFFER = 4 * 1024;
  private static final int SMALLEST_BUFFER = 256;

  /** The characters of ASCII that are never mended. */
  private static final boolean[] PLAIN = plain();

  private final InputStream in;
  private final CharsetDecoder decoder;
  private final boolean isUtf8;
  private final byte[] input;
  private final ByteBuffer bytes;
  private final CharBuffer decoded;

  /** The characters as bytes, eight of which are looked at at once; below 0 is no ASCII. */
  private final byte[] same;

  private boolean alike = true;
  private Optional<IOException> broken = Optional.empty();

  /** How many characters there can be at a time. */
  final int size;

  /** The characters, of which {@code length} are there. */
  final char[] chars;

  int length;
  boolean ended;

  XmlChars(InputStream in) throws IOException {
    this.in = in;
    int known = in.available();
    size = known == 0 ? BUFFER : Math.clamp(known + 1L, SMALLEST_BUFFER, BUFFER);
    input = new byte[size];
    bytes = ByteBuffer.wrap(input);
    chars = new char[size];
    same = new byte[size];
    decoded = CharBuffer.wrap(chars);
    bytes.limit(readInput(0));
    Charset charset = XmlCharset.of(input, bytes.limit());
    isUtf8 = charset.equals(StandardCharsets.UTF_8);
    decoder =
        charset
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPLACE);
  }

  private static boolean[] plain() {
    var plain = new boolean[128];
    for (char c = 0; c < plain.length; c++) {
      plain[c] = Texts.isAllowed(c) && c != '<' && c != '&' && c != ']';
    }
    return plain;
  }

  /** True for a character beyond ASCII that is never mended. */
  static boolean isPlainBeyondAscii(char c) {
    return c >= PLAIN.length && c < 0xd800;
  }

  /** The index of the first character that may need mending. */
  int behindPlain(int from, int to) {
    if (alike) {
      return PlainBytes.endOfPlainXml(same, from, to);
    }
    boolean[] plain = PLAIN;
    int i = from;
    while (i < to && chars[i] < plain.length && plain[chars[i]]) {
      i++;
    }
    return i;
  }

  /** Drops the first characters. */
  void drop(int count) {
    length -= count;
    System.arraycopy(chars, count, chars, 0, length);
    if (alike) {
      System.arraycopy(same, count, same, 0, length);
    } else {
      for (int i = 0; i < length; i++) {
        same[i] = chars[i] < PLAIN.length ? (byte) chars[i] : -1;
      }
      alike = true;
    }
  }

  /** Adds characters as long as there are any, and room for them. */
  void fill() throws IOException {
    decoded.limit(size).position(length);
    while (decoded.hasRemaining() && !ended) {
      if (!bytes.hasRemaining()) {
        bytes.clear().limit(readInput(0));
      }
      boolean last = bytes.limit() < size && broken.isEmpty();
      CoderResult result = decode(last);
      if (result.isMalformed()) {
        alike = false;
        for (int i = 0; i < result.length(); i++) {
          int b = bytes.get() & 0xff;
          if (decoded.hasRemaining()) {
            decoded.put(b >= 0xa0 ? (char) b : REPLACEMENT);
          }
        }
      } else if (result.isUnderflow()) {
        ended = last;
        refill(last);
      } else {
        break;
      }
    }
    length = decoded.position();
  }

  private CoderResult decode(boolean last) {
    int from = bytes.position();
    int at = decoded.position();
    CoderResult result = decoder.decode(bytes, decoded, last);
    int taken = bytes.position() - from;
    // As many characters as bytes of UTF-8 are ASCII.
    alike &= isUtf8 && taken == decoded.position() - at;
    System.arraycopy(input, from, same, at, Math.min(taken, size - at));
    return result;
  }

  /** Keeps the bytes of a character that is cut by the end of the buffer. */
  private void refill(boolean last) throws IOException {
    if (!last) {
      bytes.compact();
      int have = bytes.position();
      int n = readInput(have);
      bytes.position(0).limit(have + n);
    }
  }

  /** Fills the buffer from an offset on; a stream that breaks still gives what it gave before. */
  private int readInput(int offset) throws IOException {
    if (broken.isPresent()) {
      throw broken.get();
    }
    int at = offset;
    try {
      while (at < size) {
        int n = in.read(input, at, size - at);
        if (n < 0) {
          break;
        }
        at += n;
      }
    } catch (IOException e) {
      if (at == offset) {
        throw e;
      }
      broken = Optional.of(e);
    }
    return at - offset;
  }
}
