package dev.mainstay.server.report.json;

import dev.mainstay.core.health.Outcome;
import dev.mainstay.server.report.Ending;
import dev.mainstay.server.report.ReportTimes;
import dev.mainstay.server.report.ReportedCase;
import dev.mainstay.server.report.ReportedRun;
import dev.mainstay.server.report.RunTeller;
import dev.mainstay.server.report.SourcePaths;
import java.util.ArrayList;
import java.util.List;

/**
 * Playwright's reporter {@code json}. A test of several projects is several tests: the project is
 * its parent. A test that should fail and does has passed.
 */
final class PlaywrightJson implements JsonFormat {
  private final ReportTimes times = new ReportTimes();
  private final RecentText projects = RecentText.plain();
  private final RecentText statuses = RecentText.plain();

  @Override
  public void read(JsonCursor json, RunTeller teller) {
    json.object(
        field -> {
          switch (field) {
            case "suites" -> json.array(() -> suite(json, new Place("", ""), teller));
            case "errors" -> json.array(() -> error(json, teller));
            default -> {}
          }
        });
  }

  /** Where in a file: the titles of the groups around. */
  private record Place(String file, String titles) {}

  /** A group of tests, the outermost being a file; its title and file stand before its parts. */
  private void suite(JsonCursor json, Place outer, RunTeller teller) {
    var about = new Group();
    json.object(
        field -> {
          switch (field) {
            case "title" -> about.title = json.text();
            case "file" -> about.file = SourcePaths.of(json.text());
            case "specs" -> json.array(() -> spec(json, about.in(outer), teller));
            case "suites" -> json.array(() -> suite(json, about.in(outer), teller));
            default -> {}
          }
        });
  }

  private static final class Group {
    String title = "";
    String file = "";

    Place in(Place outer) {
      if (outer.file().isEmpty()) {
        return new Place(file.isEmpty() ? title : file, "");
      }
      return new Place(
          outer.file(), outer.titles().isEmpty() ? title : outer.titles() + " › " + title);
    }
  }

  private void spec(JsonCursor json, Place place, RunTeller teller) {
    String[] title = {""};
    json.object(
        field -> {
          switch (field) {
            case "title" -> title[0] = json.text();
            case "tests" -> json.array(() -> test(json, place, title[0], teller));
            default -> {}
          }
        });
  }

  private void test(JsonCursor json, Place place, String title, RunTeller teller) {
    var test = new Test();
    json.object(
        field -> {
          switch (field) {
            case "expectedStatus" -> test.expected = json.text();
            case "projectName" -> test.project = json.text(projects);
            case "results" -> json.array(() -> test.add(result(json)));
            default -> {}
          }
        });
    teller.tell(
        new ReportedCase(
            place.file(),
            place.titles(),
            test.project.isEmpty() ? place.file() : test.project,
            title,
            test.attempts()));
  }

  private static final class Test {
    private static final int MOST_RESULTS = 100;

    String expected = "passed";
    String project = "";
    private final List<Result> results = new ArrayList<>();

    void add(Result result) {
      if (results.size() < MOST_RESULTS) {
        results.add(result);
      }
    }

    /** A test that never began, since one before it failed, has no result. */
    List<Ending> attempts() {
      return results.isEmpty()
          ? List.of(Ending.of(Outcome.SKIPPED, "", ""))
          : results.stream().map(result -> result.ending(expected)).toList();
    }
  }

  private Result result(JsonCursor json) {
    var result = new Result();
    json.object(
        field -> {
          switch (field) {
            case "status" -> result.status = json.text(statuses);
            case "duration" -> result.duration = ReportTimes.duration(json.number(), 1);
            case "startTime" -> result.startedAt = times.millis(json.text());
            case "error" -> json.object(part -> result.error(part, json));
            default -> {}
          }
        });
    return result;
  }

  private static final class Result {
    String status = "";
    String message = "";
    String stack = "";
    int duration = ReportedRun.UNKNOWN_DURATION;
    long startedAt = ReportedRun.UNKNOWN_TIME;

    void error(String part, JsonCursor json) {
      switch (part) {
        case "message", "value" -> message = json.text();
        case "stack" -> stack = json.text();
        default -> {}
      }
    }

    Ending ending(String expected) {
      if (status.equals("skipped")) {
        return Ending.of(Outcome.SKIPPED, startedAt, duration, "", "", "");
      }
      if (status.equals(expected)) {
        return Ending.of(Outcome.PASSED, startedAt, duration, "", "", "");
      }
      String said = status.equals("passed") ? "Expected to fail, but passed." : message;
      Outcome outcome = status.equals("interrupted") ? Outcome.ERRORED : Outcome.FAILED;
      return Ending.of(outcome, startedAt, duration, "", said, stack);
    }
  }

  /** An error outside of tests, such as a file that cannot be loaded. */
  private static void error(JsonCursor json, RunTeller teller) {
    var error = new Result();
    String[] file = {""};
    json.object(
        field -> {
          if (field.equals("location")) {
            json.object(
                part -> file[0] = part.equals("file") ? SourcePaths.of(json.text()) : file[0]);
          } else {
            error.error(field, json);
          }
        });
    teller.tellFault(
        file[0], file[0].isEmpty() ? "playwright" : file[0], error.message, error.stack);
  }
}
