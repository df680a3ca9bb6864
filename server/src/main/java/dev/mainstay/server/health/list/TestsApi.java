package dev.mainstay.server.health.list;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.mainstay.core.code.RepoName;
import dev.mainstay.core.health.Quarantine;
import dev.mainstay.server.health.judge.StatusChangeStore;
import dev.mainstay.server.health.test.Links;
import dev.mainstay.server.health.test.RepoApi;
import dev.mainstay.server.health.test.RepoFields;
import dev.mainstay.server.health.test.RepoView;
import dev.mainstay.server.health.test.TestFacts;
import dev.mainstay.server.health.test.TestRow;
import dev.mainstay.server.health.test.TestStore;
import dev.mainstay.server.health.test.TicketStore;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.Fact;
import dev.mainstay.server.platform.FactStore;
import dev.mainstay.server.platform.http.ApiError;
import dev.mainstay.server.platform.http.Fields;
import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.platform.http.Request;
import dev.mainstay.server.platform.http.Route;
import dev.mainstay.server.platform.http.Scope;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;

/** Tests for those who look after them: look into, decide about. */
public final class TestsApi {
  private static final int MAX_TEXT = 500;
  private static final int MOST_TAKEN = 100;
  private static final int MOST_AT_ONCE = 100;
  private static final int MOST_PASSES = 1000;

  private final Database database;
  private final Clock clock;
  private final TestDossier dossier;

  public TestsApi(Database database, Clock clock, Links links) {
    this.database = database;
    this.clock = clock;
    dossier = new TestDossier(new TestRecords(links));
  }

  public List<Route> routes() {
    return List.of(
        Route.post("/v1/tests/show", Scope.READ, this::show),
        Route.post("/v1/tests/quarantine", Scope.QUEUE, this::quarantine),
        Route.post("/v1/tests/history", Scope.READ, this::history));
  }

  @JsonInclude(JsonInclude.Include.NON_ABSENT)
  record WireChanges(List<StatusChangeRecord> changes, Optional<Long> before) {}

  private Reply show(Request request) {
    var in = request.fields();
    RepoName repo = RepoFields.read(in);
    UUID test = in.uuid("test_id");
    in.check();
    RepoView repository = RepoApi.view(database, request.caller(), repo);
    return database
        .inTransaction(handle -> dossier.of(handle, repository, test, now()))
        .map(Reply::json)
        .orElseThrow(RepoApi::noSuchTest);
  }

  private Reply quarantine(Request request) {
    var in = request.fields();
    RepoName repo = RepoFields.read(in);
    List<UUID> tests = tests(in);
    Optional<Quarantine.Choice> choice = choice(in);
    Optional<String> reason = in.optionalText("reason", MAX_TEXT);
    if (choice.isPresent() && reason.isEmpty()) {
      in.fault("reason", "is required");
    }
    String by = in.optionalText("by", MAX_TEXT).orElse("key " + request.caller().keyId());
    Optional<Instant> until = in.optionalTime("until");
    if (until.map(u -> !u.isAfter(now())).orElse(false)) {
      in.fault("until", "must lie in the future");
    }
    var end =
        new TestRow.Decision.End(
            until,
            in.optionalInteger("after_passes", 1, MOST_PASSES),
            in.optionalFlag("until_ticket_closed").orElse(false));
    in.check();
    RepoView repository = RepoApi.view(database, request.caller(), repo);
    Instant now = now();
    var decision = choice.map(c -> new TestRow.Decision(c, by, reason.orElse(""), now, end));
    database.useTransaction(
        handle -> {
          var before = TestStore.lock(handle, repository.repositoryId(), tests);
          if (before.size() < tests.size()) {
            throw noSuchTests(tests, before.keySet());
          }
          if (end.withTicket() && decision.isPresent()) {
            requireOpenTickets(handle, repository.repositoryId(), before.values());
          }
          TestStore.decide(handle, repository.repositoryId(), tests, decision);
          FactStore.insert(
              handle,
              repository.repositoryId(),
              tests.stream()
                  .flatMap(t -> Optional.ofNullable(before.get(t)).stream())
                  .flatMap(row -> facts(repository, row, decision, now).stream())
                  .toList());
        });
    return Reply.nothing();
  }

