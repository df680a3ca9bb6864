package dev.mainstay.server.platform.http;

import io.helidon.common.buffers.DataReader;
import io.helidon.common.buffers.DataReader.IncorrectNewLineException;
import io.helidon.common.buffers.DataReader.InsufficientDataAvailableException;
import java.io.InputStream;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * A body that comes in chunks, as RFC 9112 has them. The HTTP library knows no extensions and no
 * trailers, reads lines without end, and holds a chunk in memory as a whole. Extensions and
 * trailers are read and thrown away; what breaks the rules is 400.
 */
final class Chunks extends InputStream {
  private static final Pattern SIZE = Pattern.compile("([0-9A-Fa-f]{1,15})[ \t]*(;.*)?");
  private static final int MAX_LINE = 4 * 1024;

  /** Of extensions and trailers together. */
  private static final int MAX_SIDE_BYTES = 16 * 1024;

  private final DataReader in;
  private long left;
  private int sideBytes;
  private boolean atEnd;
  private boolean broken;

  Chunks(DataReader in) {
    this.in = in;
  }

  /** True where the connection cannot be read any further. */
  boolean isBroken() {
    return broken;
  }

  @Override
  public int read() {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    if (length == 0) {
      return 0;
    }
    try {
      if (left == 0 && !atEnd) {
        begin();
      }
      return atEnd ? -1 : take(bytes, offset, length);
    } catch (IncorrectNewLineException | InsufficientDataAvailableException e) {
      throw broken();
    }
  }

  private int take(byte[] bytes, int offset, int length) {
    in.ensureAvailable();
    int n = (int) Math.min(Math.min(length, left), in.available());
    in.readBuffer(n).read(bytes, offset, n);
    left -= n;
    if (left == 0 && !line().isEmpty()) {
      throw broken();
    }
    return n;
  }

  private void begin() {
    String line = line();
    var size = SIZE.matcher(line);
    if (!size.matches()) {
      throw broken();
    }
    left = Long.parseLong(size.group(1), 16);
    count(line.length() - size.end(1));
    if (left == 0) {
      skipTrailers();
      atEnd = true;
    }
  }

  private void skipTrailers() {
    for (String line = line(); !line.isEmpty(); line = line()) {
      if (line.indexOf(':') < 1) {
        throw broken();
      }
      count(line.length());
    }
  }

  private String line() {
    int length = in.findNewLine(MAX_LINE);
    if (length == MAX_LINE) {
      throw broken();
    }
    String line = length == 0 ? "" : in.readAsciiString(length);
    in.skip(2);
    return line;
  }

  private void count(int bytes) {
    sideBytes += bytes;
    if (sideBytes > MAX_SIDE_BYTES) {
      throw broken();
    }
  }

  private ApiError broken() {
    broken = true;
    return ApiError.of(
        400,
        "malformed_request",
        "The chunks of the body are broken: each is its size in hexadecimal digits, a line break,"
            + " that many bytes and a line break; the last has the size 0.");
  }
}
