package dev.mainstay.server.forge.gitlab;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.mainstay.server.forge.git.BareRepository;
import dev.mainstay.server.forge.git.GitBackend;
import dev.mainstay.server.forge.github.FakeFaults;
import dev.mainstay.server.forge.github.FakeFaults.Fault;
import dev.mainstay.server.forge.github.FakeRepository;
import dev.mainstay.server.forge.gitlab.FakeCall.Reply;
import dev.mainstay.server.forge.gitlab.FakeCall.Route;
import dev.mainstay.server.platform.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A GitLab of our own for the project acme/platform/app: real git over http, and as much of the API
 * as we use, in GitLab's shapes and with its manners. It takes its time, makes trouble on demand
 * and counts what it is asked.
 */
final class FakeGitLab implements AutoCloseable {
  static final String PATH = "acme/platform/app";
  static final String LOGIN = "project_4242_bot_1";
  static final String TOKEN = "glpat-" + "t".repeat(20);
  private static final String BY_ID = "/projects/" + FakeRequests.PROJECT;
  private static final String BY_PATH = "/projects/acme%2Fplatform%2Fapp";

  final FakeFaults faults = new FakeFaults();
  final FakePipelines pipelines = new FakePipelines();
  final FakeRepository repository;
  final FakeProject project;
  final FakePeople people = new FakePeople();
  final FakeNotes notes = new FakeNotes(people);
  final FakeRequests requests;
  final FakeSigns signs;

  /** Every push to a branch starts a pipeline, unless it asks for none. */
  boolean startsPipelines;

  private final Path directory;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final GitBackend backend;
  private final List<Route> routes;
  private volatile boolean gone;

  /** Serves the bare repository {@code acme/platform/app.git} below the root. */
  FakeGitLab(Path root) {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    backend = new GitBackend(root);
    directory = root.resolve(PATH + ".git");
    repository = new FakeRepository(directory);
    repository.hide("refs/merge-requests");
    var bare = new BareRepository(directory);
    bare.run("config", "receive.advertisePushOptions", "true");
    bare.hook(
        "post-receive",
        "while read old new ref; do echo \"$ref $GIT_PUSH_OPTION_0\" >> pushes; done\n");
    project = new FakeProject(repository);
    requests = new FakeRequests(repository, address(), people);
    signs = new FakeSigns(requests, notes, people);
    routes = routes();
    server.setExecutor(threads);
    server.createContext("/api/v4/", this::serveApi);
    server.createContext("/acme/", this::serveGit);
    server.start();
  }

  String address() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  void vanish() {
    gone = true;
  }

