package dev.mainstay.server.report.json;

import dev.mainstay.core.health.text.BoundedText;
import dev.mainstay.server.report.Ending;
import dev.mainstay.server.report.Limits;
import dev.mainstay.server.report.ReportTimes;
import dev.mainstay.server.report.ReportedCase;
import dev.mainstay.server.report.ReportedRun;
import dev.mainstay.server.report.Room;
import dev.mainstay.server.report.RunTeller;
import dev.mainstay.server.report.SourcePaths;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Cucumber's messages, one a line. A pickle is a scenario that can be run, a test case one that
 * will be, and each start of it an attempt, of which the last decides.
 */
final class CucumberMessages implements JsonFormat {
  private static final int MOST = 200_000;
  private static final int MOST_ATTEMPTS = 100;

  private final RecentText ids = RecentText.plain();
  private final RecentText paths = RecentText.path();
  private final RecentText statuses = RecentText.plain();
  private final ReportTimes times = new ReportTimes();
  private final Map<String, String> features = new HashMap<>();
  private final Map<String, Pickle> pickles = new HashMap<>();
  private final Map<String, Integer> names = new HashMap<>();
  private final Map<String, String> pickleOfCase = new HashMap<>();
  private final Map<String, Attempt> running = new LinkedHashMap<>();
  private final Map<String, List<Ending>> before = new LinkedHashMap<>();
  private final Room room = new Room();
  private boolean ended;
  private boolean tooMany;

  private record Pickle(String uri, String name) {}

  private static final class Attempt {
    final CucumberSteps steps = new CucumberSteps();
    String testCase = "";
    long startedAt = ReportedRun.UNKNOWN_TIME;
    long held;
  }

  @Override
  public void read(JsonCursor json, RunTeller teller) {
    json.object(
        kind -> {
          switch (kind) {
            case "gherkinDocument" -> feature(json);
            case "pickle" -> pickle(json);
            case "testCase" -> testCase(json);
            case "testCaseStarted" -> started(json);
            case "testStepFinished" -> step(json);
            case "testCaseFinished" -> finished(json, teller);
            case "testRunFinished" -> ended = true;
            default -> {}
          }
        });
  }

  @Override
  public boolean mayBeTooLong(String start) {
    return start.startsWith("{\"attachment\"") || start.startsWith("{\"source\"");
  }

  @Override
  public void ends(int line, RunTeller teller) {
    for (Map.Entry<String, Attempt> left : List.copyOf(running.entrySet())) {
      String words = "The run ended in the middle of this scenario.";
      left.getValue().steps.add("failed", 0, words, "");
      end(left.getKey(), false, teller);
    }
    if (tooMany) {
      teller.unreadable(line, "more scenarios run at a time than are read");
    }
    if (!ended) {
      teller.unreadable(line, "cut off: the run does not end");
    }
  }

  private void feature(JsonCursor json) {
    String[] about = {"", ""};
    json.object(
        field -> {
          switch (field) {
            case "uri" -> about[0] = SourcePaths.of(json.text());
            case "feature" ->
                json.object(part -> about[1] = part.equals("name") ? json.text() : about[1]);
            default -> {}
          }
        });
    put(features, about[0], about[1], about[1].length());
  }

  private void pickle(JsonCursor json) {
    String[] about = {"", "", ""};
    json.object(
        field -> {
          switch (field) {
            case "id" -> about[0] = json.text();
            case "uri" -> about[1] = json.text(paths);
            case "name" -> about[2] = json.text();
            default -> {}
          }
        });
    // Rows of an outline share a name.
    String key = about[1] + "\n" + about[2];
    boolean counts = names.size() < MOST && (names.containsKey(key) || room.take(key.length()));
    int count = counts ? names.merge(key, 1, Integer::sum) : 1;
    String name = count == 1 ? about[2] : "%s #%d".formatted(about[2], count);
    put(pickles, about[0], new Pickle(about[1], name), name.length());
  }

