package dev.mainstay.server.report.json;

import dev.mainstay.core.health.Outcome;
import dev.mainstay.server.report.Ending;
import dev.mainstay.server.report.JoinedText;
import dev.mainstay.server.report.ReportTimes;
import dev.mainstay.server.report.ReportedCase;
import dev.mainstay.server.report.ReportedRun;
import dev.mainstay.server.report.RunTeller;
import dev.mainstay.server.report.SourcePaths;
import dev.mainstay.server.report.WaitingCases;

/**
 * What {@code jest --json} and Vitest's reporter {@code json} write. A file of tests is what they
 * call a suite; one that could not run is kept as a failed test of its name. The number of
 * invocations tells of failed attempts before the last.
 */
final class JestJson implements JsonFormat {
  private final ReportTimes times = new ReportTimes();
  private final RecentText statuses = RecentText.plain();
  private final RecentText titles = RecentText.plain();
  private final JoinedText describes = new JoinedText(" ");

  @Override
  public void read(JsonCursor json, RunTeller teller) {
    json.object(
        field -> {
          switch (field) {
            case "numFailedTests" -> teller.announce(json.number());
            case "testResults" -> json.array(() -> file(json, teller));
            default -> {}
          }
        });
  }

  /** A file of tests. Its name stands behind its tests. */
  private static final class Suite {
    final WaitingCases cases = new WaitingCases();
    String name = "";
    String message = "";
    boolean failed;
  }

  private void file(JsonCursor json, RunTeller teller) {
    var suite = new Suite();
    try {
      json.object(
          field -> {
            switch (field) {
              case "name" -> suite.name = SourcePaths.of(json.text());
              case "message" -> suite.message = json.text();
              case "status" -> suite.failed = json.text().equals("failed");
              case "assertionResults" ->
                  json.array(
                      () -> {
                        ReportedCase test = assertion(json);
                        if (!suite.cases.add(test)) {
                          suite.cases.tell(suite.name, suite.name, teller);
                          suite.cases.add(test);
                        }
                      });
              default -> {}
            }
          });
    } finally {
      // Of a file that is cut off, what was read counts.
      boolean anyFailed = suite.cases.hasFailed();
      suite.cases.tell(suite.name, suite.name, teller);
      if (suite.failed && !anyFailed) {
        teller.tellFault(suite.name, suite.name, suite.message, suite.message);
      }
    }
  }

  private ReportedCase assertion(JsonCursor json) {
    var test = new Assertion();
    for (String field = json.firstField(); field != null; field = json.nextField()) {
      switch (field) {
        case "title" -> test.title = json.text();
        case "ancestorTitles" -> json.array(() -> describes.add(json.text(titles)));
        case "status" -> test.status = json.text(statuses);
        case "duration" -> test.duration = ReportTimes.duration(json.number(), 1);
        case "startAt" -> test.startedAt = json.moment(times);
        case "invocations" -> test.invocations = json.number();
        case "failureMessages" ->
            json.array(() -> test.failure = test.failure.isEmpty() ? json.text() : test.failure);
        default -> {}
      }
    }
    test.describes = describes.take();
    return test.toCase();
  }

  private static final class Assertion {
    String title = "";
    String describes = "";
    String status = "";
    String failure = "";
    int duration = ReportedRun.UNKNOWN_DURATION;
    long startedAt = ReportedRun.UNKNOWN_TIME;
    double invocations = 1;

    ReportedCase toCase() {
      Outcome outcome =
          switch (status) {
            case "failed" -> Outcome.FAILED;
            case "pending", "skipped", "todo", "disabled" -> Outcome.SKIPPED;
            default -> Outcome.PASSED;
          };
      int stack = failure.indexOf("\n    at ");
      Ending last =
          Ending.of(
              outcome,
              startedAt,
              duration,
              "",
              stack < 0 ? failure : failure.substring(0, stack),
              failure);
      return new ReportedCase(
          "",
          describes,
          "",
          title,
          ReportedCase.after(outcome == Outcome.SKIPPED ? 0 : invocations - 1, last));
    }
  }
}
