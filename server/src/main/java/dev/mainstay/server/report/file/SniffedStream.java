package dev.mainstay.server.report.file;

import dev.mainstay.server.report.UnpackedTooMuch;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Optional;

/**
 * A stream whose beginning was looked at. Small files take no more memory than they are long:
 * uploads have thousands of them.
 */
final class SniffedStream extends InputStream {
  private static final int FIRST_LOOK = 1024;

  private final InputStream in;
  private final byte[] start;
  private final boolean whole;
  private final Optional<IOException> broken;
  private int at;

  private SniffedStream(InputStream in, byte[] start, boolean whole, Optional<IOException> broken) {
    this.in = in;
    this.start = start;
    this.whole = whole;
    this.broken = broken;
  }

  /** Looks at so many bytes; at fewer where the stream ends or breaks. */
  static SniffedStream of(InputStream in, int length) throws IOException {
    // A stream that knows how long it is needs neither more room nor less.
    int known = in.available();
    byte[] start = new byte[Math.min(known > 1 ? known : FIRST_LOOK, length)];
    int at = 0;
    boolean ended = false;
    try {
      while (at < length && !ended) {
        if (at == start.length) {
          int more = in.read();
          ended = more < 0;
          if (!ended) {
            start = Arrays.copyOf(start, Math.min(length, at * 4));
            start[at++] = (byte) more;
          }
        } else {
          int n = in.read(start, at, start.length - at);
          ended = n < 0;
          at += Math.max(n, 0);
        }
      }
    } catch (UnpackedTooMuch e) {
      throw e;
    } catch (IOException e) {
      if (at == 0) {
        throw e;
      }
      return new SniffedStream(in, upTo(start, at), false, Optional.of(e));
    }
    return new SniffedStream(in, upTo(start, at), ended, Optional.empty());
  }

  private static byte[] upTo(byte[] bytes, int length) {
    return length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
  }

  /** True where the beginning is all there is. */
  boolean isWhole() {
    return whole;
  }

  byte[] start() {
    return start;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    if (at == start.length) {
      if (broken.isPresent()) {
        throw broken.get();
      }
      return in.read(target, offset, length);
    }
    int n = Math.min(length, start.length - at);
    System.arraycopy(start, at, target, offset, n);
    at += n;
    return n;
  }

  /** What is left of the beginning: all there is of a small file. */
  @Override
  public int available() {
    return start.length - at;
  }
}
