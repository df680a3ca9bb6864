package dev.mainstay.server.health.list;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.mainstay.core.code.RepoName;
import dev.mainstay.core.health.Quarantine;
import dev.mainstay.server.health.result.Rates;
import dev.mainstay.server.health.result.RecentFailureStore;
import dev.mainstay.server.health.test.Links;
import dev.mainstay.server.health.test.RepoApi;
import dev.mainstay.server.health.test.RepoFields;
import dev.mainstay.server.health.test.RepoView;
import dev.mainstay.server.health.test.TestRow;
import dev.mainstay.server.health.test.TestSettings;
import dev.mainstay.server.health.test.TestSettingsStore;
import dev.mainstay.server.health.test.TestStore;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.platform.http.Request;
import dev.mainstay.server.platform.http.Route;
import dev.mainstay.server.platform.http.Scope;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import tools.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import tools.jackson.databind.annotation.JsonNaming;

/** What quarantine hides, and for how long: whatever is hidden for longest comes first. */
public final class QuarantineReportApi {
  private static final int MOST_TAKEN = 500;
  private static final int AT_FIRST = 100;
  private static final int MOST_TESTS = 100_000;

  private final Database database;
  private final Clock clock;
  private final Links links;

  public QuarantineReportApi(Database database, Clock clock, Links links) {
    this.database = database;
    this.clock = clock;
    this.links = links;
  }

  public List<Route> routes() {
    return List.of(Route.post("/v1/tests/quarantine-report", Scope.READ, this::report));
  }

  @JsonNaming(SnakeCaseStrategy.class)
  record WireReport(
      boolean quarantining,
      boolean autoQuarantine,
      Optional<Integer> quarantineCap,
      Optional<WireStopped> autoQuarantineStopped,
      int quarantined,
      int automatic,
      @JsonProperty("failures_hidden_last_7d") int failuresHidden,
      List<WireHidden> tests) {}

  record WireStopped(String at, String reason) {}

  @JsonNaming(SnakeCaseStrategy.class)
  @JsonInclude(JsonInclude.Include.NON_ABSENT)
  record WireHidden(
      UUID testId,
      String name,
      String htmlUrl,
      String status,
      List<String> codeowners,
      String quarantineSetting,
      String quarantinedAt,
      long hours,
      Optional<String> until,
      Optional<Integer> afterPasses,
      boolean untilTicketClosed,
      Optional<String> ticket,
      @JsonProperty("failures_hidden_last_7d") int failuresHidden) {}

  private record Hidden(TestRow row, Instant since) {}

  private Reply report(Request request) {
    var in = request.fields();
    RepoName repo = RepoFields.read(in);
    int take = in.optionalInteger("take", 1, MOST_TAKEN).orElse(AT_FIRST);
    in.check();
    RepoView repository = RepoApi.view(database, request.caller(), repo);
    Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    return Reply.json(database.query(handle -> report(handle, repository, take, now)));
  }

  private WireReport report(Handle handle, RepoView repository, int take, Instant now) {
    long id = repository.repositoryId();
    TestSettings settings = TestSettingsStore.find(handle, id);
    List<Hidden> hidden =
        TestStore.notable(handle, id, MOST_TESTS).stream()
            .filter(row -> row.isQuarantined(repository.switches(), now))
            .map(row -> new Hidden(row, row.quarantinedAt(repository, now)))
            .sorted(Comparator.comparing(Hidden::since).thenComparing(h -> h.row().id()))
            .toList();
    Map<UUID, Instant> since = new LinkedHashMap<>();
    Instant week = now.minus(Rates.WEEK);
    hidden.forEach(h -> since.put(h.row().id(), h.since().isBefore(week) ? week : h.since()));
    Map<UUID, Integer> failures = RecentFailureStore.failures(handle, id, since);
    return new WireReport(
        settings.quarantine().enabled(),
        settings.quarantine().automatic(),
        settings.quarantineCap(),
        settings.stopped().map(s -> new WireStopped(s.at().toString(), s.reason())),
        hidden.size(),
        (int) hidden.stream().filter(h -> h.row().choiceAt(now).isEmpty()).count(),
        failures.values().stream().mapToInt(Integer::intValue).sum(),
        hidden.stream()
            .limit(take)
            .map(h -> wire(repository, h, failures.getOrDefault(h.row().id(), 0), now))
            .toList());
  }

  private WireHidden wire(RepoView repository, Hidden hidden, int failures, Instant now) {
    TestRow row = hidden.row();
    Optional<TestRow.Decision> decision = row.decision().filter(d -> row.choiceAt(now).isPresent());
    return new WireHidden(
        row.id(),
        row.name(),
        links.test(repository, row.id()),
        TestStore.label(row.status()),
        row.codeowners(),
        decision.isPresent() ? Quarantine.Choice.ALWAYS_QUARANTINE.name() : "AUTO_QUARANTINE",
        hidden.since().toString(),
        Duration.between(hidden.since(), now).toHours(),
        decision.flatMap(TestRow.Decision::until).map(Instant::toString),
        decision.flatMap(d -> d.end().afterPasses()),
        decision.map(d -> d.end().withTicket()).orElse(false),
        row.ticket(),
        failures);
  }
}
