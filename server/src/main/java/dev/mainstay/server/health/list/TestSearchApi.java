package dev.mainstay.server.health.list;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.mainstay.core.code.RepoName;
import dev.mainstay.core.health.TestStatus;
import dev.mainstay.server.health.test.Links;
import dev.mainstay.server.health.test.RepoApi;
import dev.mainstay.server.health.test.RepoFields;
import dev.mainstay.server.health.test.RepoView;
import dev.mainstay.server.health.test.TestFilter;
import dev.mainstay.server.health.test.TestSearchStore;
import dev.mainstay.server.health.test.TestStore;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.http.Fields;
import dev.mainstay.server.platform.http.ListPage;
import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.platform.http.Request;
import dev.mainstay.server.platform.http.Route;
import dev.mainstay.server.platform.http.Scope;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/** Finds tests, any that was ever seen. */
public final class TestSearchApi {
  private static final int MAX_TEXT = 500;
  private static final int MOST_TAKEN = 100;

  private final Database database;
  private final Clock clock;
  private final FailingTests failing;
  private final TestRecords records;

  public TestSearchApi(Database database, Clock clock, Links links, FailingTests failing) {
    this.database = database;
    this.clock = clock;
    this.failing = failing;
    records = new TestRecords(links);
  }

  public List<Route> routes() {
    return List.of(Route.post("/v1/tests/list", Scope.READ, this::list));
  }

  @JsonInclude(JsonInclude.Include.NON_ABSENT)
  record WireTests(List<TestRecord> tests, Optional<String> after, TestCounts counts) {}

  /** What a request asks for, but for what only the repository knows. */
  private record Wanted(
      Optional<String> search,
      Optional<TestStatus> status,
      Optional<String> owner,
      Optional<Boolean> quarantined,
      Optional<String> file,
      Optional<String> ticket) {

    static Wanted read(Fields in) {
      return new Wanted(
          in.optionalText("search", MAX_TEXT),
          in.optionalChoice("status", List.of(TestStatus.values()), TestStore::label),
          in.optionalText("owner", MAX_TEXT),
          in.optionalFlag("quarantined"),
          in.optionalText("file", MAX_TEXT),
          in.optionalText("ticket", MAX_TEXT));
    }

    TestFilter in(RepoView repository, Instant now) {
      return new TestFilter(
          search, status, owner, quarantined, file, ticket, repository.switches(), now);
    }
  }

  /** The tests of a page, and the cursor of the next. */
  private record Page(List<UUID> tests, Optional<String> after) {}

  private Reply list(Request request) {
    var in = request.fields();
    RepoName repo = RepoFields.read(in);
    Wanted wanted = Wanted.read(in);
    TestOrder order =
        in.optionalChoice("order", List.of(TestOrder.values()), TestSearchApi::word)
            .orElse(TestOrder.ID);
    Optional<UUID> id = order == TestOrder.ID ? in.optionalUuid("after") : Optional.empty();
    Optional<TestPlace> place = order == TestOrder.ID ? Optional.empty() : place(in, order);
    int take = in.optionalInteger("take", 1, MOST_TAKEN).orElse(MOST_TAKEN);
    in.check();
    RepoView repository = RepoApi.view(database, request.caller(), repo);
    Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    TestFilter filter = wanted.in(repository, now);
    Page page =
        order == TestOrder.ID
            ? byId(repository, filter, id, take)
            : byFailures(new TestSearch(database, failing, repository, filter, take), order, place);
    return Reply.json(wire(repository, page, now));
  }

  private Page byId(RepoView repository, TestFilter filter, Optional<UUID> after, int take) {
    List<UUID> found =
        database.query(
            h -> TestSearchStore.after(h, repository.repositoryId(), filter, after, take + 1));
    List<UUID> page = found.subList(0, Math.min(take, found.size()));
    return new Page(
        page, found.size() > take ? Optional.of(page.getLast().toString()) : Optional.empty());
  }

  private Page byFailures(TestSearch search, TestOrder order, Optional<TestPlace> place) {
    Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    TestSearch.Page page = search.page(place.orElseGet(() -> search.first(order, now)));
    return new Page(page.tests(), page.next().map(TestPlace::cursor));
  }

  private WireTests wire(RepoView repository, Page page, Instant now) {
    long id = repository.repositoryId();
    return new WireTests(
        database.query(handle -> records.whole(handle, repository, page.tests(), now)),
        page.after(),
        Objects.requireNonNull(
            database.query(handle -> TestCounts.of(handle, List.of(id), now)).get(id)));
  }

  private static Optional<TestPlace> place(Fields in, TestOrder order) {
    Optional<TestPlace> place =
        ListPage.place(in, "after", "after", TestPlace.PARTS, TestPlace::read);
    if (place.filter(p -> p.order() != order).isPresent()) {
      in.fault("after", "must be the after of an answer in the same order");
    }
    return place;
  }

  private static String word(TestOrder order) {
    return order.name().toLowerCase(Locale.ROOT);
  }
}
