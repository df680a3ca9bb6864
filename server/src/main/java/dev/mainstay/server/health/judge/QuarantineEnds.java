package dev.mainstay.server.health.judge;

import dev.mainstay.server.health.result.RunStore;
import dev.mainstay.server.health.test.DecisionEndStore;
import dev.mainstay.server.health.test.DecisionEndStore.Awaited;
import dev.mainstay.server.health.test.TestRow;
import dev.mainstay.server.health.test.TestSettingsStore;
import dev.mainstay.server.health.test.TicketStore;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.FactStore;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;

/**
 * Ends what was decided about quarantine: at its time, after enough passes, with its ticket.
 * Whoever owns such a test is told by an event.
 */
final class QuarantineEnds {
  private static final int TESTS_AT_ONCE = 2000;

  private QuarantineEnds() {}

  /** Ends what time or a ticket ends. */
  static void byTimeOrTicket(Database database, Instant now) {
    for (long repository : database.query(handle -> DecisionEndStore.withRunOut(handle, now))) {
      database.useTransaction(
          handle ->
              tell(
                  handle,
                  repository,
                  DecisionEndStore.byTime(handle, repository, now, TESTS_AT_ONCE),
                  "decision_ended",
                  test -> "The time of the decision is over.",
                  now));
    }
    database
        .query(DecisionEndStore::awaitedTickets)
        .forEach((repository, tickets) -> byTicket(database, repository, tickets, now));
  }

  private static void byTicket(
      Database database, long repositoryId, Set<String> tickets, Instant now) {
    Set<String> closed =
        database.query(handle -> TicketStore.closed(handle, repositoryId, tickets));
    if (closed.isEmpty()) {
      return;
    }
    database.useTransaction(
        handle ->
            tell(
                handle,
                repositoryId,
                DecisionEndStore.byTicket(handle, repositoryId, closed, now, TESTS_AT_ONCE),
                "ticket_closed",
                test -> "Its ticket %s is closed.".formatted(test.ticket().orElse("")),
                now));
  }

  private static void tell(
      Handle handle,
      long repositoryId,
      List<TestRow> ended,
      String code,
      Function<TestRow, String> sentence,
      Instant now) {
    if (ended.isEmpty()) {
      return;
    }
    var switches = TestSettingsStore.find(handle, repositoryId).quarantine();
    FactStore.insert(
        handle,
        repositoryId,
        ended.stream()
            .flatMap(
                test ->
                    JudgedFacts.decisionEnd(test, switches, code, sentence.apply(test), now)
                        .stream())
            .toList());
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
    tell(
        handle,
        repositoryId,
        DecisionEndStore.end(handle, repositoryId, passed, now),
        "passed_in_a_row",
        test -> "It passed %d times in a row.".formatted(passes.getOrDefault(test.id(), 0)),
        now);
  }
}
