package dev.mainstay.server.report.json;

import dev.mainstay.core.health.Outcome;
import dev.mainstay.core.health.text.BoundedText;
import dev.mainstay.server.report.Ending;
import dev.mainstay.server.report.JoinedText;
import dev.mainstay.server.report.Limits;
import dev.mainstay.server.report.ReportTimes;
import dev.mainstay.server.report.ReportedCase;
import dev.mainstay.server.report.ReportedRun;
import dev.mainstay.server.report.RunTeller;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A result of Allure: one attempt of a test a file. Its full name without its own name is its
 * class; its labels may name its suites. Its history is the same for all attempts of a test with
 * the same parameters.
 */
final class AllureResult implements JsonFormat {
  private static final List<String> STATUSES = List.of("passed", "failed", "broken");
  private static final List<String> SUITES = List.of("suite", "parentSuite", "testClass");

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
    String history = "";
    String testCase = "";
    @Nullable JoinedText parameters;
    double start = -1;
    double stop = -1;
    long startedAt = ReportedRun.UNKNOWN_TIME;
  }

  @Override
  public void read(JsonCursor json, RunTeller teller) {
    var test = new Test();
    for (String field = json.firstField(); field != null; field = json.nextField()) {
      field(field, json, test);
    }
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
    ReportedCase attempt =
        ReportedCase.once(
            "",
            className,
            parent.isEmpty() ? className : parent,
            test.name,
            Ending.of(outcome, test.startedAt, duration, "", test.message, test.trace));
    String series = series(test);
    if (series.isEmpty()) {
      teller.tell(attempt);
    } else {
      teller.tellAttempt(series, attempt);
    }
  }

  /** What attempts of a test share; empty where a result does not say. */
  private static String series(Test test) {
    if (!test.history.isEmpty()) {
      return BoundedText.name("history " + test.history, Limits.NAME_LENGTH);
    }
    return test.testCase.isEmpty()
        ? ""
        : BoundedText.name("case " + test.testCase + "\n" + parameters(test), Limits.NAME_LENGTH);
  }

  private static String parameters(Test test) {
    return test.parameters == null ? "" : test.parameters.take();
  }

  private void field(String field, JsonCursor json, Test test) {
    switch (field) {
      case "name" -> test.name = json.text();
      case "fullName" -> test.fullName = json.text();
      case "status" -> test.status = json.word(STATUSES);
      case "start" -> {
        test.start = json.number();
        test.startedAt = json.moment(times);
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
      case "historyId" -> test.history = json.text();
      case "testCaseId" -> test.testCase = test.history.isEmpty() ? json.text() : "";
      case "parameters" -> json.array(() -> parameter(json, test));
      case "labels" -> json.array(() -> label(json, test));
      default -> {}
    }
  }

  private static void label(JsonCursor json, Test test) {
    String name = "";
    String value = "";
    boolean isOther = false;
    for (String part = json.firstField(); part != null; part = json.nextField()) {
      switch (part) {
        case "name" -> {
          name = json.word(SUITES);
          isOther = name.isEmpty();
        }
        case "value" -> value = isOther ? "" : json.text();
        default -> {}
      }
    }
    switch (name) {
      case "parentSuite" -> test.parent = value;
      case "suite" -> test.suite = value;
      case "testClass" -> test.testClass = value;
      default -> {}
    }
  }

  private static void parameter(JsonCursor json, Test test) {
    String[] value = {""};
    boolean[] excluded = {false};
    json.object(
        part -> {
          switch (part) {
            case "value" -> value[0] = json.text();
            case "excluded" -> excluded[0] = json.isTrue();
            default -> {}
          }
        });
    if (!excluded[0]) {
      JoinedText parameters = test.parameters == null ? new JoinedText("\n") : test.parameters;
      parameters.add(value[0]);
      test.parameters = parameters;
    }
  }

  private static String classOf(String fullName) {
    int end = fullName.lastIndexOf('#');
    end = end < 0 ? fullName.lastIndexOf('.') : end;
    return end < 0 ? fullName : fullName.substring(0, end);
  }
}
