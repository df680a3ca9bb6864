package dev.mainstay.server;

import dev.mainstay.server.access.Access;
import dev.mainstay.server.access.Access.NewKey;
import dev.mainstay.server.access.KeyRing;
import dev.mainstay.server.access.KeysApi;
import dev.mainstay.server.access.OrganizationApi;
import dev.mainstay.server.access.People;
import dev.mainstay.server.access.PeopleApi;
import dev.mainstay.server.access.Sessions;
import dev.mainstay.server.access.oidc.OidcSignIn;
import dev.mainstay.server.command.ClosedData;
import dev.mainstay.server.command.Confinement;
import dev.mainstay.server.command.Equipment;
import dev.mainstay.server.command.OpenProgram;
import dev.mainstay.server.event.EventsOut;
import dev.mainstay.server.health.TestHealth;
import dev.mainstay.server.health.result.ReportedFailure;
import dev.mainstay.server.mcp.McpApi;
import dev.mainstay.server.node.NodeClock;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.DiskSpace;
import dev.mainstay.server.platform.SecretStore;
import dev.mainstay.server.platform.StartFailure;
import dev.mainstay.server.platform.Tracing;
import dev.mainstay.server.platform.http.Caller;
import dev.mainstay.server.platform.http.HttpServer;
import dev.mainstay.server.platform.http.Inside;
import dev.mainstay.server.platform.http.Memory;
import dev.mainstay.server.platform.http.Places;
import dev.mainstay.server.platform.http.Route;
import dev.mainstay.server.platform.http.Scope;
import dev.mainstay.server.platform.http.Surface;
import dev.mainstay.server.platform.http.Traffic;
import dev.mainstay.server.platform.http.Trunk;
import dev.mainstay.server.platform.http.V1;
import dev.mainstay.server.queue.FailedTest;
import dev.mainstay.server.queue.MergeQueues;
import dev.mainstay.server.queue.TestBranch;
import dev.mainstay.server.queue.api.QueueRoutes;
import dev.mainstay.server.queue.store.KeyedRun;
import dev.mainstay.server.queue.talk.Talking;
import dev.mainstay.server.repository.PublicPages;
import dev.mainstay.server.web.Web;
import dev.mainstay.server.web.description.Description;
import dev.mainstay.server.web.page.Kit;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The wiring of one node, by hand, top to bottom. */
public final class Mainstay implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger("mainstay");
  private static final UUID NO_KEY = new UUID(0, 0);
  private static final int POSTGRES = 5432;
  private static final Pattern DATABASE_PLACE =
      Pattern.compile("(?:^jdbc:postgresql://|\\G,)(\\[[^]]+]|[^:/,?]+)(?::(\\d+))?");
  private static final Duration CLIENT_PATIENCE = Duration.ofSeconds(15);

  private final Deque<Runnable> closings = new ArrayDeque<>();
  private final Duration leaving;
  private final List<Route> routes;
  private final HttpServer http;
  private final Sessions sessions;
  private final Optional<OidcSignIn> oidc;

  private Mainstay(
      Config config, Function<Database, Clock> time, Consumer<NewKey> show, Runnable onCrash) {
    leaving = config.shutdownDelay();
    var places = new Places(config.maxConnections(), config.trustedProxies());
    var memory = Memory.ofProcess();
    var traffic = new Traffic();
    HttpServer.Options options =
        new HttpServer.Options(
            config.host(),
            config.port(),
            places,
            memory,
            traffic,
            CLIENT_PATIENCE,
            config.shutdownGrace());
    try {
      HttpServer.checkFree(options);
      closings.push(Tracing.start());
      Thread.ofPlatform().daemon().name("warm-up").start(Mainstay::warmUp);
      var storage = Storage.ofNode(config, onCrash);
      closings.push(storage::close);
      Clock clock = time.apply(storage.database());
      if (clock instanceof NodeClock own) {
        closings.push(own::close);
      }
      Confinement confinement = confinement(config);
      var access = new Access(storage.database(), clock);
      access.firstStart(config.firstOrganization(), config.firstToken(), show);
      var keyRing = new KeyRing(storage.database(), clock);
      closings.push(keyRing::close);
      sessions = new Sessions(storage.database(), clock, keyRing);
      closings.push(sessions::close);
      oidc = config.oidc().map(o -> OidcSignIn.open(o, storage.database(), clock, sessions));
      oidc.ifPresent(signIn -> closings.push(signIn::close));
      var tests =
          new TestHealth(
              storage.database(),
              clock,
              config.publicUrl(),
              config.chosenPublicUrl(),
              (repository, branch) ->
                  TestBranch.pullRequests(storage.database(), repository, branch));
      closings.push(tests::close);
      var mergeQueues = mergeQueues(config, storage.database(), clock, tests);
      closings.push(mergeQueues::close);
      var talking = new Talking(storage.database(), clock, mergeQueues, config.publicUrl());
      closings.push(talking::close);
      var events = events(config, storage.database(), clock, tests, mergeQueues);
      closings.push(events::close);
      var disks = DiskSpace.of(config.dataDirectory(), config.minFreeDiskBytes());
      var readiness = new Readiness(storage.database(), disks);
      List<Route> api =
          withTrunk(
              routes(
                  new StatusApi(
                      readiness,
                      disks,
                      places,
                      memory,
                      text -> {
                        traffic.write(text);
                        ProcessNumbers.write(text, storage.database().pool());
                        events.numbers().write(text, storage.database(), clock);
                      }),
                  access,
                  new People(storage.database(), clock, sessions),
                  clock,
                  tests,
                  mergeQueues,
                  events));
      var agents = new McpApi(new Inside(api), config.publicUrl(), clock);
      routes = both(api, agents.routes());
      var web = web(config, storage.database(), clock, api);
      http =
          HttpServer.start(
              options,
              surfaces(token -> caller(keyRing, mergeQueues, token), agents, web),
              both(routes, web.routes()));
      closings.push(http::close);
      // Before the server, which waits for requests in flight: those who follow pages never end.
      closings.push(web::close);
      closings.push(() -> leave(readiness));
      keepOwnPorts(config, http.port(), storage.database());
      mergeQueues.start(equipment(config, http.port(), confinement));
      talking.start();
      events.start();
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /**
   * Starts a node, or throws a {@link StartFailure} that says what to do. The key of a first start
   * is given to {@code show}; should the embedded database die, {@code onCrash} runs.
   */
  public static Mainstay start(Config config, Consumer<NewKey> show, Runnable onCrash) {
    return start(config, NodeClock::start, show, onCrash);
  }

  /** The same, with a time of its own; a {@link NodeClock} is closed with the node. */
  public static Mainstay start(
      Config config, Function<Database, Clock> time, Consumer<NewKey> show, Runnable onCrash) {
    return new Mainstay(config, time, show, onCrash);
  }

  /** Reads what needs no database while that starts; whoever needs it later finds it there. */
  private static void warmUp() {
    Description.ofServer();
    try {
      SSLContext.getDefault();
    } catch (NoSuchAlgorithmException e) {
      log.debug("the certificates that this machine trusts cannot be read yet", e);
    }
  }

  /** The port it listens on. */
  public int port() {
    return http.port();
  }

  List<Route> routes() {
    return routes;
  }

  public Sessions sessions() {
    return sessions;
  }

  /** Empty where no identity provider is set up. */
  public Optional<OidcSignIn> oidc() {
    return oidc;
  }

  /** Lets a load balancer find out that this node goes, while it still answers. */
  private void leave(Readiness readiness) {
    readiness.leave();
    http.leave();
    if (leaving.isPositive()) {
      log.info("goes on for {} s, and tells load balancers to ask others", leaving.toSeconds());
      try {
        Thread.sleep(leaving);
      } catch (InterruptedException e) {
        log.info("is not waited for any longer");
      }
    }
  }

  /** Finishes what is in flight, then stops, in the reverse order of the start. */
  @Override
  public void close() {
    while (!closings.isEmpty()) {
      closings.pop().run();
    }
  }

  private Web web(Config config, Database database, Clock clock, List<Route> api) {
    byte[] secret = database.inTransaction(handle -> SecretStore.secret(handle, "forms"));
    var kit = Kit.of(new Inside(api), config.publicUrl(), secret, clock);
    var publicPages = new PublicPages(database);
    return new Web(
        kit,
        sessions,
        oidc,
        (organization, repo) ->
            RepositoryPulse.name(repo)
                .flatMap(name -> publicPages.of(organization, name))
                .map(Mainstay::anybody),
        new RepositoryPulse(database),
        clock);
  }

  /** Whoever looks at public pages may read, and nothing else. */
  private static Caller anybody(PublicPages.Shown shown) {
    return new Caller(shown.organizationId(), shown.organization(), NO_KEY, Set.of(Scope.READ));
  }

  /** The API on two wires, agents, what is open to programs, and pages everywhere else. */
  private static List<Surface> surfaces(
      Function<String, Optional<Caller>> owner, McpApi agents, Web web) {
    return Stream.of(
            Stream.of(V1.surface(owner), agents.surface(owner), web.surface()),
            Trunk.surfaces(owner).stream(),
            Stream.of("/healthz", "/readyz", "/metrics", "/openapi.json", "/hooks", "/bundles")
                .map(Surface::open))
        .flatMap(s -> s)
        .toList();
  }

  private static List<Route> withTrunk(List<Route> api) {
    return both(api, Trunk.routes(api));
  }

  private static List<Route> both(List<Route> some, List<Route> others) {
    return Stream.concat(some.stream(), others.stream()).toList();
  }

  private static MergeQueues mergeQueues(
      Config config, Database database, Clock clock, TestHealth tests) {
    return new MergeQueues(
        database,
        clock,
        data(config).resolve("work"),
        config.reach(),
        tests::ownersOfRepository,
        (repository, branch, commit) -> failed(tests, repository, branch, commit),
        new RunEvidence(tests),
        List.of(EventsOut::free, Talking::free));
  }

  private static EventsOut events(
      Config config, Database database, Clock clock, TestHealth tests, MergeQueues mergeQueues) {
    return new EventsOut(
        database,
        clock,
        config.publicUrl(),
        config.webhookNetworks(),
        new EventDetails(
            tests,
            (repository, branch, commit) -> failed(tests, repository, branch, commit),
            config.publicUrl()),
        mergeQueues::node);
  }

  private static List<FailedTest> failed(
      TestHealth tests, long repository, String branch, String commit) {
    List<ReportedFailure> failures = tests.failuresOn(repository, branch, commit);
    Map<String, String> statuses =
        tests.statuses(repository, failures.stream().map(ReportedFailure::testId).toList());
    return failures.stream()
        .map(f -> failed(f, Optional.ofNullable(statuses.get(f.testId()))))
        .toList();
  }

  private static FailedTest failed(ReportedFailure f, Optional<String> status) {
    return new FailedTest(
        f.testId(), f.name(), f.classname(), f.file(), f.message(), f.quarantined(), status);
  }

  /** The owner of a key, or a test command of ours that is on its errand. */
  private static Optional<Caller> caller(KeyRing keyRing, MergeQueues mergeQueues, String token) {
    return mergeQueues
        .queues()
        .testRuns()
        .keyed(token)
        .map(Mainstay::onErrand)
        .or(() -> keyRing.authenticate(token));
  }

  private static Caller onErrand(KeyedRun run) {
    Optional<Integer> only =
        run.tested().size() == 1 ? Optional.of(run.tested().getFirst().number()) : Optional.empty();
    return new Caller(
        run.organizationId(),
        run.organization(),
        NO_KEY,
        Set.of(Scope.UPLOAD),
        Optional.of(
            new Caller.Errand(
                run.repo().toString(), run.testBranch(), run.commit().value(), only)));
  }

  /** Nobody has this node ask itself, or its database. */
  private static void keepOwnPorts(Config config, int port, Database database) {
    config.reach().networks().own(config.host(), port);
    config.webhookNetworks().own(config.host(), port);
    String url = database.address().jdbcUrl();
    Matcher at = DATABASE_PLACE.matcher(url);
    while (!isSocket(url) && at.find()) {
      int databasePort = at.group(2) == null ? POSTGRES : Integer.parseInt(at.group(2));
      config.reach().networks().own(at.group(1), databasePort);
      config.webhookNetworks().own(at.group(1), databasePort);
    }
  }

  /** A socket is in the data directory, whatever host and port its address has for the driver. */
  private static boolean isSocket(String databaseUrl) {
    return databaseUrl.contains("socketFactory=");
  }

  /** Test commands get at nothing in the data directory but their own files. */
  private static Confinement confinement(Config config) {
    Path data = data(config);
    ClosedData.close(data);
    return Confinement.of(config.testSandbox(), data, data.resolve("work/tests"));
  }

  /** The data directory by its real name, which every process and every sandbox finds. */
  private static Path data(Config config) {
    try {
      return Files.createDirectories(config.dataDirectory()).toRealPath();
    } catch (IOException e) {
      throw new StartFailure(
          "The data directory %s cannot be written: make it writable, or choose another with --data-dir."
              .formatted(config.dataDirectory()),
          e);
    }
  }

  /** The equipment of test commands: they reach this node by its own address. */
  private static Equipment equipment(Config config, int port, Confinement confinement) {
    String host =
        switch (config.host()) {
          case "0.0.0.0", "localhost" -> "127.0.0.1";
          case "::" -> "[::1]";
          case String other -> other.contains(":") ? "[" + other + "]" : other;
        };
    if (!config.handedIn().isEmpty()) {
      log.info(
          "test commands of the organization {} are given the variables {}",
          config.firstOrganization(),
          new TreeSet<>(config.handedIn().keySet()));
    }
    return new Equipment(
        confinement,
        Optional.of(URI.create("http://%s:%d".formatted(host, port))),
        OpenProgram.of(config.program(), data(config)),
        config.firstOrganization(),
        config.handedIn());
  }

  private static List<Route> routes(
      StatusApi status,
      Access access,
      People people,
      Clock clock,
      TestHealth tests,
      MergeQueues mergeQueues,
      EventsOut events) {
    return Stream.of(
            status.routes(),
            new KeysApi(access, clock).routes(),
            new OrganizationApi(access).routes(),
            new PeopleApi(people).routes(),
            tests.routes(),
            events.routes(),
            QueueRoutes.of(mergeQueues.queues()))
        .flatMap(List::stream)
        .toList();
  }
}
