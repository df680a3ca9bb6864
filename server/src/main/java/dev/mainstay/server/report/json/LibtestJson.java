package dev.mainstay.server.report.json;

import dev.mainstay.core.health.Outcome;
import dev.mainstay.server.report.Ending;
import dev.mainstay.server.report.ReportTimes;
import dev.mainstay.server.report.ReportedCase;
import dev.mainstay.server.report.ReportedRun;
import dev.mainstay.server.report.RunTeller;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The lines of Rust's {@code cargo test -- --format json}. Tests that run when their program dies
 * have failed: no suite ends, and either the next begins or the file ends.
 */
final class LibtestJson implements JsonFormat {
  private static final int MOST_RUNNING = 10_000;
  private static final Pattern PANIC =
      Pattern.compile(
          "panicked at ([^\\n]{1,500}):\\n([^\\n]{0,2000}(?:\\n  left: [^\\n]{0,500}\\n right: [^\\n]{0,500})?)");

  private final Set<String> running = new LinkedHashSet<>();
  private boolean inSuite;

  private static final class Event {
    String type = "";
    String event = "";
    String name = "";
    String stdout = "";
    String message = "";
    double seconds = -1;
  }

  @Override
  public void read(JsonCursor json, RunTeller teller) {
    var line = new Event();
    json.object(
        field -> {
          switch (field) {
            case "type" -> line.type = json.text();
            case "event" -> line.event = json.text();
            case "name" -> line.name = json.text();
            case "stdout" -> line.stdout = json.text();
            case "message", "reason" -> line.message = json.text();
            case "exec_time" -> line.seconds = json.number();
            default -> {}
          }
        });
    switch (line.type) {
      case "suite" -> {
        died(teller);
        inSuite = line.event.equals("started");
      }
      case "test" -> test(line, teller);
      default -> {}
    }
  }

  @Override
  public void ends(int line, RunTeller teller) {
    died(teller);
    if (inSuite) {
      teller.unreadable(line, "cut off: the suite does not end");
    }
  }

  private void died(RunTeller teller) {
    for (String test : List.copyOf(running)) {
      teller.tell(of(test, Ending.of(Outcome.ERRORED, "The program ended in this test.", "")));
    }
    running.clear();
  }

  private void test(Event line, RunTeller teller) {
    switch (line.event) {
      case "started" -> {
        if (running.size() < MOST_RUNNING) {
          running.add(line.name);
        }
      }
      case "ok" -> ended(line, Outcome.PASSED, teller);
      case "ignored" -> ended(line, Outcome.SKIPPED, teller);
      case "failed" -> ended(line, Outcome.FAILED, teller);
      default -> {}
    }
  }

  private void ended(Event line, Outcome outcome, RunTeller teller) {
    running.remove(line.name);
    Matcher panic = PANIC.matcher(line.stdout);
    String message = line.message.isEmpty() && panic.find() ? panic.group(2) : line.message;
    teller.tell(
        of(
            line.name,
            Ending.of(
                outcome,
                ReportedRun.UNKNOWN_TIME,
                ReportTimes.duration(line.seconds, 1000),
                "",
                message,
                line.stdout)));
  }

  /** The modules of a test are its class. */
  private static ReportedCase of(String test, Ending ending) {
    int end = test.lastIndexOf("::");
    String module = end < 0 ? "" : test.substring(0, end);
    return ReportedCase.once("", module, module, end < 0 ? test : test.substring(end + 2), ending);
  }
}
