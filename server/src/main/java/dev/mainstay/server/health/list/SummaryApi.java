package dev.mainstay.server.health.list;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.mainstay.core.code.RepoName;
import dev.mainstay.server.health.result.DayCounts;
import dev.mainstay.server.health.result.RepositoryDayStore;
import dev.mainstay.server.health.test.RepoApi;
import dev.mainstay.server.health.test.RepoFields;
import dev.mainstay.server.health.test.SummaryStore;
import dev.mainstay.server.health.test.SummaryStore.Listed;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.http.ListPage;
import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.platform.http.Request;
import dev.mainstay.server.platform.http.Route;
import dev.mainstay.server.platform.http.Scope;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The repositories of an organization at a glance. */
public final class SummaryApi {
  private static final int DAYS = 14;

  private final Database database;
  private final Clock clock;

  public SummaryApi(Database database, Clock clock) {
    this.database = database;
    this.clock = clock;
  }

  public List<Route> routes() {
    return List.of(Route.post("/v1/repositories/summary", Scope.READ, this::summary));
  }

  @JsonInclude(JsonInclude.Include.NON_ABSENT)
  record WirePage(List<WireRepository> repositories, Optional<String> nextCursor) {}

  record WireRepository(
      RepoRecord repo, boolean connected, TestCounts tests, List<DayRecord> days) {}

  private Reply summary(Request request) {
    var in = request.fields();
    Optional<RepoName> one = in.has("repo") ? Optional.of(RepoFields.read(in)) : Optional.empty();
    ListPage page = ListPage.read(in, 1);
    in.check();
    long organization = request.caller().organizationId();
    List<Listed> found = one.isPresent() ? one(organization, one.get()) : page(organization, page);
    List<Listed> shown = found.subList(0, Math.min(page.take(), found.size()));
    return Reply.json(
        new WirePage(
            wire(shown),
            found.size() > shown.size()
                ? Optional.of(ListPage.cursor(shown.getLast().name().key()))
                : Optional.empty()));
  }

  private List<Listed> one(long organization, RepoName name) {
    List<Listed> found = database.query(h -> SummaryStore.one(h, organization, name));
    if (found.isEmpty()) {
      throw RepoApi.noSuchRepository();
    }
    return found;
  }

  private List<Listed> page(long organization, ListPage page) {
    String after = page.after().map(List::getFirst).orElse("");
    return database.query(h -> SummaryStore.page(h, organization, after, page.take() + 1));
  }

  private List<WireRepository> wire(List<Listed> repositories) {
    Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    LocalDate today = LocalDate.ofInstant(now, ZoneOffset.UTC);
    List<Long> ids = repositories.stream().map(Listed::id).toList();
    Map<Long, TestCounts> counts = database.query(h -> TestCounts.of(h, ids, now));
    Map<Long, Map<LocalDate, DayCounts>> days =
        database.query(h -> RepositoryDayStore.since(h, ids, DayRecord.first(today, DAYS)));
    return repositories.stream()
        .map(
            r ->
                new WireRepository(
                    RepoRecord.of(r.name()),
                    r.connected(),
                    Objects.requireNonNull(counts.get(r.id())),
                    DayRecord.of(days.getOrDefault(r.id(), Map.of()), today, DAYS)))
        .toList();
  }
}
