package dev.mainstay.server.report.xml;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/** The bytes of an XML file as they come, in UTF-8 whatever its encoding is. */
final class XmlBytes {
  /** The index of the first byte; the one before it came before. */
  static final int FIRST = 1;

  private static final int BUFFER = 4 * 1024;
  private static final int SMALLEST_BUFFER = 256;

  /** How many bytes a character has after its first one. */
  private static final int MOST_INSIDE = 3;

  private final InputStream in;
  private Optional<IOException> broken = Optional.empty();
  private boolean ended;

  /** The bytes that are there, up to {@code end}. */
  final byte[] bytes;

  int end = FIRST;

  XmlBytes(InputStream stream) throws IOException {
    int known = stream.available();
    int size = known == 0 ? BUFFER : Math.clamp(known + 1L, SMALLEST_BUFFER, BUFFER);
    bytes = new byte[FIRST + size];
    bytes[0] = ' ';
    read(stream);
    Charset charset = XmlCharset.of(bytes, FIRST, end);
    if (charset.equals(StandardCharsets.UTF_8)) {
      in = stream;
    } else {
      var start = new ByteArrayInputStream(Arrays.copyOfRange(bytes, FIRST, end));
      in = new RecodedStream(new SequenceInputStream(start, stream), charset);
      end = FIRST;
      ended = false;
      broken = Optional.empty();
    }
  }

  /** Drops the bytes before an index, and adds others; false where there are none left. */
  boolean fill(int from) throws IOException {
    if (from == end && broken.isPresent()) {
      throw broken.get();
    }
    if (from == end && ended) {
      return false;
    }
    int left = end - from + FIRST;
    System.arraycopy(bytes, from - FIRST, bytes, 0, left);
    end = left;
    read(in);
    return true;
  }

  /** Fills up; a stream that breaks still gives what it gave before. */
  private void read(InputStream from) throws IOException {
    int before = end;
    try {
      while (end < bytes.length && !ended) {
        int n = from.read(bytes, end, bytes.length - end);
        ended = n < 0;
        end += Math.max(n, 0);
      }
    } catch (IOException e) {
      if (end == before) {
        throw e;
      }
      broken = Optional.of(e);
    }
  }

  /** The index up to which marks of a length are whole, and so are characters. */
  int safe(int mark) {
    if (ended || broken.isPresent()) {
      return end;
    }
    int safe = Math.max(FIRST, end - mark);
    for (int i = 0; i < MOST_INSIDE && isInside(bytes[safe]); i++) {
      safe--;
    }
    return safe;
  }

  void close() throws IOException {
    in.close();
  }

  /** True for a byte that is not the first of its character. */
  static boolean isInside(byte b) {
    return (b & 0xc0) == 0x80;
  }
}
