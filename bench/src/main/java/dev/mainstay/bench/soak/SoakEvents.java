package dev.mainstay.bench.soak;

import com.sun.net.httpserver.HttpServer;
import dev.mainstay.bench.Waiting;
import dev.mainstay.server.platform.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;

/** An endpoint that is told of all pull requests and queues. */
final class SoakEvents implements AutoCloseable {
  private final Tally tally;
  private final HttpServer server;
  private final Set<String> merged = ConcurrentHashMap.newKeySet();

  SoakEvents(Tally tally) throws IOException {
    this.tally = tally;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext(
        "/",
        exchange -> {
          try (exchange) {
            var event = Json.readObject(exchange.getRequestBody().readAllBytes());
            if (event.path("type").asString().equals("pull_request.merged")) {
              merged.add(exchange.getRequestHeaders().getFirst("webhook-id"));
            }
            exchange.sendResponseHeaders(204, -1);
            tally.happened("events");
          }
        });
    server.start();
  }

  void subscribe(SoakNode node) throws IOException, InterruptedException {
    String url = "http://127.0.0.1:%d/events".formatted(server.getAddress().getPort());
    node.post("webhooks/create", Map.of("url", url, "kinds", List.of("pull_request.*", "queue.*")));
  }

  void awaitAll(int landed, Duration longest) throws InterruptedException {
    if (!Waiting.until(() -> merged.size() >= landed, longest)) {
      tally.fault("%d of %d landings were told".formatted(merged.size(), landed));
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
