package dev.mainstay.server.node;

import dev.mainstay.server.NodeProcess;
import dev.mainstay.server.platform.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/**
 * Patient clients of a service: what was not answered, or with an error that may pass, they send
 * again. They remember what they were told meanwhile: answers of a node, which has a request id for
 * each, and those of whoever stands between.
 */
final class Clients {
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private static final long PAUSE_NANOS = 100_000_000;

  private final int port;
  private final Predicate<HttpResponse<?>> mayPass;
  final List<String> faults = new CopyOnWriteArrayList<>();
  final List<String> lost = new CopyOnWriteArrayList<>();
  final List<String> passing = new CopyOnWriteArrayList<>();

  /** A node may only answer what is good, or what {@code mayPass}. */
  Clients(int port, Predicate<HttpResponse<?>> mayPass) {
    this.port = port;
    this.mayPass = mayPass;
  }

  JsonNode ok(String operation, Map<String, ?> body) {
    return json(
        request("/v1/" + operation)
            .header("x-api-token", NodeProcess.TOKEN)
            .header("content-type", "application/json")
            .POST(BodyPublishers.ofByteArray(Json.write(body))));
  }

  JsonNode upload(String query, String report) {
    return json(
        request("/v1/test-results?" + query)
            .header("x-api-token", NodeProcess.TOKEN)
            .header("content-type", "application/xml")
            .POST(BodyPublishers.ofString(report)));
  }

  HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
  }

  private JsonNode json(HttpRequest.Builder builder) {
    return Json.readObject(send(builder).body().getBytes(StandardCharsets.UTF_8));
  }

  /** Remembers an answer that is not good; throws where no node may give such a one. */
  void note(String path, HttpResponse<?> answer) {
    String words = path + " " + answer.statusCode() + " " + answer.body();
    if (answer.headers().firstValue("x-request-id").isEmpty()) {
      lost.add(words);
    } else if (mayPass.test(answer)) {
      passing.add(words);
      LockSupport.parkNanos(PAUSE_NANOS);
    } else {
      faults.add(words);
      throw new AssertionError(words);
    }
  }

  /** How a path is answered now. */
  int status(String path) throws IOException, InterruptedException {
    return CLIENT.send(request(path).build(), BodyHandlers.discarding()).statusCode();
  }

  /** The first answer that is none of those to be asked for again. */
  HttpResponse<String> send(HttpRequest.Builder builder) {
    HttpRequest request = builder.build();
    while (true) {
      try {
        HttpResponse<String> answer = CLIENT.send(request, BodyHandlers.ofString());
        if (answer.statusCode() < 400) {
          return answer;
        }
        note(request.uri().getPath(), answer);
      } catch (IOException e) {
        lost.add(request.uri().getPath() + " " + e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(e);
      }
    }
  }
}
