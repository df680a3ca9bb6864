package dev.mainstay.cli.demo;

import dev.mainstay.server.platform.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import tools.jackson.databind.JsonNode;

/** Calls the service as any client would. */
final class DemoClient {
  private final HttpClient http = HttpClient.newHttpClient();
  private final String server;
  private final String token;

  DemoClient(String server, String token) {
    this.server = server;
    this.token = token;
  }

  String server() {
    return server;
  }

  String token() {
    return token;
  }

  JsonNode post(String path, Object body) {
    return send(path, "application/json", Json.write(body));
  }

  void upload(String query, byte[] report) {
    send("test-results?" + query, "application/xml", report);
  }

  private JsonNode send(String path, String type, byte[] body) {
    var request =
        HttpRequest.newBuilder(URI.create(server + "/v1/" + path))
            .header("x-api-token", token)
            .header("content-type", type)
            .POST(BodyPublishers.ofByteArray(body))
            .build();
    try {
      var answer = http.send(request, BodyHandlers.ofByteArray());
      if (answer.statusCode() != 200) {
        throw new IllegalStateException(
            path + " was refused: " + new String(answer.body(), StandardCharsets.UTF_8));
      }
      return Json.readObject(answer.body());
    } catch (IOException e) {
      throw new IllegalStateException(path + " was not answered", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(path + " was interrupted", e);
    }
  }
}
