package dev.mainstay.server.health.list;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.mainstay.core.code.RepoName;
import dev.mainstay.core.health.TestStatus;
import dev.mainstay.server.health.list.PageTokens.Place;
import dev.mainstay.server.health.test.Links;
import dev.mainstay.server.health.test.RepoApi;
import dev.mainstay.server.health.test.RepoFields;
import dev.mainstay.server.health.test.RepoView;
import dev.mainstay.server.health.test.TestFacts;
import dev.mainstay.server.health.test.TestRow;
import dev.mainstay.server.health.test.TestStore;
import dev.mainstay.server.health.test.TicketsApi;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.FactStore;
import dev.mainstay.server.platform.SecretStore;
import dev.mainstay.server.platform.http.ApiError;
import dev.mainstay.server.platform.http.Fields;
import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.platform.http.Request;
import dev.mainstay.server.platform.http.Route;
import dev.mainstay.server.platform.http.Scope;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import tools.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import tools.jackson.databind.annotation.JsonNaming;

/** The lists of tests that need somebody's eye, the details of a test, and its ticket. */
public final class TestListsApi {
  private static final Duration LONGEST_WINDOW = Duration.ofDays(7);
  private static final int MOST_LISTED = 1_000_000;
  private static final int MAX_STATUS_LENGTH = 100;

  private final Database database;
  private final Clock clock;
  private final Links links;
  private final TestRecords records;
  private final FailingTests failing;
  private final PageTokens tokens;

  public TestListsApi(Database database, Clock clock, Links links, FailingTests failing) {
    this.database = database;
    this.clock = clock;
    this.links = links;
    records = new TestRecords(links);
    this.failing = failing;
    tokens =
        new PageTokens(database.inTransaction(handle -> SecretStore.secret(handle, "page-tokens")));
  }

  public List<Route> routes() {
    return List.of(
        Route.post("/v1/flaky-tests/list-failing-tests", Scope.READ, this::listFailing),
        Route.post(
            "/v1/flaky-tests/link-ticket-to-test-case",
            List.of(Scope.QUEUE, Scope.UPLOAD),
            this::linkTicket),
        Route.post("/v1/flaky-tests/get-test-details", Scope.READ, this::details),
        Route.post("/v1/flaky-tests/list-quarantined-tests", Scope.READ, this::listQuarantined),
        Route.post("/v1/flaky-tests/list-unhealthy-tests", Scope.READ, this::listUnhealthy));
  }

  record WireTests(List<TestRecord> tests, Pages.Info page) {}

  @JsonNaming(SnakeCaseStrategy.class)
  record WireQuarantinedTests(List<WireQuarantined> quarantinedTests, Pages.Info page) {}

  @JsonNaming(SnakeCaseStrategy.class)
  @JsonInclude(JsonInclude.Include.NON_ABSENT)
  record WireQuarantined(
      UUID testCaseId,
      String name,
      String variant,
      Optional<String> parent,
      Optional<String> file,
      Optional<String> classname,
      String status,
      List<String> codeowners,
      String quarantineSetting,
      String quarantinedAt,
      String statusLastUpdatedAt) {}

  private Reply listFailing(Request request) {
    var in = request.fields();
    RepoName repo = RepoFields.read(in);
    String slug = RepoFields.slug(in);
    Instant start = in.time("start_time");
    Instant end = in.time("end_time");
    var query = Pages.Query.read(in);
    checkWindow(in, start, end);
    in.check();
    RepoView repository = RepoApi.view(database, request.caller(), slug, repo);
    Instant from = millisFrom(start);
    Instant to = millisFrom(end);
    String question =
        "failing %d %d %d %d"
            .formatted(
                repository.repositoryId(), from.toEpochMilli(), to.toEpochMilli(), query.size());
    Place place = place(in, question, query).orElse(new Place(new UUID(repository.stamp(), 0), 0));
    long stamp = place.moment().getMostSignificantBits();
    var page =
        failing.page(
            new FailingTests.Window(repository.repositoryId(), stamp, from, to),
            (long) place.page() * query.size(),
            query.size());
    var tests = database.query(handle -> records.whole(handle, repository, page.tests(), now()));
    return Reply.json(
        new WireTests(
            tests,
            Pages.info(
                tokens, question, place.moment(), place.page(), query.size(), page.total())));
  }

  /** Both ends are named, since it takes both to be right. */
  private static void checkWindow(Fields in, Instant start, Instant end) {
    if (start.equals(Fields.NO_TIME) || end.equals(Fields.NO_TIME)) {
      return;
    }
    if (!start.isBefore(end)) {
      in.fault("start_time", "must be before end_time");
      in.fault("end_time", "must be after start_time");
    } else if (Duration.between(start, end).compareTo(LONGEST_WINDOW) > 0) {
      in.fault("start_time", "must be within 7 days of end_time");
      in.fault("end_time", "must be within 7 days of start_time");
    }
  }

  /** Runs are kept to the millisecond, so the next whole one means the same. */
  private static Instant millisFrom(Instant time) {
    Instant millis = time.truncatedTo(ChronoUnit.MILLIS);
    return millis.equals(time) ? millis : millis.plusMillis(1);
  }

  private Reply linkTicket(Request request) {
    var in = request.fields();
    RepoName repo = RepoFields.read(in);
    UUID test = in.uuid("test_case_id");
    String ticket = TicketsApi.id(in);
    in.check();
    RepoView repository = RepoApi.view(database, request.caller(), repo);
    String address = links.ticket(repository, ticket);
    if (!database.inTransaction(h -> link(h, repository.repositoryId(), test, ticket, address))) {
      throw RepoApi.noSuchTest();
    }
    return Reply.json(Map.of("ticket", new TestRecord.Link(address)));
  }

