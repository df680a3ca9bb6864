package dev.mainstay.server.health.list;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.mainstay.core.health.HistoryNeed;
import dev.mainstay.core.health.Monitor;
import dev.mainstay.core.health.MonitorId;
import dev.mainstay.core.health.MonitorRule;
import dev.mainstay.core.health.MonitorState;
import dev.mainstay.core.health.judge.Estimate;
import dev.mainstay.core.health.judge.Flakiness;
import dev.mainstay.server.health.judge.MonitorStore;
import dev.mainstay.server.health.judge.StatusChangeStore;
import dev.mainstay.server.health.result.HistoryStore;
import dev.mainstay.server.health.result.RecentFailureStore;
import dev.mainstay.server.health.test.RepoView;
import dev.mainstay.server.health.test.StandingJson;
import dev.mainstay.server.health.test.StandingStore;
import dev.mainstay.server.health.test.TestRow;
import dev.mainstay.server.health.test.TestStore;
import dev.mainstay.server.health.test.TicketStore;
import dev.mainstay.server.health.test.TicketsApi;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import tools.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import tools.jackson.databind.annotation.JsonNaming;
import tools.jackson.databind.node.ObjectNode;

/** The details of a test, in the words of the API. */
final class TestDossier {
  private static final int MOST_GROUPS = 20;
  private static final int MOST_CHANGES = 20;

  private final TestRecords records;

  TestDossier(TestRecords records) {
    this.records = records;
  }

  @JsonNaming(SnakeCaseStrategy.class)
  @JsonInclude(JsonInclude.Include.NON_ABSENT)
  record Dossier(
      TestRecord test,
      String firstSeenAt,
      Optional<WireDecision> quarantineOverride,
      Optional<String> ticketState,
      WireFlakiness flakiness,
      List<WireMonitor> monitors,
      List<WireGroup> failures,
      List<StatusChangeRecord> changes) {}

  @JsonNaming(SnakeCaseStrategy.class)
  @JsonInclude(JsonInclude.Include.NON_ABSENT)
  record WireDecision(
      String setting,
      String by,
      String reason,
      String since,
      Optional<String> until,
      Optional<Integer> afterPasses,
      boolean untilTicketClosed) {}

  /**
   * The flakiness of a test: how likely it is flaky, and how often it fails for no reason in the
   * code.
   */
  record WireFlakiness(
      double probability,
      double rate,
      double low,
      double high,
      double runs,
      double failures,
      List<WirePhase> phases) {}

  @JsonNaming(SnakeCaseStrategy.class)
  @JsonInclude(JsonInclude.Include.NON_ABSENT)
  record WirePhase(
      boolean broken,
      String from,
      String to,
      int runs,
      int failures,
      String firstCommit,
      Optional<String> commitBefore) {}

  @JsonNaming(SnakeCaseStrategy.class)
  @JsonInclude(JsonInclude.Include.NON_ABSENT)
  record WireMonitor(
      UUID monitorId,
      String name,
      String kind,
      boolean enabled,
      boolean active,
      Optional<String> status,
      Optional<String> since,
      Optional<String> mutedUntil,
      Optional<ObjectNode> evidence) {}

  @JsonNaming(SnakeCaseStrategy.class)
  record WireGroup(
      String summary,
      int occurrenceCount,
      String firstOccurrence,
      String lastOccurrence,
      String message,
      String stack) {}

  Optional<Dossier> of(Handle handle, RepoView repository, UUID test, Instant now) {
    long id = repository.repositoryId();
    return TestStore.find(handle, id, test)
        .map(
            row ->
                new Dossier(
                    records.whole(handle, repository, List.of(test), now).getFirst(),
                    row.firstSeenAt().toString(),
                    row.decision().map(TestDossier::wire),
                    row.ticket()
                        .flatMap(ticket -> TicketStore.isClosed(handle, id, ticket))
                        .map(TicketsApi::word),
                    flakiness(handle, id, test, now),
                    monitors(handle, id, test, now),
                    failures(handle, id, test, now),
                    StatusChangeStore.latest(handle, id, test, Optional.empty(), MOST_CHANGES)
                        .stream()
                        .map(StatusChangeRecord::of)
                        .toList()));
  }

  private static WireDecision wire(TestRow.Decision decision) {
    return new WireDecision(
        decision.choice().name(),
        decision.by(),
        decision.reason(),
        decision.since().toString(),
        decision.until().map(Instant::toString),
        decision.end().afterPasses(),
        decision.end().withTicket());
  }

  /** By the repository's own bayesian monitor, where it has one. */
  private static WireFlakiness flakiness(Handle handle, long id, UUID test, Instant now) {
    MonitorRule.Bayesian rule =
        MonitorStore.all(handle, id).stream()
            .map(Monitor::rule)
            .filter(MonitorRule.Bayesian.class::isInstance)
            .map(MonitorRule.Bayesian.class::cast)
            .findFirst()
            .orElse(MonitorRule.Bayesian.DEFAULT);
    var history =
        HistoryStore.read(handle, id, List.of(test), HistoryNeed.of(rule, now)).apply(test);
    Flakiness flakiness = Estimate.of(history, rule, now);
    return new WireFlakiness(
        flakiness.probability(),
        flakiness.rate(),
        flakiness.low(),
        flakiness.high(),
        flakiness.runs(),
        flakiness.failures(),
        flakiness.phases().stream()
            .map(
                p ->
                    new WirePhase(
                        p.broken(),
                        p.from().toString(),
                        p.to().toString(),
                        p.runs(),
                        p.failures(),
                        p.firstCommit(),
                        p.commitBefore()))
            .toList());
  }

  private static List<WireMonitor> monitors(Handle handle, long id, UUID test, Instant now) {
    var standing = StandingStore.find(handle, id, List.of(test)).get(test);
    Map<MonitorId, Instant> mutes =
        MonitorStore.mutes(handle, id, List.of(test), now).getOrDefault(test, Map.of());
    return MonitorStore.all(handle, id).stream()
        .map(
            m ->
                wire(
                    m,
                    standing == null ? Optional.empty() : standing.of(m.id()),
                    Optional.ofNullable(mutes.get(m.id()))))
        .toList();
  }

  private static WireMonitor wire(
      Monitor monitor, Optional<MonitorState> state, Optional<Instant> mutedUntil) {
    return new WireMonitor(
        monitor.id().value(),
        monitor.name(),
        monitor.rule().kind(),
        monitor.enabled(),
        state.map(MonitorState::active).orElse(false),
        state.map(s -> TestStore.label(s.status())),
        state.map(s -> s.since().toString()),
        mutedUntil.map(Instant::toString),
        state.map(s -> StandingJson.evidence(s.evidence())));
  }

  /** The groups of a month, each with its latest failure as an example. */
  private static List<WireGroup> failures(Handle handle, long id, UUID test, Instant now) {
    var groups =
        RecentFailureStore.groups(
                handle, id, List.of(test), now.minus(RecentFailureStore.KEPT), MOST_GROUPS)
            .getOrDefault(test, List.of());
    return groups.stream()
        .map(
            g -> {
              var example = RecentFailureStore.example(handle, id, test, g);
              return new WireGroup(
                  g.title(),
                  g.occurrences(),
                  g.first().toString(),
                  g.last().toString(),
                  example.message(),
                  example.stack());
            })
        .toList();
  }
}
