package dev.mainstay.server.forge.github;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import dev.mainstay.server.forge.github.FakeFaults.Fault;
import dev.mainstay.server.forge.github.FakeRoute.Call;
import dev.mainstay.server.forge.github.FakeRoute.Reply;
import dev.mainstay.server.forge.github.FakeTokens.Caller;
import dev.mainstay.server.platform.Json;
import dev.mainstay.server.platform.Sha256;
import java.io.IOException;
import java.net.URLDecoder;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import tools.jackson.databind.node.ObjectNode;

/** The manners of GitHub's API: who may ask what, pages, ETags, limits, and faults on demand. */
record FakeApi(
    List<FakeRoute> routes, FakeTokens tokens, FakeFaults faults, AtomicReference<String> name) {
  private static final String REPOSITORY = "/repos/acme/app";
  private static final String BY_ID = "/repositories/1";

  void serve(HttpExchange exchange, byte[] body, boolean gone) throws IOException {
    String called = exchange.getRequestURI().getPath().replaceFirst("^/api(/v3)?", "");
    if (called.startsWith(REPOSITORY) && !this.name.get().equals(FakePullShape.NAME)) {
      pointElsewhere(exchange);
      return;
    }
    String path = called.startsWith(BY_ID) ? called.replaceFirst(BY_ID, REPOSITORY) : called;
    boolean ofRepository = path.startsWith(REPOSITORY);
    String rest = ofRepository ? path.substring(REPOSITORY.length()) : path;
    String name = rest.isEmpty() ? "repo" : rest.substring(1);
    Optional<FakeRoute> route =
        routes.stream()
            .filter(r -> r.match(exchange.getRequestMethod(), name).isPresent())
            .findFirst();
    String kind =
        route.map(FakeRoute::kind).orElseGet(() -> exchange.getRequestMethod() + " " + name);
    Optional<Fault> fault = faults.take(kind);
    fault.ifPresent(
        f -> exchange.getResponseHeaders().set(FakeTraffic.FAULT, f.getClass().getSimpleName()));
    if (name.equals("meta")) {
      exchange.getResponseHeaders().set("X-GitHub-Enterprise-Version", "3.16.0");
      send(exchange, Reply.ok(Json.object().put("verifiable_password_authentication", true)));
      return;
    }
    if (fault.isPresent() && fault.get() instanceof Fault.Instead(int status, var headers)) {
      headers.forEach(exchange.getResponseHeaders()::set);
      send(exchange, Reply.not(status, "You have exceeded a rate limit, or we have trouble."));
      return;
    }
    Reply reply =
        route.isEmpty() || (gone && ofRepository)
            ? Reply.notFound()
            : answer(exchange, route.get(), name, body);
    answer(exchange, reply, fault);
  }

  private static void pointElsewhere(HttpExchange exchange) throws IOException {
    boolean reads = exchange.getRequestMethod().equals("GET");
    exchange.getResponseHeaders().set("Location", url(exchange).replaceFirst(REPOSITORY, BY_ID));
    exchange.getResponseHeaders().set(FakeTraffic.FAULT, "Renamed");
    exchange.sendResponseHeaders(reads ? 301 : 307, -1);
  }

  private Reply answer(HttpExchange exchange, FakeRoute route, String name, byte[] body) {
    Optional<Caller> caller = header(exchange, "Authorization").flatMap(tokens::caller);
    if (caller.isEmpty()) {
      return Reply.not(401, "Bad credentials");
    }
    if (caller.get() instanceof Caller.Person(_, String scopes)) {
      exchange.getResponseHeaders().set("X-OAuth-Scopes", scopes);
    }
    if (!header(exchange, "X-GitHub-Api-Version").equals(Optional.of("2022-11-28"))) {
      return Reply.not(400, "The API version is missing.");
    }
    if (route.permission().isPresent() && !tokens.may(caller.get(), route.permission().get())) {
      boolean person = caller.get() instanceof Caller.Person;
      return Reply.not(
          403, "Resource not accessible by " + (person ? "personal access token" : "integration"));
    }
    ObjectNode json = body.length == 0 ? Json.object() : Json.readObject(body);
    var call =
        new Call(
            route.match(exchange.getRequestMethod(), name).orElseThrow(),
            query(exchange),
            json,
            caller.get());
    Reply reply = route.handler().on(call);
    var page = FakePages.of(url(exchange), call).page(reply.json());
    page.link().ifPresent(link -> exchange.getResponseHeaders().set("Link", link));
    return new Reply(reply.status(), page.json());
  }

  private void answer(HttpExchange exchange, Reply reply, Optional<Fault> fault)
      throws IOException {
    byte[] body = Json.write(reply.json());
    if (fault.isEmpty()) {
      send(exchange, reply);
      return;
    }
    switch (fault.get()) {
      case Fault.AfterWork(int status) -> send(exchange, Reply.not(status, "Server Error"));
      case Fault.CutOff() -> {
        exchange.sendResponseHeaders(reply.status(), body.length + 1L);
        exchange.getResponseBody().write(body, 0, body.length / 2);
        exchange.getResponseBody().flush();
      }
      case Fault.Garbage(String text) -> {
        exchange.sendResponseHeaders(reply.status(), 0);
        exchange.getResponseBody().write(text.getBytes(UTF_8));
      }
      case Fault.Instead _ -> throw new IllegalStateException("was answered already");
    }
  }

  private void send(HttpExchange exchange, Reply reply) throws IOException {
    byte[] body = Json.write(reply.json());
    var headers = exchange.getResponseHeaders();
    faults.headers.forEach(headers::set);
    headers.set("Content-Type", "application/json; charset=utf-8");
    String tag = "W/\"" + HexFormat.of().formatHex(Sha256.of(new String(body, UTF_8))) + "\"";
    if (exchange.getRequestMethod().equals("GET") && reply.status() == 200) {
      headers.set("ETag", tag);
      if (header(exchange, "If-None-Match").equals(Optional.of(tag))) {
        faults.take("unchanged");
        exchange.sendResponseHeaders(304, -1);
        return;
      }
    }
    boolean empty = reply.status() == 204;
    exchange.sendResponseHeaders(reply.status(), empty ? -1 : body.length);
    if (!empty) {
      exchange.getResponseBody().write(body);
    }
  }

  static ObjectNode limits() {
    ObjectNode json = Json.object();
    ObjectNode rate = json.putObject("rate").put("limit", 5000).put("remaining", 4999);
    rate.put("used", 1).put("reset", 2_000_000_000);
    json.putObject("resources").set("core", rate).set("search", rate);
    return json;
  }

  private static Optional<String> header(HttpExchange exchange, String name) {
    return Optional.ofNullable(exchange.getRequestHeaders().getFirst(name));
  }

  private static String url(HttpExchange exchange) {
    return "http://" + exchange.getRequestHeaders().getFirst("Host") + exchange.getRequestURI();
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
}
