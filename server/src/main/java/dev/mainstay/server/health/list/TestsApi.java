package dev.mainstay.server.health.list;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.mainstay.core.code.RepoName;
import dev.mainstay.core.health.Quarantine;
import dev.mainstay.core.health.TestStatus;
import dev.mainstay.server.health.judge.StatusChangeStore;
import dev.mainstay.server.health.test.Links;
import dev.mainstay.server.health.test.RepoApi;
import dev.mainstay.server.health.test.RepoFields;
import dev.mainstay.server.health.test.RepoView;
import dev.mainstay.server.health.test.TestRow;
import dev.mainstay.server.health.test.TestStore;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.http.Fields;
import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.platform.http.Request;
import dev.mainstay.server.platform.http.Route;
import dev.mainstay.server.platform.http.Scope;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;

/** Tests for those who look after them: find, look into, decide about. */
public final class TestsApi {
  private static final int MAX_TEXT = 500;
  private static final int MOST_TAKEN = 100;

  private final Database database;
  private final Clock clock;
  private final TestRecords records;
  private final TestDossier dossier;

  public TestsApi(Database database, Clock clock, Links links) {
    this.database = database;
    this.clock = clock;
    records = new TestRecords(links);
    dossier = new TestDossier(records);
  }

  public List<Route> routes() {
    return List.of(
        Route.post("/v1/tests/list", Scope.READ, this::list),
        Route.post("/v1/tests/show", Scope.READ, this::show),
        Route.post("/v1/tests/quarantine", Scope.QUEUE, this::quarantine),
        Route.post("/v1/tests/history", Scope.READ, this::history));
  }

  @JsonInclude(JsonInclude.Include.NON_ABSENT)
  record WireTests(List<TestRecord> tests, Optional<UUID> after) {}

  @JsonInclude(JsonInclude.Include.NON_ABSENT)
  record WireChanges(List<StatusChangeRecord> changes, Optional<Long> before) {}

  /** Lists tests, any that was ever seen, in the order of their ids. */
  private Reply list(Request request) {
    var in = request.fields();
    RepoName repo = RepoFields.read(in);
    String search = in.optionalText("search", MAX_TEXT).orElse("");
    Optional<TestStatus> status = in.optionalText("status", MAX_TEXT).map(s -> status(in, s));
    Optional<UUID> after = in.optionalUuid("after");
    int take = in.optionalInteger("take", 1, MOST_TAKEN).orElse(MOST_TAKEN);
    in.check();
    RepoView repository = RepoApi.view(database, request.caller(), repo);
    List<UUID> found =
        database.query(
            h ->
                TestStore.named(h, repository.repositoryId(), search, status, after, take + 1)
                    .stream()
                    .map(TestRow::id)
                    .toList());
    List<UUID> page = found.subList(0, Math.min(take, found.size()));
    var tests = database.query(h -> records.brief(h, repository, page, now()));
    return Reply.json(
        new WireTests(tests, found.size() > take ? Optional.of(page.getLast()) : Optional.empty()));
  }

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
    UUID test = in.uuid("test_id");
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
    in.check();
    RepoView repository = RepoApi.view(database, request.caller(), repo);
    var decision = choice.map(c -> new TestRow.Decision(c, by, reason.orElse(""), now(), until));
    boolean known =
        database.inTransaction(h -> TestStore.decide(h, repository.repositoryId(), test, decision));
    if (!known) {
      throw RepoApi.noSuchTest();
    }
    return Reply.nothing();
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

  private static TestStatus status(Fields in, String text) {
    return Arrays.stream(TestStatus.values())
        .filter(s -> s.name().equalsIgnoreCase(text))
        .findFirst()
        .orElseGet(
            () -> {
              in.fault("status", "must be healthy, flaky or broken");
              return TestStatus.HEALTHY;
            });
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
