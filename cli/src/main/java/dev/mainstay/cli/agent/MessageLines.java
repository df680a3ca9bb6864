package dev.mainstay.cli.agent;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Optional;

/** The lines of a stream, each at most so long. */
final class MessageLines {
  static final int LONGEST = 1024 * 1024;

  private final InputStream in;

  MessageLines(InputStream in) {
    this.in = in;
  }

  /** A line without its end. */
  @SuppressWarnings("ArrayRecordComponent") // Read once, never compared.
  record Line(byte[] bytes, boolean tooLong) {}

  /** The next line; empty when the stream has ended. */
  Optional<Line> next() {
    try {
      var line = new ByteArrayOutputStream();
      boolean tooLong = false;
      int c = in.read();
      if (c < 0) {
        return Optional.empty();
      }
      for (; c >= 0 && c != '\n'; c = in.read()) {
        tooLong |= line.size() >= LONGEST;
        if (!tooLong) {
          line.write(c);
        }
      }
      return Optional.of(new Line(line.toByteArray(), tooLong));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