  /** The pushes so far: a reference each, and the option that went along. */
  List<String> pushes() {
    try {
      Path log = directory.resolve("pushes");
      return Files.exists(log)
          ? Files.readAllLines(log).stream().map(String::strip).toList()
          : List.of();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Lets everything follow what somebody pushed past the fake. */
  synchronized void pushed() {
    Map<String, String> moved = requests.follow();
    if (startsPipelines) {
      List<String> log = pushes();
      moved.forEach(
          (branch, sha) -> {
            boolean skipped =
                log.reversed().stream()
                    .filter(line -> line.startsWith("refs/heads/" + branch))
                    .findFirst()
                    .filter(line -> line.endsWith(" ci.skip"))
                    .isPresent();
            pipelines.start(sha, branch, "push", skipped ? "skipped" : "running");
          });
    }
  }

  private List<Route> routes() {
    return List.of(
        new Route("GET project", project::itself),
        new Route("GET merge_requests", requests::list),
        new Route("POST merge_requests", requests::create),
        new Route("GET merge_requests/N", requests::get),
        new Route("PUT merge_requests/N", requests.there(signs::change)),
        new Route("PUT merge_requests/N/merge", requests::merge),
        new Route("GET merge_requests/N/notes", requests.there(notes::list)),
        new Route("POST merge_requests/N/notes", requests.there(notes::write)),
        new Route("PUT merge_requests/N/notes/ID", notes::change),
        new Route("DELETE merge_requests/N/notes/ID", notes::remove),
        new Route("POST merge_requests/N/notes/ID/award_emoji", notes::react),
        new Route("GET merge_requests/N/resource_label_events", requests.there(signs::events)),
        new Route(
            "POST merge_requests/N/cancel_merge_when_pipeline_succeeds",
            requests.there(signs::cancel)),
        new Route("GET events", notes::events),
        new Route("GET repository/branches/NAME", project::branch),
        new Route("GET repository/files/NAME", project::file),
        new Route("GET repository/commits/SHA/statuses", pipelines::statuses),
        new Route("GET repository/commits/SHA/merge_requests", requests::ofCommit),
        new Route("POST statuses/SHA", this::status),
        new Route("GET pipelines", pipelines::list),
        new Route("GET pipelines/ID/jobs", pipelines::jobs),
        new Route("POST pipelines/ID/retry", pipelines::retry),
        new Route("POST pipelines/ID/cancel", pipelines::cancel),
        new Route("POST jobs/ID/retry", pipelines::retryJob),
        new Route("GET protected_branches", project::protectedBranches),
        new Route("GET hooks", project::hooks),
        new Route("GET members/all/ID", people::member),
        new Route("GET users", people::find),
        new Route("GET users/ID", people::get),
        new Route("GET user", people::self),
        new Route("GET personal_access_tokens/self", project::token));
  }

  /** A commit that no branch of the project holds needs a reference. */
  private Reply status(FakeCall call) {
    String sha = call.parts().getFirst();
    boolean held = repository.branches().values().stream().anyMatch(at -> repository.isIn(sha, at));
    return held || call.text("ref").isPresent()
        ? pipelines.write(call)
        : Reply.not(404, "404 References for commit Not Found");
  }

  private void serveApi(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      Reply reply;
      synchronized (this) {
        reply = answer(exchange, body);
      }
      send(exchange, reply);
    }
  }

  private Reply answer(HttpExchange exchange, byte[] body) {
    String called = exchange.getRequestURI().getRawPath().substring("/api/v4".length());
    String method = exchange.getRequestMethod();
    if (called.equals("/projects")) {
      return Reply.ok(List.of());
    }
    if (called.startsWith(BY_PATH) && !project.path.equals(PATH)) {
      exchange
          .getResponseHeaders()
          .set("Location", address() + "/api/v4" + called.replace(BY_PATH, BY_ID));
      return method.equals("GET")
          ? Reply.not(301, "301 Moved")
          : Reply.not(405, "Non GET methods are not allowed for moved projects");
    }
    String path = called.replace(BY_PATH, BY_ID);
    boolean ofProject = path.startsWith(BY_ID);
    String rest = ofProject ? path.substring(BY_ID.length()) : path;
    String name = rest.isEmpty() ? "project" : rest.substring(1);
    Optional<Route> route =
        routes.stream().filter(r -> r.match(method, name).isPresent()).findFirst();
    Optional<Fault> fault = faults.take(route.map(Route::kind).orElse(method + " " + name));
    if (!TOKEN.equals(exchange.getRequestHeaders().getFirst("PRIVATE-TOKEN"))) {
      return Reply.not(401, "401 Unauthorized");
    }
    if (fault.orElse(null) instanceof Fault.Instead(int status, var headers)) {
      headers.forEach(exchange.getResponseHeaders()::set);
      return Reply.not(status, "trouble");
    }
    if (route.isEmpty() || (gone && ofProject)) {
      return Reply.not(404, "404 Project Not Found");
    }
    var call =
        new FakeCall(
            route.get().match(method, name).orElseThrow(),
            query(exchange),
            body.length == 0 ? Json.object() : Json.readObject(body));
    Reply reply = route.get().handler().on(call);
    return fault.orElse(null) instanceof Fault.AfterWork(int status)
        ? Reply.not(status, "trouble")
        : reply;
  }

  private void send(HttpExchange exchange, Reply reply) throws IOException {
    var headers = exchange.getResponseHeaders();
    faults.headers.forEach(headers::set);
    headers.set("Content-Type", "application/json");
    headers.set("X-Gitlab-Meta", "{\"version\":\"1\"}");
    Object json = reply.json();
    if (json instanceof List<?> list) {
      Map<String, String> query = query(exchange);
      int size = Math.min(100, Integer.parseInt(query.getOrDefault("per_page", "20")));
      int page = Integer.parseInt(query.getOrDefault("page", "1"));
      int from = Math.min(list.size(), (page - 1) * size);
      int to = Math.min(list.size(), from + size);
      json = list.subList(from, to).stream().filter(one -> !FakeCall.HIDDEN.equals(one)).toList();
      if (to < list.size()) {
        String here = address() + exchange.getRequestURI().toString().replaceAll("&page=\\d+", "");
        headers.set("Link", "<%s&page=%d>; rel=\"next\"".formatted(here, page + 1));
      }
    }
    if (reply.status() == 204) {
      exchange.sendResponseHeaders(204, -1);
      return;
    }
    byte[] body = Json.write(json);
    exchange.sendResponseHeaders(reply.status(), body.length);
    exchange.getResponseBody().write(body);
  }

  private static Map<String, String> query(HttpExchange exchange) {
    Map<String, String> query = new TreeMap<>();
    Optional.ofNullable(exchange.getRequestURI().getRawQuery()).stream()
        .flatMap(q -> Arrays.stream(q.split("&")))
        .map(pair -> pair.split("=", 2))
        .filter(pair -> pair.length == 2)
        .forEach(pair -> query.put(pair[0], URLDecoder.decode(pair[1], UTF_8)));
    return query;
  }

  private void serveGit(HttpExchange exchange) throws IOException {
    try (exchange) {
      boolean push = exchange.getRequestURI().toString().contains("git-receive-pack");
      boolean known =
          Optional.ofNullable(exchange.getRequestHeaders().getFirst("Authorization"))
              .filter(FakeGitLab::isBasic)
              .isPresent();
      boolean posts = exchange.getRequestMethod().equals("POST");
      Optional<Fault> fault =
          posts ? faults.take(push ? "git push" : "git fetch") : Optional.empty();
      if (!known || gone || fault.isPresent()) {
        exchange.getResponseHeaders().set("WWW-Authenticate", "Basic realm=\"GitLab\"");
        exchange.sendResponseHeaders(known ? gone ? 404 : 500 : 401, -1);
        return;
      }
      byte[] body = exchange.getRequestBody().readAllBytes();
      GitBackend.Answer answer;
      synchronized (this) {
        answer = backend.answer(exchange, body);
        if (push && posts) {
          pushed();
        }
      }
      answer.send(exchange);
    }
  }

  private static boolean isBasic(String authorization) {
    return authorization.startsWith("Basic ")
        && new String(Base64.getDecoder().decode(authorization.substring(6)), US_ASCII)
            .endsWith(":" + TOKEN);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.close();
  }
}
