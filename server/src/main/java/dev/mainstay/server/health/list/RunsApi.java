package dev.mainstay.server.health.list;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.mainstay.core.code.RepoName;
import dev.mainstay.server.health.result.PastRun;
import dev.mainstay.server.health.result.PastRunStore;
import dev.mainstay.server.health.result.TestDayStore;
import dev.mainstay.server.health.test.RepoApi;
import dev.mainstay.server.health.test.RepoFields;
import dev.mainstay.server.health.test.RepoView;
import dev.mainstay.server.health.test.TestStore;
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
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import tools.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import tools.jackson.databind.annotation.JsonNaming;

/** The past of one test: its runs, and its counts by the day. */
public final class RunsApi {
  private static final int MOST_RUNS = 200;
  private static final int USUAL_RUNS = 50;
  private static final int MOST_DAYS = 90;
  private static final int USUAL_DAYS = 30;
  private static final Instant LATEST = Instant.parse("9999-12-31T00:00:00Z");

  private final Database database;
  private final Clock clock;

  public RunsApi(Database database, Clock clock) {
    this.database = database;
    this.clock = clock;
  }

  public List<Route> routes() {
    return List.of(
        Route.post("/v1/tests/runs", Scope.READ, this::runs),
        Route.post("/v1/tests/days", Scope.READ, this::days));
  }

  @JsonInclude(JsonInclude.Include.NON_ABSENT)
  record WireRuns(List<WireRun> runs, Optional<String> before) {}

  @JsonNaming(SnakeCaseStrategy.class)
  @JsonInclude(JsonInclude.Include.NON_ABSENT)
  record WireRun(
      String at,
      String outcome,
      String branch,
      String commit,
      Optional<Integer> pr,
      Optional<String> job,
      Optional<String> ciUrl,
      Optional<Integer> durationMs,
      Optional<String> message,
      UUID uploadId,
      int attempt) {

    static WireRun of(PastRun run, PastRun.Source source) {
      return new WireRun(
          run.at().toString(),
          run.outcome().name().toLowerCase(Locale.ROOT),
          source.branch(),
          source.commit(),
          source.pullRequest(),
          TestRecord.said(source.job()),
          source.ciUrl(),
          run.durationMillis(),
          run.message(),
          source.uploadId(),
          run.attempt());
    }
  }

  /** A place among the runs of a test: a time, and how many runs of that time lie before it. */
  private record Place(Instant at, int past) {
    static final Place NEWEST = new Place(LATEST, 0);

    static Place read(List<String> key) {
      long millis = Long.parseLong(key.getFirst());
      int past = Integer.parseInt(key.getLast());
      if (millis < 0 || millis > LATEST.toEpochMilli() || past < 0) {
        throw new IllegalArgumentException("beyond the times that are stored");
      }
      return new Place(Instant.ofEpochMilli(millis), past);
    }

    /** The place after some more runs, of which there is at least one. */
    Place after(List<PastRun> runs) {
      Instant last = runs.getLast().at();
      int same = (int) runs.stream().filter(run -> run.at().equals(last)).count();
      return new Place(last, last.equals(at) ? past + same : same);
    }

    String cursor() {
      return ListPage.cursor(Long.toString(at.toEpochMilli()), Integer.toString(past));
    }
  }

  private Reply runs(Request request) {
    var in = request.fields();
    RepoName repo = RepoFields.read(in);
    UUID test = in.uuid("test_id");
    Place from = ListPage.place(in, "before", "before", 2, Place::read).orElse(Place.NEWEST);
    int take = in.optionalInteger("take", 1, MOST_RUNS).orElse(USUAL_RUNS);
    in.check();
    RepoView repository = known(request, repo, test);
    List<PastRun> found =
        database.query(
            handle ->
                PastRunStore.latest(
                    handle, repository.repositoryId(), test, from.at(), from.past(), take + 1));
    List<PastRun> page = found.subList(0, Math.min(take, found.size()));
    return Reply.json(
        new WireRuns(
            page.stream()
                .flatMap(run -> run.source().map(source -> WireRun.of(run, source)).stream())
                .toList(),
            found.size() > take ? Optional.of(from.after(page).cursor()) : Optional.empty()));
  }

  private Reply days(Request request) {
    var in = request.fields();
    RepoName repo = RepoFields.read(in);
    UUID test = in.uuid("test_id");
    int days = in.optionalInteger("days", 1, MOST_DAYS).orElse(USUAL_DAYS);
    in.check();
    RepoView repository = known(request, repo, test);
    LocalDate today = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
    LocalDate first = DayRecord.first(today, days);
    Instant start = first.atStartOfDay(ZoneOffset.UTC).toInstant();
    var counts =
        database.query(
            handle ->
                TestDayStore.days(
                    handle,
                    repository.repositoryId(),
                    test,
                    first,
                    repository.unfoldedFrom().filter(start::isBefore).orElse(start)));
    return Reply.json(Map.of("days", DayRecord.of(counts, today, days)));
  }

  private RepoView known(Request request, RepoName repo, UUID test) {
    RepoView repository = RepoApi.view(database, request.caller(), repo);
    if (database.query(h -> TestStore.find(h, repository.repositoryId(), test)).isEmpty()) {
      throw RepoApi.noSuchTest();
    }
    return repository;
  }
}
