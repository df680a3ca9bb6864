package dev.mainstay.server.forge.gitea;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Calls of a real Gitea's API by people in a test, with nothing of ours between. */
record GiteaCalls(String address, String token) {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final JsonMapper JSON = JsonMapper.builder().build();

  record Answer(int status, JsonNode json) {}

  JsonNode get(String path) {
    return expected("GET", path, Map.of());
  }

  JsonNode post(String path, Map<String, ?> body) {
    return expected("POST", path, body);
  }

  JsonNode patch(String path, Map<String, ?> body) {
    return expected("PATCH", path, body);
  }

  void delete(String path) {
    expected("DELETE", path, Map.of());
  }

  private JsonNode expected(String method, String path, Map<String, ?> body) {
    Answer answer = call(method, path, body);
    if (answer.status() >= 300) {
      throw new AssertionError(method + " " + path + " " + body + ": " + answer);
    }
    return answer.json();
  }

  boolean answers(String path) {
    try {
      return call("GET", path, Map.of()).status() == 200;
    } catch (AssertionError e) {
      return false;
    }
  }

  Answer call(String method, String path, Map<String, ?> body) {
    var request =
        HttpRequest.newBuilder(URI.create(address + "/api/v1/" + path))
            .header("Authorization", "token " + token)
            .header("Content-Type", "application/json");
    boolean bare = method.equals("GET") || method.equals("DELETE");
    request.method(
        method,
        bare ? BodyPublishers.noBody() : BodyPublishers.ofString(JSON.writeValueAsString(body)));
    try {
      HttpResponse<String> answer = CLIENT.send(request.build(), BodyHandlers.ofString());
      String text = answer.body();
      return new Answer(answer.statusCode(), JSON.readTree(text.isBlank() ? "null" : text));
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** The address for git, with who pushes in it. */
  String git(String owner, String repository) {
    return address.replace("://", "://x-access-token:" + token + "@")
        + "/"
        + owner
        + "/"
        + repository
        + ".git";
  }
}
