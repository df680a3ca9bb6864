package dev.mainstay.server.health.judge;

import dev.mainstay.core.code.RepoName;
import dev.mainstay.core.health.HistoryNeed;
import dev.mainstay.core.health.Monitor;
import dev.mainstay.core.health.MonitorId;
import dev.mainstay.core.health.MonitorRule;
import dev.mainstay.server.health.test.RepoApi;
import dev.mainstay.server.health.test.RepoFields;
import dev.mainstay.server.health.test.TestStore;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.http.ApiError;
import dev.mainstay.server.platform.http.Caller;
import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.platform.http.Request;
import dev.mainstay.server.platform.http.Route;
import dev.mainstay.server.platform.http.Scope;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import tools.jackson.databind.node.ObjectNode;

/** The monitors of a repository. A change is followed by a judgement of all it may concern. */
public final class MonitorsApi {
  private static final int MAX_TEXT = 500;
  private static final UUID UNSAVED = new UUID(0, 0);

  private final Database database;
  private final Clock clock;
  private final Runnable onChange;
  private final Previews previews;

  public MonitorsApi(Database database, Clock clock, Runnable onChange) {
    this.database = database;
    this.clock = clock;
    this.onChange = onChange;
    previews = new Previews(database);
  }

  public List<Route> routes() {
    return List.of(
        Route.post("/v1/monitors/create", Scope.ADMIN, this::create),
        Route.post("/v1/monitors/list", Scope.READ, this::list),
        Route.post("/v1/monitors/set", Scope.ADMIN, this::set),
        Route.post("/v1/monitors/delete", Scope.ADMIN, this::delete),
        Route.post("/v1/monitors/mute", Scope.ADMIN, this::mute),
        Route.post("/v1/monitors/preview", Scope.READ, this::preview));
  }

  private static ObjectNode wire(Monitor monitor) {
    return MonitorRules.write(monitor.rule())
        .put("monitor_id", monitor.id().value().toString())
        .put("name", monitor.name())
        .put("enabled", monitor.enabled());
  }

  private Reply create(Request request) {
    var in = request.fields();
    RepoName repo = RepoFields.read(in);
    MonitorRule rule = MonitorRules.read(in, Optional.empty());
    String name = in.optionalText("name", Monitor.LONGEST_NAME).orElse(rule.kind());
    boolean enabled = in.optionalFlag("enabled").orElse(true);
    in.check();
    long id = repository(request.caller(), repo);
    var monitor = new Monitor(new MonitorId(UUID.randomUUID()), name, enabled, rule);
    boolean made = database.inTransaction(handle -> insert(handle, id, monitor));
    if (!made) {
      throw ApiError.conflict(
          "too_many_monitors",
          "The repository has %d monitors: delete some first."
              .formatted(MonitorStore.MOST_MONITORS));
    }
    onChange.run();
    return reply(monitor);
  }

  private boolean insert(Handle handle, long repositoryId, Monitor monitor) {
    JudgeStore.setUp(handle, repositoryId, now());
    JudgeStore.lock(handle, repositoryId, true);
    if (MonitorStore.all(handle, repositoryId).size() >= MonitorStore.MOST_MONITORS) {
      return false;
    }
    MonitorStore.insert(handle, repositoryId, monitor, now());
    judgeAll(handle, repositoryId);
    return true;
  }

  private Reply list(Request request) {
    var in = request.fields();
    RepoName repo = RepoFields.read(in);
    in.check();
    long id = repository(request.caller(), repo);
    var monitors =
        database.inTransaction(
            handle -> {
              JudgeStore.setUp(handle, id, now());
              return MonitorStore.all(handle, id);
            });
    return Reply.json(Map.of("monitors", monitors.stream().map(MonitorsApi::wire).toList()));
  }

  private Reply set(Request request) {
    var in = request.fields();
    RepoName repo = RepoFields.read(in);
    var id = new MonitorId(in.uuid("monitor_id"));
    in.check();
    long repository = repository(request.caller(), repo);
    Monitor before = found(repository, id);
    var changed =
        new Monitor(
            id,
            in.optionalText("name", Monitor.LONGEST_NAME).orElse(before.name()),
            in.optionalFlag("enabled").orElse(before.enabled()),
            MonitorRules.read(in, Optional.of(before.rule())));
    in.check();
    database.useTransaction(
        handle -> {
          JudgeStore.lock(handle, repository, true);
          MonitorStore.update(handle, repository, changed);
          judgeAll(handle, repository);
        });
    onChange.run();
    return reply(changed);
  }

  private Reply delete(Request request) {
    var in = request.fields();
    RepoName repo = RepoFields.read(in);
    var id = new MonitorId(in.uuid("monitor_id"));
    in.check();
    long repository = repository(request.caller(), repo);
    found(repository, id);
    database.useTransaction(
        handle -> {
          JudgeStore.lock(handle, repository, true);
          MonitorStore.delete(handle, repository, id);
          judgeAll(handle, repository);
        });
    onChange.run();
    return Reply.nothing();
  }

  /** Mutes a monitor for one test until a time; without one, the mute ends. */
  private Reply mute(Request request) {
    var in = request.fields();
    RepoName repo = RepoFields.read(in);
    var id = new MonitorId(in.uuid("monitor_id"));
    UUID test = in.uuid("test_id");
    Optional<Instant> until = in.optionalTime("until");
    if (until.map(u -> !u.isAfter(now())).orElse(false)) {
      in.fault("until", "must lie in the future");
    }
    String by = in.optionalText("by", MAX_TEXT).orElse("key " + request.caller().keyId());
    in.check();
    long repository = repository(request.caller(), repo);
    found(repository, id);
    if (database.query(h -> TestStore.find(h, repository, test)).isEmpty()) {
      throw RepoApi.noSuchTest();
    }
    database.useTransaction(
        handle -> {
          JudgeStore.lock(handle, repository, true);
          until.ifPresentOrElse(
              u -> MonitorStore.mute(handle, repository, id, test, u, by),
              () -> MonitorStore.unmute(handle, repository, id, test));
          JudgeStore.mark(handle, repository, test);
        });
    onChange.run();
    return Reply.nothing();
  }

  /** Previews a monitor: one that is there, as it is or changed, or a new one. */
  private Reply preview(Request request) {
    var in = request.fields();
    RepoName repo = RepoFields.read(in);
    Optional<MonitorId> id = in.optionalUuid("monitor_id").map(MonitorId::new);
    if (id.isPresent()) {
      in.check();
    }
    Optional<MonitorRule> before =
        id.map(m -> found(repository(request.caller(), repo), m)).map(Monitor::rule);
    MonitorRule rule = MonitorRules.read(in, before);
    in.check();
    long repository = repository(request.caller(), repo);
    var monitor = new Monitor(id.orElse(new MonitorId(UNSAVED)), rule.kind(), true, rule);
    return Reply.json(previews.of(repository, monitor, now()));
  }

  private Monitor found(long repository, MonitorId id) {
    return database
        .query(handle -> MonitorStore.find(handle, repository, id))
        .orElseThrow(
            () ->
                ApiError.notFound(
                    "monitor_not_found", "The repository has no monitor of this id."));
  }

  private long repository(Caller caller, RepoName repo) {
    return RepoApi.view(database, caller, repo).repositoryId();
  }

  private void judgeAll(Handle handle, long repositoryId) {
    var need = HistoryNeed.of(MonitorStore.all(handle, repositoryId), now());
    JudgeStore.markAll(handle, repositoryId, need);
  }

  private static Reply reply(Monitor monitor) {
    return Reply.json(Map.of("monitor", wire(monitor)));
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }
}
