package dev.mainstay.server.report.json;

import dev.mainstay.core.health.Outcome;
import dev.mainstay.server.report.Ending;
import dev.mainstay.server.report.ReportedRun;
import dev.mainstay.server.report.Room;
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

  private final RecentText names = RecentText.plain();
  private final RecentText words = RecentText.plain();
  private final RecentText types = RecentText.plain();
  private final Set<String> running = new LinkedHashSet<>();
  private final Room room = new Room();

  /** The test that began last, if it runs; it is not among the others. */
  private String last = "";

  private final Event line = new Event();
  private boolean inSuite;
  private String module = "";

  private static final class Event {
    String type = "";
    String event = "";
    String name = "";
    String stdout = "";
    String message = "";
    int duration = ReportedRun.UNKNOWN_DURATION;

    void clear() {
      type = "";
      event = "";
      name = "";
      stdout = "";
      message = "";
      duration = ReportedRun.UNKNOWN_DURATION;
    }
  }

  @Override
  public void read(JsonCursor json, RunTeller teller) {
    line.clear();
    for (String field = json.firstField(); field != null; field = json.nextField()) {
      switch (field) {
        case "type" -> line.type = json.text(types);
        case "event" -> line.event = json.text(words);
        case "name" -> line.name = json.text(names);
        case "stdout" -> line.stdout = json.text();
        case "message", "reason" -> line.message = json.text();
        case "exec_time" -> line.duration = json.seconds();
        default -> {}
      }
    }
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
    String atLast = running.contains(last) ? "" : last;
    for (String test : List.copyOf(running)) {
      room.give(test.length());
      died(test, teller);
    }
    running.clear();
    last = "";
    if (!atLast.isEmpty()) {
      died(atLast, teller);
    }
  }

  private void died(String test, RunTeller teller) {
    tell(test, Ending.of(Outcome.ERRORED, "The program ended in this test.", ""), teller);
  }

  private void test(Event line, RunTeller teller) {
    switch (line.event) {
      case "started" -> {
        if (!last.isEmpty() && running.size() < MOST_RUNNING && room.take(last.length())) {
          running.add(last);
        }
        last = line.name;
      }
      case "ok" -> ended(line, Outcome.PASSED, teller);
      case "ignored" -> ended(line, Outcome.SKIPPED, teller);
      case "failed" -> ended(line, Outcome.FAILED, teller);
      default -> {}
    }
  }

  private void ended(Event line, Outcome outcome, RunTeller teller) {
    if (line.name.equals(last)) {
      last = "";
    } else if (running.remove(line.name)) {
      room.give(line.name.length());
    }
    String message = line.message;
    if (message.isEmpty() && outcome.isFailure()) {
      Matcher panic = PANIC.matcher(line.stdout);
      message = panic.find() ? panic.group(2) : "";
    }
    tell(
        line.name,
        Ending.of(outcome, ReportedRun.UNKNOWN_TIME, line.duration, "", message, line.stdout),
        teller);
  }

  /** The modules of a test are its class. */
  private void tell(String test, Ending ending, RunTeller teller) {
    int end = test.lastIndexOf("::");
    boolean same = end == module.length() && test.startsWith(module);
    module = same ? module : end < 0 ? "" : test.substring(0, end);
    teller.tellOnce("", module, module, end < 0 ? test : test.substring(end + 2), ending);
  }
}
