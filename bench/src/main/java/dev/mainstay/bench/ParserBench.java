package dev.mainstay.bench;

import com.ctc.wstx.stax.WstxInputFactory;
import dev.mainstay.bench.ReaderSamples.Sample;
import dev.mainstay.bench.ReaderSamples.Syntax;
import dev.mainstay.server.report.ReportSink;
import dev.mainstay.server.report.ReportedRun;
import dev.mainstay.server.report.Skipped;
import dev.mainstay.server.report.file.Reports;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import javax.xml.stream.XMLInputFactory;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** The readers of reports against a bare loop of the same library over the same bytes, in turns. */
final class ParserBench {
  private static final int BYTES = 4_000_000;
  private static final int ROUNDS = 31;
  private static final long WARM_UP_NANOS = 4_000_000_000L;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final JsonFactory JSON = new JsonFactory();
  private static final XMLInputFactory XML = xml();

  private ParserBench() {}

  static void run() throws Exception {
    run(List.of());
  }

  /** Measures the readers of those names, or all. */
  static void run(List<String> names) throws Exception {
    for (Syntax syntax : Syntax.values()) {
      System.out.printf("the limit of %s: %s%n", syntax, syntax.bare);
    }
    for (Sample sample : ReaderSamples.all()) {
      if (names.isEmpty() || names.contains(sample.name())) {
        System.out.println(speed(sample, sample.casesOf(BYTES)));
      }
    }
  }

  private static long length(List<byte[]> files) {
    return files.stream().mapToLong(file -> file.length).sum();
  }

  static String speed(Sample sample, int cases) throws Exception {
    List<byte[]> files = sample.files(cases);
    double megabytes = length(files) / 1e6;
    // Of the processor's time too: where it is shared, so is the compiler's.
    long warm = THREADS.getCurrentThreadCpuTime() + WARM_UP_NANOS;
    while (THREADS.getCurrentThreadCpuTime() < warm) {
      bare(files, sample.syntax());
      ours(files, cases);
    }
    var ratios = new ArrayList<Double>();
    var bareSpeeds = new ArrayList<Double>();
    var ownSpeeds = new ArrayList<Double>();
    for (int i = 0; i < ROUNDS; i++) {
      double bare = megabytes / seconds(() -> bare(files, sample.syntax()));
      double own = megabytes / seconds(() -> ours(files, cases));
      bareSpeeds.add(bare);
      ownSpeeds.add(own);
      ratios.add(own / bare);
    }
    return "%-22s %4.0f MB/s, bare parse %4.0f MB/s: %3.0f %% (required: %.0f %%)"
        .formatted(
            sample.name(),
            median(ownSpeeds),
            median(bareSpeeds),
            100 * median(ratios),
            100 * required(sample));
  }

  private static double required(Sample sample) {
    return sample.name().equals("JUnit") ? 0.75 : 0.50;
  }

  private interface Reading {
    void read() throws Exception;
  }

  /** Of the processor's time, as other programs may run beside this one. */
  private static double seconds(Reading reading) throws Exception {
    long start = THREADS.getCurrentThreadCpuTime();
    reading.read();
    return (THREADS.getCurrentThreadCpuTime() - start) / 1e9;
  }

  private static void bare(List<byte[]> files, Syntax syntax) throws Exception {
    for (byte[] file : files) {
      switch (syntax) {
        case XML -> bareXml(file);
        case JSON, JSON_LINES -> bareJson(file);
        case TEXT -> bareText(file);
      }
    }
  }

  private static XMLInputFactory xml() {
    var factory = new WstxInputFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    return factory;
  }

  private static void bareXml(byte[] report) throws Exception {
    var xml = XML.createXMLStreamReader(new ByteArrayInputStream(report));
    while (xml.hasNext()) {
      xml.next();
    }
  }

  private static void bareJson(byte[] report) {
    try (var json =
        JSON.createParser(ObjectReadContext.empty(), new ByteArrayInputStream(report))) {
      while (json.nextToken() != null) {
        // Nothing is asked of a token.
      }
    }
  }

  private static void bareText(byte[] report) throws Exception {
    var lines =
        new BufferedReader(
            new InputStreamReader(new ByteArrayInputStream(report), StandardCharsets.UTF_8));
    while (lines.readLine() != null) {
      // Nothing is asked of a line.
    }
  }

  private static void ours(List<byte[]> files, int cases) throws Exception {
    var counter = new Counter();
    for (byte[] file : files) {
      Reports.read(new ByteArrayInputStream(file), "report", counter);
    }
    if (counter.runs != cases) {
      throw new IllegalStateException("read only " + counter.runs);
    }
  }

  static double median(List<Double> values) {
    return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
  }

  /** Counts results, and is content with nothing less than all of them. */
  static final class Counter implements ReportSink {
    int runs;

    @Override
    public boolean run(ReportedRun run) {
      runs++;
      return true;
    }

    @Override
    public void skipped(Skipped skipped) {
      throw new IllegalStateException(skipped.toString());
    }
  }
}
