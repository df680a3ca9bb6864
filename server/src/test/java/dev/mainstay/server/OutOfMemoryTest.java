package dev.mainstay.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.platform.LastWords;
import dev.mainstay.server.platform.Loop;
import dev.mainstay.server.platform.Together;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What clients send cannot use up the memory; who runs out of it all the same has ended. */
class OutOfMemoryTest {
  private static final int CLIENTS = 10;
  private static final int KEYS = 400_000;

  @Test
  void bodies_that_would_fill_the_memory_wait_or_are_told_to_come_back() throws Exception {
    // As on a machine on which all of them can be read at the same time.
    var cores = "-Djdk.virtualThreadScheduler.parallelism=" + CLIENTS;
    var program = List.of(NodeProcess.java(), "-Xmx256m", cores);
    try (var node = NodeProcess.start(program, Map.of());
        var client = HttpClient.newHttpClient()) {
      String body = manyKeys(KEYS);
      var answers = new ArrayList<CompletableFuture<HttpResponse<String>>>();
      for (int i = 0; i < CLIENTS; i++) {
        answers.add(client.sendAsync(post(node, body), BodyHandlers.ofString()));
      }
      for (var answer : answers) {
        assertThat(answer.join().statusCode()).isIn(200, 503);
        if (answer.join().statusCode() == 503) {
          assertThat(answer.join().headers().firstValue("retry-after")).contains("2");
        }
      }
      assertThat(client.send(post(node, body), BodyHandlers.ofString()).statusCode())
          .isEqualTo(200);
      assertThat(get(client, node, "/readyz").statusCode()).isEqualTo(200);
      assertThat(get(client, node, "/metrics").body())
          .contains("mainstay_loop_up{loop=\"health\"} 1\n")
          .contains("mainstay_loop_failures_total{loop=\"health\"} 0\n");
      assertThat(node.log()).doesNotContain("OutOfMemoryError");
    }
  }

  @Test
  void a_body_of_more_values_than_there_is_memory_for_is_413() throws Exception {
    var program = List.of(NodeProcess.java(), "-Xmx256m");
    try (var node = NodeProcess.start(program, Map.of());
        var client = HttpClient.newHttpClient()) {
      var answer = client.send(post(node, manyKeys(3 * KEYS)), BodyHandlers.ofString());
      assertThat(answer.statusCode()).isEqualTo(413);
      assertThat(answer.body()).contains("\"body_too_large\"").contains("several requests");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"loop", "thread", "together"})
  void a_process_that_runs_out_of_memory_ends(String where) throws Exception {
    var process =
        new ProcessBuilder(
                NodeProcess.java(),
                "-Xmx32m",
                "-cp",
                System.getProperty("java.class.path"),
                Hungry.class.getName(),
                where)
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(said).isEqualTo(LastWords.OUT_OF_MEMORY);
    assertThat(said).contains("mainstay: out of memory");
  }

  /** A process that asks for more memory than there is, and would then sit there for ever. */
  static final class Hungry {
    private Hungry() {}

    public static void main(String[] where) throws InterruptedException {
      LastWords.endProcess();
      switch (where[0]) {
        case "loop" -> new Loop("hungry", Duration.ofHours(1), self -> eat()).start();
        case "thread" -> Thread.ofVirtual().start(Hungry::eat);
        case "together" ->
            Thread.ofPlatform()
                .start(
                    () -> {
                      try {
                        new Together<String, Integer>(keys -> Map.of("a", eat())).find("a");
                      } catch (RuntimeException e) {
                        // As a worker has it that tries again.
                      }
                    });
        default -> throw new IllegalArgumentException(where[0]);
      }
      Thread.currentThread().join();
    }

    private static int eat() {
      return new long[1 << 28].length;
    }
  }

  private static String manyKeys(int keys) {
    var body = new StringBuilder("{\"x\":{");
    for (int i = 0; i < keys; i++) {
      body.append(i == 0 ? "" : ",").append('"').append(Integer.toString(i, 36)).append("\":0");
    }
    return body.append("}}").toString();
  }

  private static HttpRequest post(NodeProcess node, String body) {
    return HttpRequest.newBuilder(address(node, "/v1/keys/list"))
        .header("x-api-token", NodeProcess.TOKEN)
        .header("content-type", "application/json")
        .POST(BodyPublishers.ofString(body))
        .build();
  }

  private static HttpResponse<String> get(HttpClient client, NodeProcess node, String path)
      throws IOException, InterruptedException {
    return client.send(
        HttpRequest.newBuilder(address(node, path)).build(), BodyHandlers.ofString());
  }

  private static URI address(NodeProcess node, String path) {
    return URI.create("http://127.0.0.1:%d%s".formatted(node.port(), path));
  }
}
