package dev.mainstay.server.health.list;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.mainstay.core.code.RepoName;
import dev.mainstay.server.health.test.Links;
import dev.mainstay.server.health.test.RepoApi;
import dev.mainstay.server.health.test.RepoView;
import dev.mainstay.server.health.test.TicketStore;
import dev.mainstay.server.health.test.TicketsApi;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.http.Caller;
import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.platform.http.Request;
import dev.mainstay.server.platform.http.Route;
import dev.mainstay.server.platform.http.Scope;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import tools.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import tools.jackson.databind.annotation.JsonNaming;

/** The tests that a ticket is linked to, in all repositories of an organization. */
public final class LinkedTestsApi {
  private static final int MOST_TESTS = 500;

  private final Database database;
  private final Clock clock;
  private final Links links;
  private final TestRecords records;

  public LinkedTestsApi(Database database, Clock clock, Links links) {
    this.database = database;
    this.clock = clock;
    this.links = links;
    records = new TestRecords(links);
  }

  public List<Route> routes() {
    return List.of(Route.post("/v1/tickets/get", Scope.READ, this::get));
  }

  record WireLinked(WireTicket ticket, List<WireTest> tests) {}

  @JsonNaming(SnakeCaseStrategy.class)
  @JsonInclude(JsonInclude.Include.NON_ABSENT)
  record WireTicket(String id, String htmlUrl, Optional<String> state) {}

  record WireTest(RepoRecord repo, @JsonUnwrapped TestRecord test) {}

  private Reply get(Request request) {
    var in = request.fields();
    String id = TicketsApi.id(in);
    in.check();
    Caller caller = request.caller();
    var state = database.query(h -> TicketStore.isClosedIn(h, caller.organizationId(), id));
    var owner = database.query(h -> TicketStore.owner(h, caller.organizationId()));
    return Reply.json(
        new WireLinked(
            new WireTicket(
                id, links.ticket(owner.slug(), owner.ticketUrl(), id), state.map(TicketsApi::word)),
            tests(caller, id)));
  }

  private List<WireTest> tests(Caller caller, String ticket) {
    Map<RepoName, List<UUID>> linked =
        database.query(h -> TicketStore.linked(h, caller.organizationId(), ticket, MOST_TESTS));
    Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    var tests = new ArrayList<WireTest>();
    linked.forEach(
        (name, ids) -> {
          RepoView repository = RepoApi.view(database, caller, name);
          database.query(h -> records.brief(h, repository, ids, now)).stream()
              .map(test -> new WireTest(RepoRecord.of(name), test))
              .forEach(tests::add);
        });
    return tests;
  }
}
