package dev.mainstay.server.forge.github;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import dev.mainstay.server.platform.Json;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes what is asked and answered at the API, a line of JSON each, so that both can be compared
 * with what GitHub publishes about it: {@code .ci/github} does.
 */
final class FakeTraffic extends Filter {
  /** Says on an answer that it is wrong on purpose, and how. */
  static final String FAULT = "X-Fake-Fault";

  /** Credentials are not among them. */
  private static final Set<String> TOLD =
      Set.of(
          "accept",
          "content-type",
          "etag",
          "if-none-match",
          "link",
          "location",
          "user-agent",
          "x-github-api-version");

  private static final Object ONE_AT_A_TIME = new Object();

  private final Path file;

  private FakeTraffic(Path file) {
    this.file = file;
  }

  /** Where the environment names a folder for it. */
  static Optional<FakeTraffic> wanted() {
    return Optional.ofNullable(System.getenv("MAINSTAY_GITHUB_TRAFFIC"))
        .filter(folder -> !folder.isBlank())
        .map(folder -> Path.of(folder, "fake-" + ProcessHandle.current().pid() + ".jsonl"))
        .map(FakeTraffic::new);
  }

  @Override
  public String description() {
    return "writes what is asked and answered";
  }

  @Override
  public void doFilter(HttpExchange exchange, Chain chain) throws IOException {
    byte[] asked = exchange.getRequestBody().readAllBytes();
    var answered = new ByteArrayOutputStream();
    exchange.setStreams(
        new ByteArrayInputStream(asked), new Both(exchange.getResponseBody(), answered));
    chain.doFilter(exchange);
    write(line(exchange, asked, answered.toByteArray()));
  }

  private static ObjectNode line(HttpExchange exchange, byte[] asked, byte[] answered) {
    String path = exchange.getRequestURI().getRawPath();
    String below = path.replaceFirst("^/api(/v3)?", "");
    ObjectNode line = Json.object().put("base", path.substring(0, path.length() - below.length()));
    line.put("method", exchange.getRequestMethod()).put("path", below);
    line.put("query", exchange.getRequestURI().getRawQuery());
    line.set("headers", told(exchange.getRequestHeaders()));
    put(line, "body", asked);
    line.put("status", exchange.getResponseCode());
    line.put("fault", exchange.getResponseHeaders().getFirst(FAULT));
    line.set("answerHeaders", told(exchange.getResponseHeaders()));
    put(line, "answer", answered);
    return line;
  }

  private static ObjectNode told(Headers headers) {
    ObjectNode told = Json.object();
    headers.forEach(
        (name, values) -> {
          String lower = name.toLowerCase(Locale.ROOT);
          if (TOLD.contains(lower)) {
            told.put(lower, String.join(", ", values));
          }
        });
    return told;
  }

  /** As JSON, or as text where it is none; nothing where it is empty. */
  private static void put(ObjectNode line, String name, byte[] bytes) {
    if (bytes.length == 0) {
      return;
    }
    try {
      line.set(name, Json.read(bytes));
    } catch (Json.Malformed e) {
      line.put(name, new String(bytes, UTF_8));
    }
  }

  private void write(ObjectNode line) throws IOException {
    byte[] bytes = (new String(Json.write(line), UTF_8) + "\n").getBytes(UTF_8);
    synchronized (ONE_AT_A_TIME) {
      Files.createDirectories(file.getParent());
      Files.write(file, bytes, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
  }

  /** Goes on to its reader, and is kept. */
  private static final class Both extends FilterOutputStream {
    private final OutputStream kept;

    Both(OutputStream out, OutputStream kept) {
      super(out);
      this.kept = kept;
    }

    @Override
    public void write(int one) throws IOException {
      out.write(one);
      kept.write(one);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      out.write(bytes, offset, length);
      kept.write(bytes, offset, length);
    }
  }
}
