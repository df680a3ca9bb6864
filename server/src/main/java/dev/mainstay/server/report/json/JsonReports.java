package dev.mainstay.server.report.json;

import dev.mainstay.server.report.ReportSink;
import dev.mainstay.server.report.RunTeller;
import dev.mainstay.server.report.Texts;
import dev.mainstay.server.report.UnpackedTooMuch;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;

/** The reports in JSON that are read, and the keys that tell each of them. */
public final class JsonReports {
  private static final String[] RUNS_OF_GO = {
    "Action=start",
    "Action=run",
    "Action=pause",
    "Action=cont",
    "Action=output",
    "Action=pass",
    "Action=fail",
    "Action=skip",
    "Action=build-output",
    "Action=build-fail"
  };

  private static final JsonKinds<Kind> KINDS =
      new JsonKinds<Kind>()
          .add(lines(GoTestJson::new), any("Package", "ImportPath"), any(RUNS_OF_GO))
          .add(
              document(JestJson::new),
              any("numTotalTests", "numFailedTests", "numFailedTestSuites", "numTotalTestSuites"))
          .add(document(MochaJson::new), any("stats.failures"), any("tests"))
          .add(document(PlaywrightJson::new), any("config.rootDir"))
          .add(document(Ctrf::new), any("reportFormat=CTRF", "results.tool", "results.summary"))
          .add(document(RspecJson::new), any("examples"), any("version", "summary", "summary_line"))
          .add(document(CucumberJson::new), any("[]elements"))
          .add(document(CucumberJson::new), any("[]uri"), any("[]keyword"))
          .add(
              lines(CucumberMessages::new),
              any(
                  "meta.implementation",
                  "meta.protocolVersion",
                  "source.mediaType",
                  "gherkinDocument.feature",
                  "pickle.astNodeIds",
                  "testRunStarted.timestamp"))
          .add(
              lines(LibtestJson::new),
              any("type=suite", "type=test"),
              any("event=started", "event=ok", "event=failed", "event=ignored", "event=discovered"))
          .add(lines(DartJson::new), any("protocolVersion"), any("runnerVersion"))
          .add(lines(DartJson::new), any("time"), any("type=suite", "type=testStart", "type=group"))
          .add(lines(BazelEvents::new), any("id.started", "id.testResult", "id.testSummary"))
          .add(lines(BazelEvents::new), any("id.progress"), any("progress"))
          .add(
              document(() -> new BesideReports("a fixture of Allure")),
              any("uuid"),
              any("children"),
              any("befores", "afters"))
          .add(
              document(AllureResult::new),
              any("uuid"),
              any("name"),
              any("status"),
              any("historyId", "testCaseId", "fullName", "stage", "labels"))
          .add(
              document(AllureResult::new),
              any("uuid"),
              any("name"),
              any("status"),
              any("start"),
              any("stop"));

  private JsonReports() {}

  /** A kind of report. */
  private record Kind(Supplier<JsonFormat> format, boolean hasLines) {}

  private static Kind document(Supplier<JsonFormat> format) {
    return new Kind(format, false);
  }

  private static Kind lines(Supplier<JsonFormat> format) {
    return new Kind(format, true);
  }

  private static Set<String> any(String... keys) {
    return Set.of(keys);
  }

  /** A report that begins somewhere in a file. */
  public static final class Found {
    private final Kind kind;
    private final int offset;

    private Found(Kind kind, int offset) {
      this.kind = kind;
      this.offset = offset;
    }

    /** Reads the file, whose beginning was looked at, from its first byte. */
    public void read(InputStream in, String file, ReportSink sink) throws IOException {
      var teller = new RunTeller(file, sink);
      JsonFormat format = kind.format().get();
      in.skipNBytes(offset);
      if (format.isReport()) {
        teller.isReport();
      }
      if (kind.hasLines()) {
        JsonLines.read(in, format, teller);
      } else {
        document(JsonBytes.of(in), format, teller);
      }
    }

    /** Reads a file all of which was looked at. */
    public void readWhole(byte[] whole, String file, ReportSink sink) throws IOException {
      if (kind.hasLines()) {
        read(new ByteArrayInputStream(whole), file, sink);
        return;
      }
      var teller = new RunTeller(file, sink);
      JsonFormat format = kind.format().get();
      if (format.isReport()) {
        teller.isReport();
      }
      document(JsonBytes.of(whole, offset, whole.length - offset), format, teller);
    }
  }

  /** Looks for a report at a place in the beginning of a file. */
  public static Optional<Found> find(byte[] start, int offset) {
    return JsonKeys.look(start, offset, KINDS.nothingSeen()).map(kind -> new Found(kind, offset));
  }

  private static void document(JsonBytes bytes, JsonFormat format, RunTeller teller)
      throws IOException {
    try (JsonParser json = bytes.parser()) {
      json.nextToken();
      format.read(new ParserCursor(json, bytes), teller);
      teller.ends();
    } catch (JacksonException e) {
      if (e.getCause() instanceof UnpackedTooMuch tooMuch) {
        throw tooMuch;
      }
      int line = e.getLocation() == null ? 0 : Math.max(0, e.getLocation().getLineNr());
      String reason = Texts.clean(Texts.firstLine(e.getOriginalMessage()));
      teller.unreadable(
          line,
          "not well-formed: " + (reason.length() <= 200 ? reason : reason.substring(0, 199) + "…"));
    }
  }
}
