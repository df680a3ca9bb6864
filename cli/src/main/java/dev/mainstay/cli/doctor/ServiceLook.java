package dev.mainstay.cli.doctor;

import dev.mainstay.server.Config;
import dev.mainstay.server.forge.Finding;
import dev.mainstay.server.platform.Json;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** The service on its port, if it runs on this machine. */
final class ServiceLook {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int LONGEST_ANSWER = 64 * 1024;

  private ServiceLook() {}

  static List<Finding> findings(Config config) {
    URI place = URI.create("http://%s:%d/readyz".formatted(host(config), config.port()));
    try (var client = HttpClient.newBuilder().connectTimeout(PATIENCE).build()) {
      var request = HttpRequest.newBuilder(place).timeout(PATIENCE).build();
      return List.of(read(place, client.send(request, BodyHandlers.ofInputStream())));
    } catch (ConnectException e) {
      return List.of(
          Finding.advice(
              "Nothing answers at %s: the service does not run on this machine, or has another port."
                  .formatted(place),
              "Start it by `mainstay serve`, or say which port it has: --port (MAINSTAY_PORT)."));
    } catch (IOException e) {
      return List.of(
          Finding.missing(
              "What has port %d gives no answer to %s (%s)."
                  .formatted(config.port(), place, e.getMessage()),
              "See what it is, and give one of the two another port."));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of();
    }
  }

  private static Finding read(URI place, HttpResponse<InputStream> answer) throws IOException {
    JsonNode body = body(answer);
    if (answer.statusCode() == 200 && body.path("status").asString("").equals("ready")) {
      return Finding.good("The service is ready (%s).".formatted(place));
    }
    String sentence = body.path("detail").asString("");
    return answer.statusCode() == 503 && !sentence.isEmpty()
        ? Finding.missing("The service is not ready: %s".formatted(sentence), "")
        : Finding.missing(
            "Something else than Mainstay answers at %s (%d)."
                .formatted(place, answer.statusCode()),
            "Give one of the two another port (--port).");
  }

  private static JsonNode body(HttpResponse<InputStream> answer) throws IOException {
    try (InputStream body = answer.body()) {
      return Json.read(body.readNBytes(LONGEST_ANSWER));
    } catch (Json.Malformed e) {
      return Json.object();
    }
  }

  private static String host(Config config) {
    return switch (config.host()) {
      case "0.0.0.0", "localhost" -> "127.0.0.1";
      case "::" -> "[::1]";
      case String other -> other.contains(":") ? "[" + other + "]" : other;
    };
  }
}
