package dev.mainstay.server.report.json;

import dev.mainstay.core.health.Outcome;
import dev.mainstay.server.report.Ending;
import dev.mainstay.server.report.JoinedText;
import dev.mainstay.server.report.ReportTimes;
import dev.mainstay.server.report.ReportedCase;
import dev.mainstay.server.report.ReportedRun;
import dev.mainstay.server.report.RunTeller;
import java.util.ArrayList;
import java.util.List;

/**
 * The Common Test Report Format. Attempts before the last are listed, or only counted as retries of
 * a test that failed or is flaky.
 */
final class Ctrf implements JsonFormat {
  private static final int MOST_ATTEMPTS = 100;

  private final ReportTimes times = new ReportTimes();
  private final RecentText paths = RecentText.path();
  private final RecentText statuses = RecentText.plain();
  private final RecentText titles = RecentText.plain();
  private final JoinedText suites = new JoinedText(" > ");

  @Override
  public void read(JsonCursor json, RunTeller teller) {
    json.object(
        field -> {
          if (field.equals("results")) {
            json.object(part -> part(part, json, teller));
          }
        });
  }

  private void part(String part, JsonCursor json, RunTeller teller) {
    switch (part) {
      case "summary" ->
          json.object(count -> teller.announce(count.equals("failed") ? json.number() : 0));
      case "tests" -> json.array(() -> test(json, teller));
      default -> {}
    }
  }

  private void test(JsonCursor json, RunTeller teller) {
    var test = new Test();
    for (String field = json.firstField(); field != null; field = json.nextField()) {
      test.field(field, json);
    }
    teller.tell(
        new ReportedCase(test.file, test.suite, test.outermost, test.name, test.attempts()));
  }

  private final class Test {
    private final Attempt last = new Attempt();
    private List<Attempt> before = List.of();
    private String name = "";
    private String file = "";
    private String suite = "";
    private String outermost = "";
    private double retries;
    private boolean flaky;

    void field(String field, JsonCursor json) {
      switch (field) {
        case "name" -> name = json.text();
        case "filePath" -> file = json.text(paths);
        case "suite" -> suite(json);
        case "retries" -> retries = json.number();
        case "flaky" -> flaky = json.isTrue();
        case "retryAttempts" -> json.array(() -> earlier(json));
        default -> last.field(field, json);
      }
    }

    /** The way to the test: a list, or a text in older versions. */
    private void suite(JsonCursor json) {
      if (json.isArray()) {
        json.array(
            () -> {
              String title = json.text(titles);
              outermost = suites.isEmpty() ? title : outermost;
              suites.add(title);
            });
        suite = suites.take();
      } else {
        suite = json.text();
        int end = suite.indexOf(" > ");
        outermost = end < 0 ? suite : suite.substring(0, end);
      }
    }

    private void earlier(JsonCursor json) {
      var attempt = new Attempt();
      json.object(field -> attempt.field(field, json));
      before = before.isEmpty() ? new ArrayList<>() : before;
      if (before.size() < MOST_ATTEMPTS) {
        before.add(attempt);
      }
    }

    List<Ending> attempts() {
      Ending ending = last.ending();
      if (before.isEmpty()) {
        boolean failedBefore = flaky || ending.outcome().isFailure();
        return ReportedCase.after(failedBefore ? retries : 0, ending);
      }
      var all = new ArrayList<Ending>(before.stream().map(Attempt::ending).toList());
      all.add(ending);
      return all;
    }
  }

  private final class Attempt {
    private String status = "";
    private String message = "";
    private String trace = "";
    private int duration = ReportedRun.UNKNOWN_DURATION;
    private long startedAt = ReportedRun.UNKNOWN_TIME;

    void field(String field, JsonCursor json) {
      switch (field) {
        case "status" -> status = json.text(statuses);
        case "message" -> message = json.text();
        case "trace" -> trace = json.text();
        case "duration" -> duration = ReportTimes.duration(json.number(), 1);
        case "start" -> startedAt = json.moment(times);
        default -> {}
      }
    }

    Ending ending() {
      Outcome outcome =
          switch (status) {
            case "failed" -> Outcome.FAILED;
            case "passed" -> Outcome.PASSED;
            default -> Outcome.SKIPPED;
          };
      return Ending.of(outcome, startedAt, duration, "", message, trace);
    }
  }
}
