package dev.mainstay.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.mainstay.server.forge.git.GitBackend;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A GitHub in which nothing happens, for as many repositories as there are below a root: no pull
 * request is open, and main has no rules. It counts what it is asked.
 */
public final class StubGitHub implements AutoCloseable {
  public static final String APP = "4711";
  private static final Base64.Encoder LINES = Base64.getMimeEncoder(64, new byte[] {'\n'});

  /** All requests to the API, those whose answer was new, and those that a look begins with. */
  final AtomicInteger all = new AtomicInteger();

  final AtomicInteger counting = new AtomicInteger();
  final AtomicInteger looks = new AtomicInteger();

  private final GitBackend backend;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final String commit;

  public StubGitHub(Path root, String commit) throws IOException {
    this.backend = new GitBackend(root);
    this.commit = commit;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/api/v3/", this::answer);
    server.createContext("/acme/", this::git);
    server.start();
  }

  public String address() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** A key for the App; whatever it signs is believed. */
  public static String appKey() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(2048);
      byte[] key = generator.generateKeyPair().getPrivate().getEncoded();
      return "-----BEGIN PRIVATE KEY-----\n%s\n-----END PRIVATE KEY-----\n"
          .formatted(LINES.encodeToString(key));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private void git(HttpExchange exchange) throws IOException {
    try (exchange) {
      backend.serve(exchange);
    }
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath().replaceFirst("^/api/v3/", "");
      exchange.getRequestBody().readAllBytes();
      all.incrementAndGet();
      if (path.endsWith("/pulls")) {
        looks.incrementAndGet();
      }
      byte[] body = json(path).replace('\'', '"').getBytes(UTF_8);
      String tag = "\"" + path.hashCode() + "\"";
      boolean get = exchange.getRequestMethod().equals("GET");
      exchange.getResponseHeaders().set("Content-Type", "application/json; charset=utf-8");
      exchange.getResponseHeaders().set("ETag", tag);
      if (get && tag.equals(exchange.getRequestHeaders().getFirst("If-None-Match"))) {
        exchange.sendResponseHeaders(304, -1);
        return;
      }
      counting.incrementAndGet();
      exchange.sendResponseHeaders(get ? 200 : 201, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  private String json(String path) {
    if (path.endsWith("/installation")) {
      return "{'id':77,'app_slug':'mainstay','permissions':{'contents':'write'}}";
    }
    if (path.endsWith("/access_tokens")) {
      return "{'token':'ghs_stub','expires_at':'%s'}"
          .formatted(Instant.now().plus(Duration.ofHours(1)));
    }
    if (path.endsWith("/branches/main") && !path.contains("/rules/")) {
      return "{'name':'main','protected':false,'commit':{'sha':'%s'}}".formatted(commit);
    }
    boolean isRepository = path.matches("repos/[^/]+/[^/]+");
    return isRepository ? "{'full_name':'%s'}".formatted(path.substring("repos/".length())) : "[]";
  }

  @Override
  public void close() {
    server.stop(0);
    threads.close();
  }
}
