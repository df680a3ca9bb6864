package dev.mainstay.bench;

import com.ctc.wstx.stax.WstxInputFactory;
import dev.mainstay.server.report.ReportSink;
import dev.mainstay.server.report.ReportedRun;
import dev.mainstay.server.report.Skipped;
import dev.mainstay.server.report.file.Reports;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import javax.xml.stream.XMLInputFactory;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** The readers of reports against a bare loop of the same library over the same bytes. */
final class ParserBench {
  private static final int ROUNDS = 9;
  private static final int WARM_UPS = 4;
  private static final double REQUIRED = 0.60;
  private static final double REQUIRED_OF_OTHERS = 0.50;
  private static final JsonFactory JSON = new JsonFactory();

  private ParserBench() {}

  static void run() throws Exception {
    byte[] report = SampleReports.plain(150_000);
    print("parser", report, ReaderSamples.Syntax.XML, 150_000, REQUIRED);
    for (var sample : ReaderSamples.all()) {
      print(
          sample.name(), sample.bytes(), sample.syntax(), ReaderSamples.CASES, REQUIRED_OF_OTHERS);
    }
  }

  private static void print(
      String name, byte[] report, ReaderSamples.Syntax syntax, int cases, double required)
      throws Exception {
    var ratios = new ArrayList<Double>();
    var bareSpeeds = new ArrayList<Double>();
    var ownSpeeds = new ArrayList<Double>();
    for (int i = -WARM_UPS; i < ROUNDS; i++) {
      double bare = speed(report, bytes -> bare(bytes, syntax));
      double own = speed(report, bytes -> ours(bytes, cases));
      if (i >= 0) {
        bareSpeeds.add(bare);
        ownSpeeds.add(own);
        ratios.add(own / bare);
      }
    }
    System.out.printf(
        "%s: %.0f MB/s, bare parse %.0f MB/s: %.0f %% (required: %.0f %%)%n",
        name, median(ownSpeeds), median(bareSpeeds), 100 * median(ratios), 100 * required);
  }

  private interface Reading {
    void read(byte[] report) throws Exception;
  }

  private static double speed(byte[] report, Reading reading) throws Exception {
    long start = System.nanoTime();
    reading.read(report);
    return report.length / 1e6 / ((System.nanoTime() - start) / 1e9);
  }

  private static void bare(byte[] report, ReaderSamples.Syntax syntax) throws Exception {
    switch (syntax) {
      case XML -> bareXml(report);
      case JSON, JSON_LINES -> bareJson(report);
      case TEXT -> bareText(report);
    }
  }

  private static void bareXml(byte[] report) throws Exception {
    var factory = new WstxInputFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    var xml = factory.createXMLStreamReader(new ByteArrayInputStream(report));
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

  private static void ours(byte[] report, int cases) throws Exception {
    var counter = new Counter();
    Reports.read(new ByteArrayInputStream(report), "report", counter);
    if (counter.runs != cases) {
      throw new IllegalStateException("read only " + counter.runs);
    }
  }

  static double median(List<Double> values) {
    return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
  }

  private static final class Counter implements ReportSink {
    private int runs;

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
