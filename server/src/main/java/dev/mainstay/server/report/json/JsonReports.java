package dev.mainstay.server.report.json;

import dev.mainstay.server.report.ReportSink;
import dev.mainstay.server.report.RunTeller;
import dev.mainstay.server.report.Texts;
import dev.mainstay.server.report.UnpackedTooMuch;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;

/** The reports in JSON that are read, and the keys that tell each of them. */
public final class JsonReports {
  private static final List<Kind> KINDS =
      List.of(
          Kind.lines(
              keys ->
                  keys.hasAny("Package", "ImportPath")
                      && keys.hasAny(
                          "Action=start",
                          "Action=run",
                          "Action=pause",
                          "Action=cont",
                          "Action=output",
                          "Action=pass",
                          "Action=fail",
                          "Action=skip",
                          "Action=build-output",
                          "Action=build-fail"),
              GoTestJson::new),
          Kind.document(
              keys ->
                  keys.hasAny(
                      "numTotalTests",
                      "numFailedTests",
                      "numFailedTestSuites",
                      "numTotalTestSuites"),
              JestJson::new),
          Kind.document(keys -> keys.hasAll("stats.failures", "tests"), MochaJson::new),
          Kind.document(keys -> keys.has("config.rootDir"), PlaywrightJson::new),
          Kind.document(
              keys -> keys.hasAny("reportFormat=CTRF", "results.tool", "results.summary"),
              Ctrf::new),
          Kind.document(
              keys -> keys.has("examples") && keys.hasAny("version", "summary", "summary_line"),
              RspecJson::new),
          Kind.document(
              keys -> keys.has("[]elements") || keys.hasAll("[]uri", "[]keyword"),
              CucumberJson::new),
          Kind.lines(
              keys ->
                  keys.hasAny(
                      "meta.implementation",
                      "meta.protocolVersion",
                      "source.mediaType",
                      "gherkinDocument.feature",
                      "pickle.astNodeIds",
                      "testRunStarted.timestamp"),
              CucumberMessages::new),
          Kind.lines(
              keys ->
                  keys.has("event")
                      && keys.hasAny("type=suite", "type=test")
                      && keys.hasAny(
                          "event=started",
                          "event=ok",
                          "event=failed",
                          "event=ignored",
                          "event=discovered"),
              LibtestJson::new),
          Kind.lines(
              keys ->
                  keys.hasAll("protocolVersion", "runnerVersion")
                      || (keys.has("time")
                          && keys.hasAny("type=suite", "type=testStart", "type=group")),
              DartJson::new),
          Kind.lines(
              keys ->
                  keys.hasAny("id.started", "id.testResult", "id.testSummary")
                      || keys.hasAll("id.progress", "progress"),
              BazelEvents::new),
          Kind.document(
              keys -> keys.hasAll("uuid", "children") && keys.hasAny("befores", "afters"),
              () -> new BesideReports("a fixture of Allure")),
          Kind.document(
              keys ->
                  keys.hasAll("uuid", "name", "status")
                      && keys.hasAny("historyId", "testCaseId", "fullName", "stage", "labels"),
              AllureResult::new));

  private JsonReports() {}

  /** A kind of report. */
  private record Kind(Predicate<JsonKeys> tells, Supplier<JsonFormat> format, boolean hasLines) {
    static Kind document(Predicate<JsonKeys> tells, Supplier<JsonFormat> format) {
      return new Kind(tells, format, false);
    }

    static Kind lines(Predicate<JsonKeys> tells, Supplier<JsonFormat> format) {
      return new Kind(tells, format, true);
    }
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
        document(in, format, teller);
      }
    }
  }

  /** Looks for a report at a place in the beginning of a file. */
  public static Optional<Found> find(byte[] start, int offset) {
    return new JsonKeys(start, offset)
        .look(keys -> KINDS.stream().filter(kind -> kind.tells().test(keys)).findFirst())
        .map(kind -> new Found(kind, offset));
  }

  private static void document(InputStream in, JsonFormat format, RunTeller teller)
      throws IOException {
    try (JsonParser json = JsonParsers.of(in)) {
      json.nextToken();
      format.read(new JsonCursor(json), teller);
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