  /** A decision that ends with a ticket needs one that is not closed yet. */
  private static void requireOpenTickets(
      Handle handle, long repositoryId, Collection<TestRow> tests) {
    for (TestRow test : tests) {
      String ticket =
          test.ticket()
              .orElseThrow(
                  () ->
                      ApiError.conflict(
                          "no_ticket",
                          "The test %s has no ticket: link one, or leave until_ticket_closed out."
                              .formatted(test.id())));
      if (TicketStore.isClosed(handle, repositoryId, ticket).orElse(false)) {
        throw ApiError.conflict(
            "ticket_closed",
            "The ticket %s of the test %s is closed already.".formatted(ticket, test.id()));
      }
    }
  }

  private static List<Fact> facts(
      RepoView repository, TestRow before, Optional<TestRow.Decision> decision, Instant now) {
    Fact decided = TestFacts.decided(before, decision, now);
    boolean ends =
        before.isQuarantined(repository.switches(), now)
            && !Quarantine.applies(
                repository.switches(), before.status(), decision.map(TestRow.Decision::choice));
    return ends
        ? List.of(
            decided,
            TestFacts.quarantineEnded(
                before.id(),
                now,
                "decided",
                decided.content().path("reason").path("message").asString()))
        : List.of(decided);
  }

  /** The one test, or the several, that a request is about. */
  private static List<UUID> tests(Fields in) {
    if (!in.has("test_ids")) {
      return List.of(in.uuid("test_id"));
    }
    if (in.has("test_id")) {
      in.fault("test_ids", "must not be given beside test_id");
    }
    Optional<List<UUID>> tests = in.optionalList("test_ids", MOST_AT_ONCE, Fields::uuidIn, "UUIDs");
    if (tests.filter(List::isEmpty).isPresent()) {
      in.fault("test_ids", "must hold at least one UUID");
    }
    return tests.orElse(List.of());
  }

  private static ApiError noSuchTests(List<UUID> asked, Set<UUID> known) {
    if (asked.size() == 1) {
      return RepoApi.noSuchTest();
    }
    String unknown =
        asked.stream()
            .filter(test -> !known.contains(test))
            .map(UUID::toString)
            .collect(Collectors.joining(", "));
    return ApiError.notFound(
        "test_not_found",
        "The repository has no tests of these ids, and nothing was changed: %s."
            .formatted(unknown));
  }

  private Reply history(Request request) {
    var in = request.fields();
    RepoName repo = RepoFields.read(in);
    UUID test = in.uuid("test_id");
    Optional<Long> before =
        in.optionalInteger("before", 1, Integer.MAX_VALUE).map(Integer::longValue);
    int take = in.optionalInteger("take", 1, MOST_TAKEN).orElse(MOST_TAKEN);
    in.check();
    RepoView repository = RepoApi.view(database, request.caller(), repo);
    long id = repository.repositoryId();
    if (database.query(h -> TestStore.find(h, id, test)).isEmpty()) {
      throw RepoApi.noSuchTest();
    }
    var changes =
        database.query(h -> StatusChangeStore.latest(h, id, test, before, take)).stream()
            .map(StatusChangeRecord::of)
            .toList();
    return Reply.json(
        new WireChanges(
            changes,
            changes.size() == take ? Optional.of(changes.getLast().number()) : Optional.empty()));
  }

  private static Optional<Quarantine.Choice> choice(Fields in) {
    String text = in.text("setting", MAX_TEXT).toUpperCase(Locale.ROOT);
    return switch (text) {
      case "ALWAYS_QUARANTINE" -> Optional.of(Quarantine.Choice.ALWAYS_QUARANTINE);
      case "NEVER_QUARANTINE" -> Optional.of(Quarantine.Choice.NEVER_QUARANTINE);
      case "NONE", "" -> Optional.empty();
      default -> {
        in.fault("setting", "must be ALWAYS_QUARANTINE, NEVER_QUARANTINE or NONE");
        yield Optional.empty();
      }
    };
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }
}
