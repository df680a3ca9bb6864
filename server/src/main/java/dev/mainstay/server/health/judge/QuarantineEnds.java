package dev.mainstay.server.health.judge;

import dev.mainstay.server.health.result.RunStore;
import dev.mainstay.server.health.test.DecisionEndStore;
import dev.mainstay.server.health.test.DecisionEndStore.Awaited;
import dev.mainstay.server.health.test.DecisionEndStore.OfRepository;
import dev.mainstay.server.health.test.TestRow;
import dev.mainstay.server.health.test.TestSettingsStore;
import dev.mainstay.server.platform.FactStore;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/**
 * Ends what was decided about quarantine: at its time, after enough passes, with its ticket.
 * Whoever owns such a test is told by an event.
 */
final class QuarantineEnds {
  private static final int TESTS_AT_ONCE = 2000;

  private QuarantineEnds() {}

  /** Ends what time or a ticket ends. */
  static void byTimeOrTicket(Handle handle, Instant now) {
    for (OfRepository ended : DecisionEndStore.byTime(handle, now, TESTS_AT_ONCE)) {
      tell(handle, ended, "decision_ended", "The time of the decision is over.", now);
    }
    for (OfRepository ended : DecisionEndStore.byTicket(handle, now, TESTS_AT_ONCE)) {
      tell(
          handle,
          ended,
          "ticket_closed",
          "Its ticket %s is closed.".formatted(ended.test().ticket().orElse("")),
          now);
    }
  }

  private static void tell(
      Handle handle, OfRepository ended, String code, String sentence, Instant now) {
    var switches = TestSettingsStore.find(handle, ended.repositoryId()).quarantine();
    FactStore.insert(
        handle,
        ended.repositoryId(),
        JudgedFacts.decisionEnd(ended.test(), switches, code, sentence, now).stream().toList());
  }

  /** Ends decisions about tests that have passed often enough in a row. */
  static void byPasses(Handle handle, long repositoryId, Instant now) {
    UUID after = new UUID(0, 0);
    List<Awaited> some;
    do {
      some = DecisionEndStore.awaitingPasses(handle, repositoryId, after, TESTS_AT_ONCE);
      if (!some.isEmpty()) {
        after = some.getLast().test();
        end(handle, repositoryId, some, now);
      }
    } while (some.size() == TESTS_AT_ONCE);
  }

  private static void end(Handle handle, long repositoryId, List<Awaited> awaited, Instant now) {
    Map<UUID, Instant> since = new LinkedHashMap<>();
    awaited.forEach(a -> since.put(a.test(), a.since()));
    Map<UUID, Integer> passes = RunStore.passesInARow(handle, repositoryId, since);
    List<Awaited> passed =
        awaited.stream().filter(a -> passes.getOrDefault(a.test(), 0) >= a.passes()).toList();
    if (passed.isEmpty()) {
      return;
    }
    var switches = TestSettingsStore.find(handle, repositoryId).quarantine();
    for (TestRow test : DecisionEndStore.end(handle, repositoryId, passed, now)) {
      String sentence = "It passed %d times in a row.".formatted(passes.getOrDefault(test.id(), 0));
      FactStore.insert(
          handle,
          repositoryId,
          JudgedFacts.decisionEnd(test, switches, "passed_in_a_row", sentence, now).stream()
              .toList());
    }
  }
}