  private void testCase(JsonCursor json) {
    String[] about = {"", ""};
    json.object(
        field -> {
          switch (field) {
            case "id" -> about[0] = json.text();
            case "pickleId" -> about[1] = json.text();
            default -> {}
          }
        });
    put(pickleOfCase, about[0], about[1], about[1].length());
  }

  private void started(JsonCursor json) {
    var attempt = new Attempt();
    String[] id = {""};
    json.object(
        field -> {
          switch (field) {
            case "id" -> id[0] = json.text(ids);
            case "testCaseId" -> attempt.testCase = json.text();
            case "timestamp" -> attempt.startedAt = (long) Math.max(0, millis(json));
            default -> {}
          }
        });
    tooMany |= !put(running, id[0], attempt, attempt.testCase.length());
  }

  private static double millis(JsonCursor json) {
    double[] millis = {0};
    json.object(
        unit ->
            millis[0] +=
                switch (unit) {
                  case "seconds" -> Math.max(0, json.number()) * 1000;
                  case "nanos" -> Math.max(0, json.number()) / 1e6;
                  default -> 0;
                });
    return millis[0];
  }

  private void step(JsonCursor json) {
    String[] about = {"", "", ""};
    double[] duration = {0};
    json.object(
        field -> {
          switch (field) {
            case "testCaseStartedId" -> about[0] = json.text(ids);
            case "testStepResult" ->
                json.object(
                    part -> {
                      switch (part) {
                        case "status" -> about[1] = json.text(statuses);
                        case "message" -> about[2] = json.text();
                        case "duration" -> duration[0] = millis(json);
                        default -> {}
                      }
                    });
            default -> {}
          }
        });
    Attempt attempt = running.get(about[0]);
    if (attempt != null) {
      String message = BoundedText.middleCut(about[2], 2 * Limits.STACK_LENGTH);
      boolean fits = room.take(message.length());
      attempt.held += fits ? message.length() : 0;
      attempt.steps.add(about[1], duration[0], fits ? message : "", "");
    }
  }

  private void finished(JsonCursor json, RunTeller teller) {
    String[] id = {""};
    boolean[] again = {false};
    json.object(
        field -> {
          switch (field) {
            case "testCaseStartedId" -> id[0] = json.text(ids);
            case "willBeRetried" -> again[0] = json.isTrue();
            default -> {}
          }
        });
    end(id[0], again[0], teller);
  }

  private void end(String id, boolean again, RunTeller teller) {
    Attempt attempt = running.remove(id);
    if (attempt == null) {
      return;
    }
    room.give(attempt.held + id.length() + attempt.testCase.length());
    Ending ending = attempt.steps.ending(believable(attempt.startedAt));
    List<Ending> attempts = before.computeIfAbsent(attempt.testCase, c -> new ArrayList<>());
    if (attempts.size() < MOST_ATTEMPTS) {
      attempts.add(room.take(ending.textLength()) ? ending : ending.untold());
    }
    if (again && before.size() < MOST) {
      return;
    }
    before.remove(attempt.testCase);
    for (Ending told : attempts) {
      room.give(told.textLength());
    }
    Pickle pickle = pickle(attempt.testCase);
    String feature = features.getOrDefault(pickle.uri(), "");
    teller.tell(new ReportedCase(pickle.uri(), "", feature, pickle.name(), attempts));
  }

  /** The scenario of a test case, which is not run again. */
  private Pickle pickle(String testCase) {
    @Nullable String id = pickleOfCase.remove(testCase);
    if (id == null) {
      return new Pickle("", testCase);
    }
    room.give(testCase.length() + id.length());
    @Nullable Pickle pickle = pickles.remove(id);
    if (pickle == null) {
      return new Pickle("", testCase);
    }
    room.give(id.length() + pickle.name().length());
    return pickle;
  }

  private long believable(long millis) {
    return times.millis(Long.toString(millis));
  }

  /** False where there is no room for another; {@code more} is the length of what it holds. */
  private <T> boolean put(Map<String, T> map, String key, T value, int more) {
    boolean fits = map.size() < MOST && room.take(key.length() + more);
    if (fits) {
      map.put(key, value);
    }
    return fits;
  }
}
