package dev.mainstay.bench;

import dev.mainstay.bench.ReaderSamples.Sample;
import dev.mainstay.server.report.file.Reports;
import java.io.InputStream;

/** A report that is made while it is read, so that all memory in use is its reader's. */
final class HeldMemory extends InputStream {
  private static final int LOOKS = 10;

  private final Sample sample;
  private final int cases;
  private byte[] part = new byte[0];
  private int at;
  private int next;
  private long most;

  private HeldMemory(Sample sample, int cases) {
    this.sample = sample;
    this.cases = cases;
  }

  /** The most megabytes that were in use, of several looks on the way. */
  static double of(Sample sample, int cases) throws Exception {
    var report = new HeldMemory(sample, cases);
    var counter = new ParserBench.Counter();
    long before = used();
    Reports.read(report, "report", counter);
    if (counter.runs != cases) {
      throw new IllegalStateException("read only " + counter.runs);
    }
    return Math.max(0, report.most - before) / 1e6;
  }

  private static long used() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  @Override
  public int read() {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int length) {
    if (at == part.length) {
      if (next == cases) {
        return -1;
      }
      part = ReaderSamples.bytes(sample.part(next++, cases));
      at = 0;
      if (next % (cases / LOOKS) == cases / LOOKS / 2) {
        most = Math.max(most, used());
      }
    }
    int n = Math.min(length, part.length - at);
    System.arraycopy(part, at, target, offset, n);
    at += n;
    return n;
  }
}
