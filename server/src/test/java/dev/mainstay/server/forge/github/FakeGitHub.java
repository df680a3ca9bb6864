package dev.mainstay.server.forge.github;

import static dev.mainstay.server.forge.github.FakeRoute.needs;
import static dev.mainstay.server.forge.github.FakeRoute.open;
import static java.nio.charset.StandardCharsets.US_ASCII;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.mainstay.server.forge.git.GitBackend;
import dev.mainstay.server.forge.github.FakeRoute.Reply;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A GitHub of our own for the repository acme/app: real git over http, and as much of the REST API
 * as we use, in GitHub's shapes and with its manners. It makes trouble on demand and counts what it
 * is asked.
 */
final class FakeGitHub implements AutoCloseable {
  static final String TOKEN = "ghp_" + "t".repeat(36);

  /** The name of the repository, which is served by its first one too. */
  final AtomicReference<String> name = new AtomicReference<>(FakePullShape.NAME);

  final FakeFaults faults = new FakeFaults();
  final FakeTokens tokens = new FakeTokens();
  final FakeTalk talk = new FakeTalk();
  final FakeActions actions = new FakeActions();
  final FakeRepository repository;
  final FakeChecks checks;
  final FakeProtection protection;
  final FakePulls pulls;

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final GitBackend backend;
  private final FakePullShape shape;
  private final FakeApi api;
  private volatile boolean gone;

  /** Serves the bare repository {@code acme/app.git} below the root. */
  FakeGitHub(Path root) {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    backend = new GitBackend(root);
    repository = new FakeRepository(root.resolve("acme").resolve("app.git"));
    repository.hidePulls();
    checks = new FakeChecks(repository);
    protection = new FakeProtection(repository, checks);
    shape = new FakePullShape(address(), repository, protection, name);
    pulls = new FakePulls(repository, shape);
    api = new FakeApi(routes(), tokens, faults, name);
    tokens.person(TOKEN, "mainstay-bot", "repo, workflow");
    server.setExecutor(threads);
    var context = server.createContext("/api/", this::serveApi);
    FakeTraffic.wanted().ifPresent(context.getFilters()::add);
    server.createContext("/acme/", this::serveGit);
    server.start();
  }

  String address() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** The repository is gone. */
  void vanish() {
    gone = true;
  }

  /** Lets the pull requests follow what somebody pushed past the fake. */
  synchronized void pushed() {
    pulls.follow();
  }

  private List<FakeRoute> routes() {
    var review = new FakeReviewQuery(pulls, protection);
    return List.of(
        needs("metadata:read", "GET repo", c -> Reply.ok(shape.whole())),
        needs("pull_requests:read", "GET pulls", pulls::list),
        needs("pull_requests:write", "POST pulls", pulls::create),
        needs("pull_requests:read", "GET pulls/N", pulls::get),
        needs("pull_requests:write", "PATCH pulls/N", pulls::change),
        needs("pull_requests:read", "GET pulls/N/reviews", pulls::reviews),
        needs("contents:write", "PUT pulls/N/merge", pulls::merge),
        needs("pull_requests:read", "POST graphql", review::answer),
        needs("contents:read", "GET contents/BRANCH", repository::contents),
        needs("contents:read", "GET branches", c -> Reply.ok(List.of())),
        needs("contents:read", "GET branches/BRANCH", protection::branch),
        needs("metadata:read", "GET rules/branches/BRANCH", protection::rules),
        needs("checks:read", "GET commits/SHA/check-runs", checks::runs),
        needs("statuses:read", "GET commits/SHA/status", checks::status),
        needs("statuses:write", "POST statuses/SHA", checks::write),
        needs("checks:write", "POST check-runs", checks::create),
        needs("checks:write", "PATCH check-runs/ID", checks::update),
        needs("checks:write", "POST check-runs/ID/rerequest", checks::rerequest),
        needs("pull_requests:read", "GET issues/N/comments", talk::list),
        needs("pull_requests:write", "POST issues/N/comments", talk::write),
        needs("pull_requests:write", "PATCH issues/comments/ID", talk::change),
        needs("pull_requests:write", "DELETE issues/comments/ID", talk::remove),
        needs("pull_requests:read", "GET issues/comments", talk::newest),
        needs("pull_requests:read", "GET issues/N/events", pulls::events),
        needs("pull_requests:write", "POST issues/N/labels", pulls::label),
        needs("pull_requests:write", "DELETE issues/N/labels/BRANCH", pulls::unlabel),
        needs("pull_requests:write", "POST issues/comments/ID/reactions", talk::react),
        needs("metadata:read", "GET collaborators/USER/permission", talk::permission),
        needs("actions:read", "GET actions/runs", actions::list),
        needs("actions:read", "GET actions/runs/ID", actions::get),
        needs("actions:write", "POST actions/runs/ID/cancel", actions::cancel),
        needs("actions:write", "POST actions/runs/ID/rerun", actions::rerun),
        open("GET installation", tokens::installation),
        open("GET user", tokens::user),
        open("GET app", tokens::app),
        open("POST app/installations/ID/access_tokens", tokens::token),
        open("GET rate_limit", c -> Reply.ok(FakeApi.limits())));
  }

  private void serveApi(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      synchronized (this) {
        api.serve(exchange, body, gone);
      }
    }
  }

  /** Nobody waits for one who asks and then stands still, half way through. */
  private void serveGit(HttpExchange exchange) throws IOException {
    try (exchange) {
      boolean push = exchange.getRequestURI().toString().contains("git-receive-pack");
      String kind = push ? "git push" : "git fetch";
      Optional<FakeTokens.Caller> caller =
          Optional.ofNullable(exchange.getRequestHeaders().getFirst("Authorization"))
              .filter(FakeGitHub::isBasic)
              .flatMap(tokens::caller);
      boolean may =
          caller.filter(c -> tokens.may(c, push ? "contents:write" : "contents:read")).isPresent();
      Optional<FakeFaults.Fault> fault =
          exchange.getRequestMethod().equals("POST") ? faults.take(kind) : Optional.empty();
      if (caller.isEmpty() || !may || gone || fault.isPresent()) {
        refuse(exchange, caller.isEmpty() ? 401 : gone ? 404 : may ? 500 : 403);
        return;
      }
      byte[] body = exchange.getRequestBody().readAllBytes();
      GitBackend.Answer answer;
      synchronized (this) {
        answer = backend.answer(exchange, body);
        pulls.follow();
      }
      answer.send(exchange);
    }
  }

  private static boolean isBasic(String authorization) {
    return authorization.startsWith("Basic ")
        && new String(Base64.getDecoder().decode(authorization.substring(6)), US_ASCII)
            .startsWith("x-access-token:");
  }

  private static void refuse(HttpExchange exchange, int status) throws IOException {
    exchange.getResponseHeaders().set("WWW-Authenticate", "Basic realm=\"GitHub\"");
    exchange.sendResponseHeaders(status, -1);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.close();
  }
}
