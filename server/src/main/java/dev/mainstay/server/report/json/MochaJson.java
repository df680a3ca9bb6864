package dev.mainstay.server.report.json;

import dev.mainstay.core.health.Outcome;
import dev.mainstay.server.report.Ending;
import dev.mainstay.server.report.ReportTimes;
import dev.mainstay.server.report.ReportedCase;
import dev.mainstay.server.report.ReportedRun;
import dev.mainstay.server.report.RunTeller;
import java.util.regex.Pattern;

/**
 * Mocha's reporter {@code json}. Its first list has all tests; hooks that failed are among the
 * failures only. A test that did not run has no duration.
 */
final class MochaJson implements JsonFormat {
  private static final Pattern HOOK = Pattern.compile("^\"(before|after) (all|each)\" hook");

  private final RecentText file = RecentText.path();

  @Override
  public void read(JsonCursor json, RunTeller teller) {
    json.object(
        field -> {
          switch (field) {
            case "stats" ->
                json.object(stat -> teller.announce(stat.equals("failures") ? json.number() : 0));
            case "tests" -> json.array(() -> teller.tell(test(json).toCase()));
            case "failures" ->
                json.array(
                    () -> {
                      Test hook = test(json);
                      if (HOOK.matcher(hook.title).find()) {
                        teller.tell(hook.toCase());
                      }
                    });
            default -> {}
          }
        });
  }

  private Test test(JsonCursor json) {
    var test = new Test();
    for (String field = json.firstField(); field != null; field = json.nextField()) {
      switch (field) {
        case "title" -> test.title = json.text();
        case "fullTitle" -> test.fullTitle = json.text();
        case "file" -> test.file = json.text(file);
        case "duration" -> test.duration = ReportTimes.duration(json.number(), 1);
        case "currentRetry" -> test.retries = json.number();
        case "err" -> json.object(part -> test.error(part, json));
        default -> {}
      }
    }
    return test;
  }

  private static final class Test {
    String title = "";
    String fullTitle = "";
    String file = "";
    int duration = ReportedRun.UNKNOWN_DURATION;
    double retries;
    boolean failed;
    String type = "";
    String message = "";
    String stack = "";

    void error(String part, JsonCursor json) {
      failed = true;
      switch (part) {
        case "name" -> type = json.text();
        case "message" -> message = json.text();
        case "stack" -> stack = json.text();
        default -> {}
      }
    }

    ReportedCase toCase() {
      boolean ran = duration != ReportedRun.UNKNOWN_DURATION;
      Outcome outcome = failed ? Outcome.FAILED : ran ? Outcome.PASSED : Outcome.SKIPPED;
      String suite =
          fullTitle.endsWith(title)
              ? fullTitle.substring(0, fullTitle.length() - title.length()).strip()
              : fullTitle;
      Ending last = Ending.of(outcome, ReportedRun.UNKNOWN_TIME, duration, type, message, stack);
      return new ReportedCase(
          file,
          suite,
          suite,
          title,
          ReportedCase.after(outcome == Outcome.SKIPPED ? 0 : retries, last));
    }
  }
}
