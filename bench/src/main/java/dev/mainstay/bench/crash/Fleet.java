package dev.mainstay.bench.crash;

import dev.mainstay.bench.GitHubHook;
import dev.mainstay.server.platform.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import tools.jackson.databind.JsonNode;

/** All nodes, called as a patient client calls them: until one of them answers. */
final class Fleet {
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final Duration LONGEST = Duration.ofMinutes(3);

  private final HttpClient http = HttpClient.newBuilder().connectTimeout(PATIENCE).build();
  private final List<Node> nodes;
  private final String token;
  private final Random random;
  private final Progress progress;

  Fleet(List<Node> nodes, String token, long seed, Progress progress) {
    this.nodes = nodes;
    this.token = token;
    this.random = new Random(seed);
    this.progress = progress;
  }

  /** An answer that was neither success nor a fault of the node. */
  static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Refused(String message) {
      super(message);
    }
  }

  /** Asks again, wherever somebody listens, for as long as an answer may have been lost. */
  JsonNode post(String path, Map<String, Object> body) throws InterruptedException {
    long end = System.nanoTime() + LONGEST.toNanos();
    while (System.nanoTime() < end) {
      Optional<String> address = nodes.get(random.nextInt(nodes.size())).address();
      try {
        if (address.isPresent()) {
          var answer =
              http.send(
                  request(address.get(), path, body),
                  BodyHandlers.ofString(StandardCharsets.UTF_8));
          if (answer.statusCode() == 200) {
            progress.answered();
            return Json.readObject(answer.body().getBytes(StandardCharsets.UTF_8));
          } else if (answer.statusCode() < 500) {
            throw new Refused(path + ": " + answer.body());
          } else if (answer.statusCode() == 500) {
            throw new IllegalStateException(path + " broke: " + answer.body());
          }
        }
      } catch (IOException e) {
        // Killed while it answered: whether it did what was asked is not known.
      }
      Thread.sleep(20);
    }
    throw new IllegalStateException(path + " was not answered in " + LONGEST);
  }

  /** Calls a hook, once: like GitHub, which does not mind whether somebody listens. */
  void hook(GitHubHook hook) throws InterruptedException {
    Optional<String> address = nodes.get(random.nextInt(nodes.size())).address();
    if (address.isEmpty()) {
      return;
    }
    try {
      var call = hook.call(address.get(), "push").timeout(PATIENCE).build();
      http.send(call, BodyHandlers.discarding());
    } catch (IOException e) {
      // Lost: whoever looks later finds what it would have told.
    }
  }

  private HttpRequest request(String address, String path, Map<String, Object> body) {
    return HttpRequest.newBuilder(URI.create(address + "/v1/" + path))
        .header("x-api-token", token)
        .header("content-type", "application/json")
        .timeout(PATIENCE)
        .POST(BodyPublishers.ofByteArray(Json.write(body)))
        .build();
  }
}
