package dev.mainstay.server.health.test;

import dev.mainstay.core.code.RepoName;
import dev.mainstay.core.health.Glob;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.FactStore;
import dev.mainstay.server.platform.http.Fields;
import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.platform.http.Request;
import dev.mainstay.server.platform.http.Route;
import dev.mainstay.server.platform.http.Scope;
import dev.mainstay.server.repository.RepositoryStore;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import tools.jackson.databind.annotation.JsonNaming;

/** The settings of a repository for its tests. */
public final class TestSettingsApi {
  private static final int MOST_GLOBS = 50;
  private static final int LONGEST_GLOB = 200;
  private static final int MOST_CAPPED = 1_000_000;
  private static final double LEAST_THRESHOLD = 0.0001;
  private static final double MOST_THRESHOLD = 0.9999;

  private final Database database;
  private final Clock clock;

  public TestSettingsApi(Database database, Clock clock) {
    this.database = database;
    this.clock = clock;
  }

  public List<Route> routes() {
    return List.of(
        Route.post("/v1/repositories/get-test-settings", Scope.READ, this::get),
        Route.post("/v1/repositories/set-test-settings", Scope.ADMIN, this::set));
  }

  @JsonNaming(SnakeCaseStrategy.class)
  record WireSettings(
      boolean quarantining,
      boolean autoQuarantine,
      Optional<Integer> quarantineCap,
      Optional<WireStopped> autoQuarantineStopped,
      List<String> stableBranches,
      boolean infraProtection,
      double infraThreshold) {

    static WireSettings of(TestSettings settings) {
      return new WireSettings(
          settings.quarantine().enabled(),
          settings.quarantine().automatic(),
          settings.quarantineCap(),
          settings.stopped().map(s -> new WireStopped(s.at().toString(), s.reason())),
          settings.stableBranches().stream().map(Glob::pattern).toList(),
          settings.infraProtection(),
          // Stored in four bytes: 0.8 is not to come back as 0.800000012.
          Math.round(settings.infraThreshold() * 1e6) / 1e6);
    }
  }

  record WireStopped(String at, String reason) {}

  private Reply get(Request request) {
    var in = request.fields();
    RepoName repo = RepoFields.read(in);
    in.check();
    long id = RepoApi.view(database, request.caller(), repo).repositoryId();
    return reply(database.query(handle -> TestSettingsStore.find(handle, id)));
  }

  /** A repository may be set up before anything of it arrives. */
  private Reply set(Request request) {
    var in = request.fields();
    RepoName repo = RepoFields.read(in);
    var changes = changes(in);
    in.check();
    Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    return reply(
        database.inTransaction(
            handle -> {
              long id =
                  RepositoryStore.findOrCreate(handle, request.caller().organizationId(), repo, now)
                      .id();
              TestSettingsStore.change(handle, id, changes, now);
              FactStore.insert(handle, id, QuarantineCap.enforce(handle, id, now));
              return TestSettingsStore.find(handle, id);
            }));
  }

  private static TestSettingsStore.Changes changes(Fields in) {
    Optional<Double> threshold = in.optionalNumber("infra_threshold");
    if (threshold.map(t -> t < LEAST_THRESHOLD || t > MOST_THRESHOLD).orElse(false)) {
      in.fault("infra_threshold", "must be from 0.0001 to 0.9999");
    }
    return new TestSettingsStore.Changes(
        in.optionalFlag("quarantining"),
        in.optionalFlag("auto_quarantine"),
        cap(in),
        in.optionalList(
            "stable_branches",
            MOST_GLOBS,
            text ->
                Optional.of(text).filter(t -> TestSettings.isGlob(t, LONGEST_GLOB)).map(Glob::new),
            "patterns of 1 to %d characters".formatted(LONGEST_GLOB)),
        in.optionalFlag("infra_protection"),
        threshold);
  }

  private static TestSettingsStore.Cap cap(Fields in) {
    Optional<Integer> cap = in.optionalInteger("quarantine_cap", 0, MOST_CAPPED);
    boolean delete = in.optionalFlag("delete_quarantine_cap").orElse(false);
    if (delete && cap.isPresent()) {
      in.fault("delete_quarantine_cap", "must not be true beside a quarantine_cap");
    }
    return new TestSettingsStore.Cap(delete || cap.isPresent(), cap);
  }

  private static Reply reply(TestSettings settings) {
    return Reply.json(Map.of("settings", WireSettings.of(settings)));
  }
}
