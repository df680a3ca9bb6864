package dev.mainstay.cli;

import dev.mainstay.server.platform.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ObjectNode;

/** Asks a Mainstay server; what it refuses becomes a {@link Refusal} with all it says. */
final class ApiClient {
  private static final int LONGEST_LINE = 300;

  private final HttpClient http =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();
  private final String server;
  private final String token;

  ApiClient(URI server, String token) {
    this.server = server.toString().replaceFirst("/+$", "");
    this.token = token;
  }

  /** The server did not answer, or could not for the moment. */
  static final class Unreachable extends Exception {
    Unreachable(String why) {
      super(why);
    }
  }

  ObjectNode post(String operation, ObjectNode body) {
    try {
      return tryPost(operation, body);
    } catch (Unreachable e) {
      throw new Refusal("The server %s does not answer: %s".formatted(server, e.getMessage()));
    }
  }

  ObjectNode tryPost(String operation, ObjectNode body) throws Unreachable {
    var request =
        HttpRequest.newBuilder(URI.create(server + "/v1/" + operation))
            .header("x-api-token", token)
            .header("content-type", "application/json")
            .timeout(Duration.ofMinutes(2))
            .POST(BodyPublishers.ofByteArray(Json.write(body)))
            .build();
    HttpResponse<byte[]> answer = send(request);
    if (answer.statusCode() == 200) {
      return Json.readObject(answer.body());
    }
    if (answer.statusCode() >= 500) {
      throw new Unreachable(trouble(answer));
    }
    throw new Refusal(trouble(answer));
  }

  private HttpResponse<byte[]> send(HttpRequest request) throws Unreachable {
    try {
      return http.send(request, BodyHandlers.ofByteArray());
    } catch (IOException e) {
      throw new Unreachable(e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Unreachable("interrupted");
    }
  }

  /** What a problem document says, with a line for each fault. */
  private static String trouble(HttpResponse<byte[]> answer) {
    try {
      var problem = Json.readObject(answer.body());
      String faults =
          problem.path("errors").values().stream()
              .map(e -> line(e.path("field").asString("") + ": " + e.path("message").asString("")))
              .map(line -> "%n  %s".formatted(line))
              .collect(Collectors.joining());
      boolean several = problem.path("errors").size() > 1;
      String detail = line(problem.path("detail").asString("no detail"));
      return several ? "The server found these faults:" + faults : detail;
    } catch (RuntimeException e) {
      String text = new String(answer.body(), StandardCharsets.UTF_8);
      return "%d %s".formatted(answer.statusCode(), line(text.lines().findFirst().orElse("")));
    }
  }

  private static String line(String text) {
    String harmless = Table.harmless(text);
    return harmless.length() > LONGEST_LINE ? harmless.substring(0, LONGEST_LINE) : harmless;
  }
}
