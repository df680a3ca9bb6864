package dev.mainstay.bench;

import com.github.luben.zstd.ZstdOutputStream;
import dev.mainstay.server.report.ReportSink;
import dev.mainstay.server.report.ReportedRun;
import dev.mainstay.server.report.Skipped;
import dev.mainstay.server.report.UnpackedTooMuch;
import dev.mainstay.server.report.file.Reports;
import dev.mainstay.server.report.file.Unpacker;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;

/**
 * Broken reports and archives, made from good ones by a seed: whatever comes, the readers must
 * answer. A failure prints its seed; {@code java … ReportFuzz SEED} does it again.
 */
public final class ReportFuzz {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final Pattern VALUE = Pattern.compile("\"[^\"\\\\]*\"(?!\\s*:)|\\d+");
  private static final int ROUNDS = 20_000;
  private static final List<String> GOOD =
      Stream.concat(
              HardReports.ALL.stream(),
              ReaderSamples.all().stream().map(ReaderSamples.Sample::small))
          .toList();

  private ReportFuzz() {}

  public static void main(String[] args) throws Exception {
    switch (args.length) {
      case 0 -> run();
      case 1 -> once(Long.parseLong(args[0]));
      default -> run(Long.parseLong(args[0]), Long.parseLong(args[1]));
    }
  }

  static void run() {
    run(0, ROUNDS);
  }

  private static void run(long first, long rounds) {
    long start = System.nanoTime();
    int refused = 0;
    long slowest = 0;
    long slowestSeed = 0;
    for (long seed = first; seed < first + rounds; seed++) {
      long began = THREADS.getCurrentThreadCpuTime();
      try {
        refused += once(seed) ? 0 : 1;
      } catch (IOException | RuntimeException | StackOverflowError | OutOfMemoryError e) {
        throw new IllegalStateException("broken by seed " + seed, e);
      }
      long took = THREADS.getCurrentThreadCpuTime() - began;
      if (took > slowest) {
        slowest = took;
        slowestSeed = seed;
      }
    }
    System.out.printf(
        "%d broken reports and archives of %d kinds in %.1f s: none broke the readers, %d were refused as too large; "
            + "the slowest took %.1f ms (seed %d)%n",
        rounds,
        GOOD.size(),
        (System.nanoTime() - start) / 1e9,
        refused,
        slowest / 1e6,
        slowestSeed);
  }

  /** False when it was refused as too large. */
  private static boolean once(long seed) throws IOException {
    var random = new Random(seed);
    byte[] input = packed(mutated(GOOD.get(random.nextInt(GOOD.size())), random), random);
    int changes = random.nextInt(3) == 0 ? random.nextInt(8) : 0;
    for (int i = 0; i < changes && input.length > 0; i++) {
      input[random.nextInt(input.length)] = (byte) random.nextInt(256);
    }
    var sink = new Nobody();
    try {
      new Unpacker((name, content) -> Reports.read(content, name, sink), sink)
          .unpack("fuzz", new ByteArrayInputStream(input));
      return true;
    } catch (UnpackedTooMuch e) {
      return false;
    }
  }

  private static byte[] mutated(String good, Random random) {
    var bytes = new ByteArrayOutputStream();
    byte[] source =
        good.getBytes(random.nextInt(8) == 0 ? StandardCharsets.UTF_16 : StandardCharsets.UTF_8);
    int at = 0;
    // Some are broken in few places, so that what is behind a break is read too.
    int rarity = random.nextBoolean() ? 12 : 80;
    while (at < source.length) {
      int length = Math.min(1 + random.nextInt(200), source.length - at);
      switch (random.nextInt(rarity)) {
        case 0 -> {}
        case 1 -> {
          bytes.write(source, at, length);
          bytes.write(source, at, length);
        }
        case 2 -> bytes.writeBytes(noise(random));
        case 3 -> {
          int other = random.nextInt(source.length);
          bytes.write(source, other, Math.min(length, source.length - other));
        }
        case 4 -> bytes.writeBytes(swapped(source, at, length, random));
        default -> bytes.write(source, at, length);
      }
      at += length;
    }
    return bytes.toByteArray();
  }

  /** A piece whose texts and numbers are something else. */
  private static byte[] swapped(byte[] source, int at, int length, Random random) {
    List<String> others =
        List.of(
            "null", "\"\"", "-1e999", "{}", "[]", "true", "\"\\ud800\"", "99999999999999999999");
    return VALUE
        .matcher(new String(source, at, length, StandardCharsets.ISO_8859_1))
        .replaceAll(value -> Matcher.quoteReplacement(others.get(random.nextInt(others.size()))))
        .getBytes(StandardCharsets.ISO_8859_1);
  }

  private static byte[] noise(Random random) {
    List<String> nasty =
        List.of(
            "&e;",
            "&#0;",
            "&#x110000;",
            "]]>",
            "<![CDATA[",
            "<!--",
            "\0",
            "\u001b",
            "<?x",
            "&",
            "\"",
            "<testcase name='",
            "</testsuite>",
            "<!DOCTYPE x [",
            "\ud800",
            "1e999",
            "{",
            "[",
            "{\"a\":",
            "}",
            "]",
            ",",
            "\n",
            "\r\n",
            "\n    ok 1 - a {\n",
            "\n}\n",
            "\nnot ok\n  ---\n",
            "\n1..9999999999\n",
            "<suite name='s'>",
            "</test>");
    if (random.nextBoolean()) {
      return nasty
          .get(random.nextInt(nasty.size()))
          .repeat(1 + random.nextInt(50))
          .getBytes(StandardCharsets.UTF_8);
    }
    byte[] bytes = new byte[random.nextInt(64)];
    random.nextBytes(bytes);
    return bytes;
  }

  private static byte[] packed(byte[] report, Random random) throws IOException {
    return switch (random.nextInt(6)) {
      case 0 -> tar(report);
      case 1 -> compressed(tar(report), new Gzip());
      case 2 -> compressed(tar(report), new Zstd());
      case 3 -> zip(report);
      default -> report;
    };
  }

  private interface Compression {
    OutputStream over(OutputStream out) throws IOException;
  }

  private record Gzip() implements Compression {
    @Override
    public OutputStream over(OutputStream out) throws IOException {
      return new GZIPOutputStream(out);
    }
  }

  private record Zstd() implements Compression {
    @Override
    public OutputStream over(OutputStream out) throws IOException {
      return new ZstdOutputStream(out);
    }
  }

  private static byte[] compressed(byte[] content, Compression compression) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var out = compression.over(bytes)) {
      out.write(content);
    }
    return bytes.toByteArray();
  }

  private static byte[] tar(byte[] report) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var tar = new TarArchiveOutputStream(bytes, "UTF-8")) {
      for (int i = 0; i < 2; i++) {
        var entry = new TarArchiveEntry("junit/" + i);
        entry.setSize(report.length);
        tar.putArchiveEntry(entry);
        tar.write(report);
        tar.closeArchiveEntry();
      }
    }
    return bytes.toByteArray();
  }

  private static byte[] zip(byte[] report) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var zip = new ZipOutputStream(bytes)) {
      zip.putNextEntry(new ZipEntry("a.xml"));
      zip.write(report);
    }
    return bytes.toByteArray();
  }

  private static final class Nobody implements ReportSink {
    @Override
    public boolean run(ReportedRun run) {
      return true;
    }

    @Override
    public void skipped(Skipped skipped) {}
  }
}
