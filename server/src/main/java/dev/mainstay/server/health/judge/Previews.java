package dev.mainstay.server.health.judge;

import dev.mainstay.core.health.HistoryNeed;
import dev.mainstay.core.health.Monitor;
import dev.mainstay.core.health.TestStatus;
import dev.mainstay.core.health.judge.Judgement;
import dev.mainstay.server.health.result.HistoryStore;
import dev.mainstay.server.health.test.TestRow;
import dev.mainstay.server.health.test.TestStore;
import dev.mainstay.server.platform.Database;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import tools.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * Previews of monitors: the tests that one would flag if it were switched on now; nothing is
 * changed.
 */
final class Previews {
  private static final int MOST_TESTS = 20_000;
  private static final int TESTS_AT_ONCE = 500;
  private static final int MOST_EXAMPLES = 20;

  private final Database database;

  Previews(Database database) {
    this.database = database;
  }

  /**
   * The counts of a preview, and some examples; not complete when there were too many tests to look
   * at all.
   */
  @JsonNaming(SnakeCaseStrategy.class)
  record Preview(int looked, boolean complete, int flaky, int broken, List<Example> examples) {}

  @JsonNaming(SnakeCaseStrategy.class)
  record Example(UUID testId, String name, String status, String reason) {}

  private record Flagged(UUID test, TestStatus status, String reason) {}

  Preview of(long repositoryId, Monitor monitor, Instant now) {
    var need = HistoryNeed.of(List.of(monitor), now);
    List<UUID> candidates =
        database.query(h -> HistoryStore.candidates(h, repositoryId, need, MOST_TESTS + 1));
    boolean complete = candidates.size() <= MOST_TESTS;
    List<UUID> looked = candidates.subList(0, Math.min(MOST_TESTS, candidates.size()));
    var flagged = new ArrayList<Flagged>();
    for (int from = 0; from < looked.size(); from += TESTS_AT_ONCE) {
      var some = looked.subList(from, Math.min(looked.size(), from + TESTS_AT_ONCE));
      var histories = database.query(h -> HistoryStore.read(h, repositoryId, some, need));
      for (UUID test : some) {
        var after = Judgement.preview(histories.apply(test), monitor, now).after();
        if (after.status() != TestStatus.HEALTHY) {
          flagged.add(new Flagged(test, after.status(), after.reason()));
        }
      }
    }
    return new Preview(
        looked.size(),
        complete,
        (int) flagged.stream().filter(f -> f.status == TestStatus.FLAKY).count(),
        (int) flagged.stream().filter(f -> f.status == TestStatus.BROKEN).count(),
        examples(repositoryId, flagged.subList(0, Math.min(MOST_EXAMPLES, flagged.size()))));
  }

  private List<Example> examples(long repositoryId, List<Flagged> flagged) {
    var rows =
        database.query(
            h -> TestStore.find(h, repositoryId, flagged.stream().map(Flagged::test).toList()));
    return flagged.stream()
        .map(
            f -> {
              TestRow row = rows.get(f.test);
              return new Example(
                  f.test, row == null ? "" : row.name(), TestStore.label(f.status), f.reason);
            })
        .toList();
  }
}
