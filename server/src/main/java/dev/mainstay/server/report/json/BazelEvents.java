package dev.mainstay.server.report.json;

import dev.mainstay.core.health.Outcome;
import dev.mainstay.server.report.Ending;
import dev.mainstay.server.report.ReportTimes;
import dev.mainstay.server.report.ReportedCase;
import dev.mainstay.server.report.ReportedRun;
import dev.mainstay.server.report.Room;
import dev.mainstay.server.report.RunTeller;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Bazel's Build Event Protocol in JSON: a target is a test here, with its numbered attempts. Runs
 * and shards of a target are tests of their own. The cases inside are in its {@code test.xml}.
 */
final class BazelEvents implements JsonFormat {
  private static final int MOST = 200_000;
  private static final int MOST_OF_LABEL = 5_000;
  private static final int MOST_ATTEMPTS = 100;

  private final ReportTimes times = new ReportTimes();
  private final RecentText labels = RecentText.plain();
  private final RecentText statuses = RecentText.plain();

  /** The results of each label that has no summary yet, which is the last of its events. */
  private final Map<String, Map<String, List<Ending>>> targets = new LinkedHashMap<>();

  private final Room room = new Room();
  private boolean ended;
  private boolean begun;
  private boolean tooMany;

  private static final class Result {
    String label = "";
    int run = 1;
    int shard = 1;
    boolean isResult;
    boolean isSummary;
    String status = "";
    String details = "";
    long startedAt = ReportedRun.UNKNOWN_TIME;
    double millis = -1;
  }

  @Override
  public void read(JsonCursor json, RunTeller teller) {
    var result = new Result();
    json.object(
        field -> {
          switch (field) {
            case "id" -> json.object(kind -> id(kind, json, result));
            case "testResult" -> json.object(part -> result(part, json, result));
            case "lastMessage" -> ended |= json.isTrue();
            default -> {}
          }
        });
    if (result.isResult && !result.status.isEmpty()) {
      add(result);
    } else if (result.isSummary) {
      tell(targets.remove(result.label), teller);
    }
  }

  private void id(String kind, JsonCursor json, Result result) {
    switch (kind) {
      case "testResult", "testSummary" -> {
        result.isResult = kind.equals("testResult");
        result.isSummary = !result.isResult;
        json.object(
            part -> {
              switch (part) {
                case "label" -> result.label = json.text(labels);
                case "run" -> result.run = (int) json.number();
                case "shard" -> result.shard = (int) json.number();
                default -> {}
              }
            });
      }
      case "started" -> begun = true;
      case "buildFinished" -> ended = true;
      default -> {}
    }
  }

  private void result(String part, JsonCursor json, Result result) {
    switch (part) {
      case "status" -> result.status = json.text(statuses);
      case "statusDetails" -> result.details = json.text();
      case "testAttemptStart" -> result.startedAt = times.millis(json.text());
      // A whole number of 64 bits is a text in this form of JSON.
      case "testAttemptDurationMillis" -> result.millis = ReportTimes.count(json.text());
      default -> {}
    }
  }

  private void add(Result result) {
    Outcome outcome =
        switch (result.status) {
          case "PASSED", "FLAKY" -> Outcome.PASSED;
          case "NO_STATUS" -> Outcome.SKIPPED;
          case "FAILED", "TIMEOUT" -> Outcome.FAILED;
          default -> Outcome.ERRORED;
        };
    String name = result.label;
    name += result.shard > 1 ? " (shard %d)".formatted(result.shard) : "";
    name += result.run > 1 ? " (run %d)".formatted(result.run) : "";
    Map<String, List<Ending>> ofLabel = targets.get(result.label);
    if (ofLabel == null && targets.size() < MOST) {
      ofLabel = new LinkedHashMap<>();
      targets.put(result.label, ofLabel);
    }
    if (ofLabel == null || !holds(ofLabel, name)) {
      tooMany = true;
      return;
    }
    List<Ending> attempts = ofLabel.computeIfAbsent(name, n -> new ArrayList<>(1));
    if (attempts.size() < MOST_ATTEMPTS) {
      Ending ending =
          Ending.of(
              outcome,
              result.startedAt,
              ReportTimes.duration(result.millis, 1),
              "",
              result.details.isEmpty() ? result.status : result.details,
              "");
      attempts.add(room.take(ending.textLength()) ? ending : ending.untold());
    }
  }

  /** True where a name is there, or there is room for it. */
  private boolean holds(Map<String, List<Ending>> ofLabel, String name) {
    return ofLabel.containsKey(name)
        || (ofLabel.size() < MOST_OF_LABEL && room.take(name.length()));
  }

  private void tell(@Nullable Map<String, List<Ending>> ofLabel, RunTeller teller) {
    if (ofLabel != null) {
      ofLabel.forEach(
          (name, attempts) -> {
            room.give(name.length() + attempts.stream().mapToLong(Ending::textLength).sum());
            int colon = name.indexOf(':');
            String folder = colon < 0 ? name : name.substring(0, colon);
            teller.tell(new ReportedCase("", folder, folder, name, attempts));
          });
    }
  }

  @Override
  public void ends(int line, RunTeller teller) {
    targets.values().forEach(left -> tell(left, teller));
    if (tooMany) {
      teller.unreadable(line, "more targets without a summary than are read");
    }
    if (begun && !ended) {
      teller.unreadable(line, "cut off: the build does not end");
    }
  }
}
