package dev.mainstay.server.report.file;

import dev.mainstay.server.report.Limits;
import dev.mainstay.server.report.UnpackedTooMuch;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Counts what is unpacked, all files together, and refuses what is too much. A smaller allowance
 * can be set for the next stretch, such as the header of an archive's entry. Whatever a library
 * throws at broken input leaves here as an {@link IOException}.
 */
final class Meter extends FilterInputStream {
  private final long[] left;
  private long allowance = Long.MAX_VALUE;

  /** {@code left} is shared by all streams of one upload. */
  Meter(InputStream in, long[] left) {
    super(in);
    this.left = left;
  }

  void allow(long bytes) {
    allowance = bytes;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    int n;
    try {
      n = in.read(target, offset, length);
    } catch (RuntimeException e) {
      throw new IOException("not readable", e);
    }
    count(n);
    return n;
  }

  @Override
  public long skip(long n) throws IOException {
    byte[] buffer = new byte[(int) Math.min(Math.max(n, 0), 8192)];
    int read = buffer.length == 0 ? 0 : read(buffer, 0, buffer.length);
    return Math.max(0, read);
  }

  /** Promises nothing: a reader must not ask for more before it has used what it has. */
  @Override
  public int available() {
    return 0;
  }

  @Override
  public boolean markSupported() {
    return false;
  }

  private void count(int n) throws IOException {
    if (n <= 0) {
      return;
    }
    left[0] -= n;
    if (left[0] < 0) {
      throw new UnpackedTooMuch(
          "The upload unpacks to more than %d MiB.".formatted(Limits.UNPACKED_BYTES >> 20));
    }
    allowance -= n;
    if (allowance < 0) {
      throw new IOException("the header of an entry is too long");
    }
  }
}
