package dev.mainstay.bench;

import dev.mainstay.bench.ReaderSamples.Sample;
import dev.mainstay.server.report.SeparateAttempts;
import dev.mainstay.server.report.file.Reports;
import dev.mainstay.server.report.file.Unpacker;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * What readers hold of reports while they read them: a report is made while it is read, so that all
 * memory that comes into use is its reader's.
 */
final class HeldMemory extends InputStream {
  private static final int LOOKS = 4;
  private static final long[] SIZES = {1_000_000, 10_000_000, 100_000_000};
  private static final int MOST_FILES = 20_000;

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

  /** Prints for each kind of report what is held of 1, 10 and 100 MB of it. */
  static void run() throws Exception {
    for (Sample sample : ReaderSamples.all()) {
      // What its classes take is not the report's.
      of(sample, sample.casesOf(1));
      var line = new StringBuilder("%-22s".formatted(sample.name()));
      for (long size : SIZES) {
        int cases = sample.casesOf(size);
        cases = sample.alone() ? Math.min(cases, MOST_FILES) : cases;
        line.append(" %6.1f MB of %7d cases".formatted(of(sample, cases), cases));
      }
      System.out.println(line);
    }
  }

  /** The most megabytes that were in use, of several looks on the way. */
  static double of(Sample sample, int cases) throws IOException {
    var counter = new ParserBench.Counter();
    var attempts = new SeparateAttempts(counter);
    long before = used();
    long most = sample.alone() ? ofMany(sample, cases, attempts) : ofOne(sample, cases, attempts);
    attempts.tell();
    if (counter.runs != cases) {
      throw new IllegalStateException("read only " + counter.runs);
    }
    return Math.max(0, most - before) / 1e6;
  }

  private static long ofMany(Sample sample, int files, SeparateAttempts attempts)
      throws IOException {
    for (int i = 0; i < files; i++) {
      byte[] file = ReaderSamples.bytes(sample.part(i, files));
      Reports.read(new ByteArrayInputStream(file), "report", attempts);
    }
    return used();
  }

  private static long ofOne(Sample sample, int cases, SeparateAttempts attempts)
      throws IOException {
    var report = new HeldMemory(sample, cases);
    new Unpacker((name, content) -> Reports.read(content, name, attempts), attempts)
        .unpack("report", report);
    return report.most;
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
      if (next % (cases / LOOKS) == cases / LOOKS / 2 || next == cases) {
        most = Math.max(most, used());
      }
    }
    int n = Math.min(length, part.length - at);
    System.arraycopy(part, at, target, offset, n);
    at += n;
    return n;
  }
}
