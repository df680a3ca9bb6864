package dev.mainstay.bench;

import com.ctc.wstx.stax.WstxInputFactory;
import dev.mainstay.server.report.ReportSink;
import dev.mainstay.server.report.ReportedRun;
import dev.mainstay.server.report.Skipped;
import dev.mainstay.server.report.file.Reports;
import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.List;
import javax.xml.stream.XMLInputFactory;

/** The reader of reports against a bare loop of the same XML library over the same bytes. */
final class ParserBench {
  private static final int ROUNDS = 9;
  private static final int WARM_UPS = 4;
  private static final double REQUIRED = 0.60;

  private ParserBench() {}

  static void run() throws Exception {
    byte[] report = SampleReports.plain(150_000);
    var ratios = new ArrayList<Double>();
    var bareSpeeds = new ArrayList<Double>();
    var ownSpeeds = new ArrayList<Double>();
    for (int i = -WARM_UPS; i < ROUNDS; i++) {
      double bare = speed(report, ParserBench::bareLoop);
      double own = speed(report, ParserBench::ours);
      if (i >= 0) {
        bareSpeeds.add(bare);
        ownSpeeds.add(own);
        ratios.add(own / bare);
      }
    }
    System.out.printf(
        "parser: %.0f MB/s, bare StAX loop %.0f MB/s: %.0f %% (required: %.0f %%)%n",
        median(ownSpeeds), median(bareSpeeds), 100 * median(ratios), 100 * REQUIRED);
  }

  private interface Reading {
    void read(byte[] report) throws Exception;
  }

  private static double speed(byte[] report, Reading reading) throws Exception {
    long start = System.nanoTime();
    reading.read(report);
    return report.length / 1e6 / ((System.nanoTime() - start) / 1e9);
  }

  private static void bareLoop(byte[] report) throws Exception {
    var factory = new WstxInputFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    var xml = factory.createXMLStreamReader(new ByteArrayInputStream(report));
    while (xml.hasNext()) {
      xml.next();
    }
  }

  private static void ours(byte[] report) throws Exception {
    var counter = new Counter();
    Reports.read(new ByteArrayInputStream(report), "report", counter);
    if (counter.runs != 150_000) {
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
