package dev.mainstay.server.report.json;

import dev.mainstay.core.health.Outcome;
import dev.mainstay.server.report.Ending;
import dev.mainstay.server.report.ReportTimes;
import dev.mainstay.server.report.ReportedCase;
import dev.mainstay.server.report.ReportedRun;
import dev.mainstay.server.report.Room;
import dev.mainstay.server.report.RunTeller;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The lines of {@code dart test --reporter json} and {@code flutter test --machine}. Tests that are
 * hidden stand for loading a file, and count where they failed.
 */
final class DartJson implements JsonFormat {
  private static final int MOST = 200_000;
  private static final int MOST_TEXT = 16_000;

  private final RecentText types = RecentText.plain();
  private final RecentText results = RecentText.plain();
  private final RecentText paths = RecentText.path();
  private final Map<Integer, String> suites = new HashMap<>();
  private final Map<Integer, String> groups = new HashMap<>();
  private final Map<Integer, Running> running = new LinkedHashMap<>();
  private final Room room = new Room();
  private boolean ended;
  private boolean tooMany;

  private static final class Running {
    String name = "";
    int suite;
    int group = -1;
    double startedAt = -1;
    String error = "";
    String stack = "";
  }

  private static final class Event {
    final Running test = new Running();
    String type = "";
    int id = -1;
    int testId = -1;
    double time = -1;
    String result = "";
    boolean hidden;
    boolean skipped;
    String name = "";
    String path = "";
    int lastGroup = -1;
    int groups;
  }

  @Override
  public void read(JsonCursor json, RunTeller teller) {
    var event = new Event();
    json.object(field -> field(field, json, event));
    switch (event.type) {
      case "suite" -> put(suites, event.id, event.path, event.path.length());
      case "group" -> put(groups, event.id, event.name, event.name.length());
      case "testStart" -> {
        event.test.name = event.name;
        event.test.group = event.groups > 1 ? event.lastGroup : -1;
        event.test.startedAt = event.time;
        tooMany |= !put(running, event.id, event.test, event.name.length());
      }
      case "error" -> error(event);
      case "testDone" -> done(event, teller);
      case "done" -> ended = true;
      default -> {}
    }
  }

  private void field(String field, JsonCursor json, Event event) {
    switch (field) {
      case "type" -> event.type = json.text(types);
      case "time" -> event.time = json.number();
      case "testID" -> event.testId = (int) json.number();
      case "result" -> event.result = json.text(results);
      case "hidden" -> event.hidden = json.isTrue();
      case "skipped" -> event.skipped = json.isTrue();
      case "error" -> event.test.error = json.text();
      case "stackTrace" -> event.test.stack = json.text();
      case "test", "suite", "group" -> json.object(part -> part(part, json, event));
      default -> {}
    }
  }

  private void part(String part, JsonCursor json, Event event) {
    switch (part) {
      case "id" -> event.id = (int) json.number();
      case "name" -> event.name = json.text();
      case "path" -> event.path = json.text(paths);
      case "suiteID" -> event.test.suite = (int) json.number();
      case "groupIDs" ->
          json.array(
              () -> {
                event.lastGroup = (int) json.number();
                event.groups++;
              });
      default -> {}
    }
  }

  private void error(Event event) {
    Running test = running.get(event.testId);
    String error = cut(event.test.error);
    String stack = cut(event.test.stack);
    if (test != null
        && test.error.isEmpty()
        && test.stack.isEmpty()
        && room.take(error.length() + stack.length())) {
      test.error = error;
      test.stack = stack;
    }
  }

  private static String cut(String text) {
    return text.length() <= MOST_TEXT ? text : text.substring(0, MOST_TEXT);
  }

  private void done(Event event, RunTeller teller) {
    Running test = running.remove(event.testId);
    if (test == null) {
      return;
    }
    room.give(test.name.length() + test.error.length() + test.stack.length());
    Outcome outcome =
        switch (event.result) {
          case "success" -> event.skipped ? Outcome.SKIPPED : Outcome.PASSED;
          case "failure" -> Outcome.FAILED;
          default -> Outcome.ERRORED;
        };
    if (!event.hidden || outcome.isFailure()) {
      tell(test, outcome, event.time, teller);
    }
  }

  private void tell(Running test, Outcome outcome, double endedAt, RunTeller teller) {
    String file = suites.getOrDefault(test.suite, "");
    String group = groups.getOrDefault(test.group, "");
    int duration =
        test.startedAt < 0 || endedAt < 0
            ? ReportedRun.UNKNOWN_DURATION
            : ReportTimes.duration(endedAt - test.startedAt, 1);
    boolean named = !group.isEmpty() && test.name.startsWith(group + " ");
    teller.tell(
        ReportedCase.once(
            file,
            group,
            file,
            named ? test.name.substring(group.length() + 1) : test.name,
            Ending.of(outcome, ReportedRun.UNKNOWN_TIME, duration, "", test.error, test.stack)));
  }

  @Override
  public void ends(int line, RunTeller teller) {
    for (Running test : running.values()) {
      if (!test.name.startsWith("loading ")) {
        test.error = test.error.isEmpty() ? "The run ended in this test." : test.error;
        tell(test, Outcome.ERRORED, -1, teller);
      }
    }
    if (tooMany) {
      teller.unreadable(line, "more tests run at a time than are read");
    }
    if (!ended) {
      teller.unreadable(line, "cut off: the run does not end");
    }
  }

  /** False where there is no room for another, whose names are so long. */
  private <T> boolean put(Map<Integer, T> map, int key, T value, int length) {
    boolean fits = map.size() < MOST && room.take(length);
    if (fits) {
      map.put(key, value);
    }
    return fits;
  }
}
