package dev.mainstay.cli;

import dev.mainstay.server.platform.Json;
import java.io.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;

/**
 * Sends bundles to the server. What may have been lost is sent again, byte for byte: the server
 * counts the same upload once.
 */
final class ResultsClient {
  private static final Set<Integer> WORTH_ANOTHER_TRY = Set.of(408, 425, 429, 500, 502, 503, 504);
  private static final int PROGRESS_FROM_BYTES = 1024 * 1024;
  private static final int PIECE = 64 * 1024;
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

  private final HttpClient http =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();
  private final URI server;
  private final String token;
  private final int retries;
  private final PrintWriter err;

  /** The server was not reached, or was not well, however often it was tried. */
  static final class Unreachable extends Exception {
    Unreachable(String why) {
      super(why);
    }
  }

  ResultsClient(URI server, String token, int retries, PrintWriter err) {
    this.server = server;
    this.token = token;
    this.retries = retries;
    this.err = err;
  }

  /** Sends one bundle; a {@link Refusal} says what the server had against it. */
  JsonNode send(Map<String, String> about, byte[] bundle) throws Unreachable {
    String query =
        about.entrySet().stream()
            .map(e -> e.getKey() + "=" + URLEncoder.encode(e.getValue(), StandardCharsets.UTF_8))
            .collect(Collectors.joining("&"));
    URI address =
        URI.create(server.toString().replaceFirst("/+$", "") + "/v1/test-results?" + query);
    String trouble = "";
    for (int tries = 0; tries <= retries; tries++) {
      pause(tries);
      try {
        var answer = http.send(request(address, bundle), BodyHandlers.ofByteArray());
        if (answer.statusCode() == 200) {
          return Json.readObject(answer.body());
        }
        trouble = trouble(answer);
        if (!WORTH_ANOTHER_TRY.contains(answer.statusCode())) {
          throw new Refusal("The server refused the results: " + trouble);
        }
      } catch (IOException e) {
        trouble = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new Unreachable("interrupted");
      }
    }
    throw new Unreachable(trouble);
  }

  private HttpRequest request(URI address, byte[] bundle) {
    return HttpRequest.newBuilder(address)
        .header("x-api-token", token)
        .header("content-type", "application/octet-stream")
        .timeout(Duration.ofMinutes(5))
        .POST(
            BodyPublishers.fromPublisher(
                BodyPublishers.ofByteArrays(() -> pieces(bundle)), bundle.length))
        .build();
  }

  /** The pieces of a bundle; large ones tell how far they are. */
  private Iterator<byte[]> pieces(byte[] bundle) {
    int count = (bundle.length + PIECE - 1) / PIECE;
    return IntStream.range(0, count)
        .mapToObj(
            i -> {
              int end = Math.min(bundle.length, (i + 1) * PIECE);
              progress(end, bundle.length);
              return java.util.Arrays.copyOfRange(bundle, i * PIECE, end);
            })
        .iterator();
  }

  private void progress(int sent, int total) {
    boolean terminal = Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false);
    if (total >= PROGRESS_FROM_BYTES && (terminal || sent == total)) {
      err.printf(
          "%smainstay: sent %.1f of %.1f MiB%s",
          terminal ? "\r" : "", sent / 1048576.0, total / 1048576.0, sent == total ? "\n" : "");
      err.flush();
    }
  }

  private static String trouble(HttpResponse<byte[]> answer) {
    String text = new String(answer.body(), StandardCharsets.UTF_8);
    try {
      text = Json.readObject(answer.body()).path("detail").asString(text);
    } catch (RuntimeException e) {
      // Not one of our answers.
    }
    String line = text.lines().findFirst().orElse("");
    return "%d %s"
        .formatted(answer.statusCode(), line.length() > 300 ? line.substring(0, 300) : line);
  }

  private static void pause(int tries) throws Unreachable {
    if (tries == 0) {
      return;
    }
    long seconds = Math.min(1L << (tries - 1), LONGEST_PAUSE.toSeconds());
    try {
      Thread.sleep(Duration.ofSeconds(seconds));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Unreachable("interrupted");
    }
  }
}
