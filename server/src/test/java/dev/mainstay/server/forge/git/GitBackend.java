package dev.mainstay.server.forge.git;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Answers requests of git over http by git's own backend, for the repositories below a root. */
public record GitBackend(Path root) {
  /** By its own path: by way of {@code git} it would be two processes each time. */
  private static final String PROGRAM =
      AuthorClone.run(Path.of("."), new byte[0], "--exec-path").strip() + "/git-http-backend";

  /** What the backend answers, whole. */
  public static final class Answer {
    private final InputStream from;

    private Answer(byte[] whole) {
      this.from = new ByteArrayInputStream(whole);
    }

    public void send(HttpExchange exchange) throws IOException {
      GitBackend.send(exchange, from);
    }
  }

  /** Answers a request by the repository that its path names. */
  public void serve(HttpExchange exchange) throws IOException {
    Process backend = start(exchange);
    Thread.startVirtualThread(() -> pass(exchange.getRequestBody(), backend));
    send(exchange, backend.getInputStream());
  }

  /** Does what a request asks for, whose body was read, and does not answer yet. */
  public Answer answer(HttpExchange exchange, byte[] body) throws IOException {
    Process backend = start(exchange);
    Thread.startVirtualThread(() -> pass(new ByteArrayInputStream(body), backend));
    return new Answer(backend.getInputStream().readAllBytes());
  }

  private Process start(HttpExchange exchange) throws IOException {
    var builder = new ProcessBuilder(PROGRAM);
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

  private static void pass(InputStream body, Process backend) {
    try (var to = backend.getOutputStream()) {
      body.transferTo(to);
    } catch (IOException e) {
      backend.destroy(); // who asks is gone, or the backend is: it answers what it has by now
    }
  }

  private static void send(HttpExchange exchange, InputStream from) throws IOException {
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
    var line = new ByteArrayOutputStream();
    for (int b = from.read(); b >= 0 && b != '\n'; b = from.read()) {
      line.write(b);
    }
    return line.toString(UTF_8).strip();
  }
}
