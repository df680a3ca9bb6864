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
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
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
  private static final int ROUNDS = 20_000;
  private static final List<String> GOOD =
      List.of(
          """
          <?xml version="1.0" encoding="UTF-8"?><!DOCTYPE t [<!ENTITY e "x">]>
          <testsuites name="all"><testsuite name="s" file="f" timestamp="2026-01-02T03:04:05Z"><properties>
          <property name="a" value="b"/></properties><testcase classname="c" name="n&amp;&#x41;" time="1,5">
          <failure message="m" type="t"><![CDATA[stack ]]&gt;]]></failure><system-out>out</system-out></testcase>
          <testcase name="flaky"><flakyFailure><stackTrace>at</stackTrace></flakyFailure></testcase>
          <testcase name="again"><error/><rerunError/></testcase><testsuite name="in"><testcase name="x"><skipped/>
          </testcase></testsuite><error>suite</error></testsuite></testsuites>
          """,
          """
          <TestRun xmlns="http://microsoft.com/schemas/VisualStudio/TeamTest/2010"><Results><UnitTestResult
          testId="1" testName="A.b" duration="00:00:01.5" startTime="2026-01-02T03:04:05+02:00" outcome="Failed">
          <Output><ErrorInfo><Message>m</Message><StackTrace>s</StackTrace></ErrorInfo></Output></UnitTestResult>
          </Results><TestDefinitions><UnitTest id="1"><TestMethod className="A" name="b"/></UnitTest>
          </TestDefinitions></TestRun>
          """,
          """
          {"Time":"2026-01-02T03:04:05Z","Action":"run","Package":"p","Test":"T"}
          {"Action":"output","Package":"p","Test":"T","Output":"x_test.go:1: no\\n"}
          {"Action":"fail","Package":"p","Test":"T","Elapsed":0.5}
          {"Action":"fail","Package":"q","Elapsed":0.5}
          """,
          """
          {"numTotalTests":2,"testResults":[{"assertionResults":[{"ancestorTitles":["c"],"duration":1,"invocations":2,
          "failureMessages":["Error: no\\n    at x"],"status":"failed","title":"t"}],"name":"/a.js","status":"failed","message":"m"}]}
          """,
          """
          {"config":{"rootDir":"/"},"suites":[{"title":"a","file":"a","suites":[{"title":"g","specs":[{"title":"t","tests":[
          {"expectedStatus":"passed","projectName":"p","results":[{"status":"failed","duration":1,"error":{"message":"m",
          "stack":"s"},"startTime":"2026-01-02T03:04:05Z"}]}]}]}]}],"errors":[{"message":"m"}]}
          """,
          """
          {"results":{"tool":{"name":"x"},"summary":{"failed":1},"tests":[{"name":"t","status":"failed","retries":1,
          "retryAttempts":[{"status":"failed"}],"suite":["a","b"],"filePath":"f","start":1772359200}]}}
          """,
          """
          [{"uri":"a","keyword":"Feature","name":"f","elements":[{"name":"s","type":"scenario","steps":[{"keyword":"When ",
          "name":"x","result":{"status":"failed","duration":5,"error_message":"no"}}]}]}]
          """,
          """
          <test-run failed="1"><test-suite name="a" fullname="a" site="SetUp"><failure><message>m</message></failure><test-case
          name="t" classname="c" result="Failed" duration="1"><failure><message>m</message></failure></test-case></test-suite></test-run>
          """,
          """
          <testng-results failed="1"><suite name="s"><test><class name="c"><test-method name="m" status="SKIP" retried="true"
          duration-ms="1"><params><param><value>v</value></param></params></test-method></class></test></suite></testng-results>
          """,
          """
          <robot><suite name="s" source="/a"><test name="t" line="1"><status status="FAIL" starttime="20260102 03:04:05.678"
          endtime="20260102 03:04:06.000">m</status></test></suite><statistics><total><stat fail="1">All</stat></total></statistics></robot>
          """,
          """
          TAP version 13
              ok 1 - a
              not ok 2 - b {
                  1..1
              }
          not ok 1 - c # time=5ms
            ---
            message: 'm'
            ...
          1..1
          """);

  private ReportFuzz() {}

  public static void main(String[] args) throws Exception {
    if (args.length == 0) {
      run();
    } else {
      once(Long.parseLong(args[0]));
    }
  }

  static void run() {
    long start = System.nanoTime();
    int refused = 0;
    for (long seed = 0; seed < ROUNDS; seed++) {
      try {
        refused += once(seed) ? 0 : 1;
      } catch (IOException | RuntimeException | StackOverflowError | OutOfMemoryError e) {
        throw new IllegalStateException("broken by seed " + seed, e);
      }
    }
    System.out.printf(
        "%d broken reports and archives in %.1f s: none broke the readers, %d were refused as too large%n",
        ROUNDS, (System.nanoTime() - start) / 1e9, refused);
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
    while (at < source.length) {
      int length = Math.min(1 + random.nextInt(200), source.length - at);
      switch (random.nextInt(12)) {
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
        default -> bytes.write(source, at, length);
      }
      at += length;
    }
    return bytes.toByteArray();
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
            "1e999");
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