  private boolean link(Handle handle, long repositoryId, UUID test, String ticket, String address) {
    boolean linked = TestStore.link(handle, repositoryId, test, ticket);
    if (linked) {
      FactStore.insert(
          handle, repositoryId, List.of(TestFacts.linked(test, ticket, address, clock.instant())));
    }
    return linked;
  }

  private Reply details(Request request) {
    var in = request.fields();
    RepoName repo = RepoFields.read(in);
    String slug = RepoFields.slug(in);
    UUID test = in.uuid("test_id");
    in.check();
    RepoView repository = RepoApi.view(database, request.caller(), slug, repo);
    return database
        .query(handle -> records.whole(handle, repository, List.of(test), now()))
        .stream()
        .findFirst()
        .map(record -> Reply.json(Map.of("test", record)))
        .orElseThrow(RepoApi::noSuchTest);
  }

  private Reply listQuarantined(Request request) {
    var in = request.fields();
    RepoName repo = RepoFields.read(in);
    String slug = RepoFields.slug(in);
    var query = Pages.Query.read(in);
    in.check();
    RepoView repository = RepoApi.view(database, request.caller(), slug, repo);
    String question = "quarantined %d %d".formatted(repository.repositoryId(), query.size());
    var list = list(in, question, query, repository, handle -> quarantined(handle, repository));
    var rows = database.query(h -> TestStore.find(h, repository.repositoryId(), list.tests()));
    var tests =
        list.tests().stream()
            .flatMap(id -> Optional.ofNullable(rows.get(id)).stream())
            .map(row -> wire(repository, row))
            .toList();
    return Reply.json(new WireQuarantinedTests(tests, list.page()));
  }

  private List<UUID> quarantined(Handle handle, RepoView repository) {
    Instant now = now();
    return TestStore.notable(handle, repository.repositoryId(), MOST_LISTED).stream()
        .filter(row -> row.isQuarantined(repository.switches(), now))
        .sorted(
            Comparator.comparing((TestRow row) -> row.quarantinedAt(repository, now))
                .reversed()
                .thenComparing(row -> row.id().toString()))
        .map(TestRow::id)
        .toList();
  }

  private WireQuarantined wire(RepoView repository, TestRow row) {
    return new WireQuarantined(
        row.id(),
        row.name(),
        row.variant(),
        TestRecord.said(row.parent()),
        TestRecord.said(row.file()),
        TestRecord.said(row.classname()),
        row.status().name(),
        row.codeowners(),
        row.choiceAt(now()).isPresent() ? "ALWAYS_QUARANTINE" : "AUTO_QUARANTINE",
        row.quarantinedAt(repository, now()).toString(),
        row.statusSince().toString());
  }

  private Reply listUnhealthy(Request request) {
    var in = request.fields();
    RepoName repo = RepoFields.read(in);
    String slug = RepoFields.slug(in);
    Optional<TestStatus> status = unhealthy(in.text("status", MAX_STATUS_LENGTH));
    if (status.isEmpty()) {
      in.fault("status", "must be FLAKY or BROKEN");
    }
    var query = Pages.Query.read(in);
    in.check();
    RepoView repository = RepoApi.view(database, request.caller(), slug, repo);
    long id = repository.repositoryId();
    TestStatus wanted = status.orElseThrow();
    String question = "unhealthy %d %s %d".formatted(id, wanted, query.size());
    var list =
        list(in, question, query, repository, h -> TestStore.ofStatus(h, id, wanted, MOST_LISTED));
    var tests = database.query(h -> records.brief(h, repository, list.tests(), now()));
    return Reply.json(new WireTests(tests, list.page()));
  }

  private static Optional<TestStatus> unhealthy(String text) {
    return switch (text.toUpperCase(Locale.ROOT)) {
      case "FLAKY" -> Optional.of(TestStatus.FLAKY);
      case "BROKEN" -> Optional.of(TestStatus.BROKEN);
      default -> Optional.empty();
    };
  }

  private record Listed(List<UUID> tests, Pages.Info page) {}

  private interface Ids {
    List<UUID> read(Handle handle);
  }

  /** A page of a list that is kept from its first page on, where it has several. */
  private Listed list(Fields in, String question, Pages.Query query, RepoView repository, Ids ids) {
    long id = repository.repositoryId();
    Optional<Place> place = place(in, question, query);
    Place at = place.orElse(new Place(new UUID(0, 0), 0));
    List<UUID> all =
        place
            .map(p -> database.query(h -> KeptListStore.find(h, id, p.moment())))
            .orElseGet(() -> Optional.of(database.query(ids::read)))
            .orElseThrow(TestListsApi::tokenIsOver);
    UUID moment =
        place.isPresent() || all.size() <= query.size()
            ? at.moment()
            : database.inTransaction(h -> KeptListStore.keep(h, id, all, now()));
    int first = Math.min(all.size(), at.page() * query.size());
    return new Listed(
        all.subList(first, Math.min(all.size(), first + query.size())),
        Pages.info(tokens, question, moment, at.page(), query.size(), all.size()));
  }

  /** The place a token stands for; empty on the first page. */
  private Optional<Place> place(Fields in, String question, Pages.Query query) {
    if (query.isFirst()) {
      return Optional.empty();
    }
    Optional<Place> place = tokens.read(question, query.token());
    if (place.isEmpty()) {
      in.fault("page_query.page_token", "is not a token of this query");
    }
    in.check();
    return place;
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }

  private static ApiError tokenIsOver() {
    return ApiError.invalid(
        List.of(
            new ApiError.Fault(
                "page_query.page_token", "is of a list that is not kept any more; begin again")));
  }
}
