package dev.mainstay.server.report.json;

import dev.mainstay.core.health.Outcome;
import dev.mainstay.server.report.Ending;
import dev.mainstay.server.report.ReportTimes;
import dev.mainstay.server.report.ReportedCase;
import dev.mainstay.server.report.ReportedRun;
import dev.mainstay.server.report.RunTeller;

/**
 * A result of Allure: one test a file. Its full name without its own name is its class; its labels
 * may name its suites.
 */
final class AllureResult implements JsonFormat {
  private final ReportTimes times = new ReportTimes();

  private static final class Test {
    String name = "";
    String fullName = "";
    String status = "";
    String message = "";
    String trace = "";
    String parent = "";
    String suite = "";
    String testClass = "";
    double start = -1;
    double stop = -1;
    long startedAt = ReportedRun.UNKNOWN_TIME;
  }

  @Override
  public void read(JsonCursor json, RunTeller teller) {
    var test = new Test();
    json.object(field -> field(field, json, test));
    Outcome outcome =
        switch (test.status) {
          case "passed" -> Outcome.PASSED;
          case "failed" -> Outcome.FAILED;
          case "broken" -> Outcome.ERRORED;
          default -> Outcome.SKIPPED;
        };
    String className = test.testClass.isEmpty() ? classOf(test.fullName) : test.testClass;
    String parent = test.parent.isEmpty() ? test.suite : test.parent;
    int duration =
        test.start < 0 || test.stop < 0
            ? ReportedRun.UNKNOWN_DURATION
            : ReportTimes.duration(test.stop - test.start, 1);
    teller.tell(
        ReportedCase.once(
            "",
            className,
            parent.isEmpty() ? className : parent,
            test.name,
            Ending.of(outcome, test.startedAt, duration, "", test.message, test.trace)));
  }

  private void field(String field, JsonCursor json, Test test) {
    switch (field) {
      case "name" -> test.name = json.text();
      case "fullName" -> test.fullName = json.text();
      case "status" -> test.status = json.text();
      case "start" -> {
        test.start = json.number();
        test.startedAt = times.millis(json.text());
      }
      case "stop" -> test.stop = json.number();
      case "statusDetails" ->
          json.object(
              part -> {
                switch (part) {
                  case "message" -> test.message = json.text();
                  case "trace" -> test.trace = json.text();
                  default -> {}
                }
              });
      case "labels" -> json.array(() -> label(json, test));
      default -> {}
    }
  }

  private static void label(JsonCursor json, Test test) {
    String[] label = {"", ""};
    json.object(
        part -> {
          switch (part) {
            case "name" -> label[0] = json.text();
            case "value" -> label[1] = json.text();
            default -> {}
          }
        });
    switch (label[0]) {
      case "parentSuite" -> test.parent = label[1];
      case "suite" -> test.suite = label[1];
      case "testClass" -> test.testClass = label[1];
      default -> {}
    }
  }

  private static String classOf(String fullName) {
    int end = fullName.lastIndexOf('#');
    end = end < 0 ? fullName.lastIndexOf('.') : end;
    return end < 0 ? fullName : fullName.substring(0, end);
  }
}
