package dev.mainstay.server.forge.git;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Base64;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPInputStream;

/**
 * Serves the repositories of a directory by git's own http backend, to whoever has the password.
 */
public final class GitHttpServer implements AutoCloseable {
  private final GitBackend backend;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final AtomicInteger clones = new AtomicInteger();
  private volatile String password = "s3cr3t";
  private volatile int answer = 200;
  private volatile String[] renamed = {};
  private volatile boolean takesPushes = true;

  public GitHttpServer(Path root) {
    this.backend = new GitBackend(root);
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    server.setExecutor(threads);
    server.createContext("/", this::serve);
    server.start();
  }

  /** An address with these credentials, percent-encoded, or none. */
  public String address(Path repository, String credentials) {
    return "http://%s127.0.0.1:%d/%s"
        .formatted(credentials, server.getAddress().getPort(), repository.getFileName());
  }

  /** From now on the user {@code bot} has this password. */
  public void password(String next) {
    password = next;
  }

  /** From now on every request is answered with this status; with 200, as it should be. */
  void answer(int status) {
    answer = status;
  }

  /** From now on a repository has another name, and whoever asks by the old one is told so. */
  public void rename(String before, String after) {
    renamed = new String[] {before, after};
  }

  /** Whether {@code bot} may push, or only read. */
  public void takePushes(boolean takes) {
    takesPushes = takes;
  }

  /** How often somebody fetched who had nothing yet. */
  public int clones() {
    return clones.get();
  }

  private static boolean isClone(HttpExchange exchange, byte[] body) throws IOException {
    boolean packed = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
    InputStream in = new ByteArrayInputStream(body);
    String text = new String((packed ? new GZIPInputStream(in) : in).readAllBytes(), ISO_8859_1);
    return text.contains("command=fetch") && !text.contains("have ");
  }

  private int status(HttpExchange exchange) {
    String pair =
        "Basic " + Base64.getEncoder().encodeToString(("bot:" + password).getBytes(UTF_8));
    if (!pair.equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
      return 401;
    }
    boolean push = exchange.getRequestURI().toString().contains("git-receive-pack");
    return push && !takesPushes ? 403 : answer;
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      int status = status(exchange);
      if (status != 200) {
        exchange.getResponseHeaders().set("WWW-Authenticate", "Basic realm=\"git\"");
        exchange.sendResponseHeaders(status, -1);
        return;
      }
      String[] move = renamed;
      if (move.length > 0 && exchange.getRequestURI().getPath().startsWith("/" + move[0])) {
        String there = exchange.getRequestURI().toString().replaceFirst(move[0], move[1]);
        exchange.getResponseHeaders().set("Location", there);
        exchange.sendResponseHeaders(301, -1);
        return;
      }
      if (!exchange.getRequestURI().getPath().endsWith("/git-upload-pack")) {
        backend.serve(exchange);
        return;
      }
      byte[] body = exchange.getRequestBody().readAllBytes();
      if (isClone(exchange, body)) {
        clones.incrementAndGet();
      }
      backend.answer(exchange, body).send(exchange);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.close();
  }
}
