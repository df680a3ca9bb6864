package dev.mainstay.server.forge.git;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Serves the repositories of a directory by git's own http backend, to whoever has the password.
 */
public final class GitHttpServer implements AutoCloseable {
  private final Path root;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final ConcurrentLinkedQueue<String> faults = new ConcurrentLinkedQueue<>();
  private volatile String password = "s3cr3t";
  private volatile int answer = 200;
  private volatile boolean takesPushes = true;

  public GitHttpServer(Path root) {
    this.root = root;
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

  /** Whether {@code bot} may push, or only read. */
  public void takePushes(boolean takes) {
    takesPushes = takes;
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
      Process backend = backend(exchange);
      Thread.startVirtualThread(() -> send(exchange.getRequestBody(), backend));
      answer(exchange, backend.getInputStream());
    } catch (RuntimeException e) {
      faults.add(e.toString());
    }
  }

  private Process backend(HttpExchange exchange) throws IOException {
    var builder = new ProcessBuilder("git", "-c", "http.receivepack=true", "http-backend");
    Map<String, String> environment = builder.environment();
    environment.put("GIT_PROJECT_ROOT", root.toString());
    environment.put("GIT_HTTP_EXPORT_ALL", "1");
    environment.put("REMOTE_USER", "bot");
    environment.put("REQUEST_METHOD", exchange.getRequestMethod());
    environment.put("PATH_INFO", exchange.getRequestURI().getPath());
    environment.put(
        "QUERY_STRING", Optional.ofNullable(exchange.getRequestURI().getRawQuery()).orElse(""));
    for (var header :
        List.of(
            Map.entry("CONTENT_TYPE", "Content-Type"),
            Map.entry("HTTP_CONTENT_ENCODING", "Content-Encoding"),
            Map.entry("CONTENT_LENGTH", "Content-Length"),
            Map.entry("GIT_PROTOCOL", "Git-Protocol"))) {
      Optional.ofNullable(exchange.getRequestHeaders().getFirst(header.getValue()))
          .ifPresent(value -> environment.put(header.getKey(), value));
    }
    return builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
  }

  private void send(InputStream body, Process backend) {
    try (var to = backend.getOutputStream()) {
      body.transferTo(to);
    } catch (IOException e) {
      faults.add(e.toString());
    }
  }

  private static void answer(HttpExchange exchange, InputStream from) throws IOException {
    int status = 200;
    for (String line = line(from); !line.isEmpty(); line = line(from)) {
      String[] header = line.split(": ", 2);
      if (header[0].equals("Status")) {
        status = Integer.parseInt(header[1].substring(0, 3));
      } else {
        exchange.getResponseHeaders().add(header[0], header[1]);
      }
    }
    exchange.sendResponseHeaders(status, 0);
    from.transferTo(exchange.getResponseBody());
  }

  private static String line(InputStream from) throws IOException {
    var line = new java.io.ByteArrayOutputStream();
    for (int b = from.read(); b >= 0 && b != '\n'; b = from.read()) {
      line.write(b);
    }
    return line.toString(UTF_8).strip();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.close();
  }
}
