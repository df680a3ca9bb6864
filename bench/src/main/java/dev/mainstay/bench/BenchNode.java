package dev.mainstay.bench;

import dev.mainstay.cli.Main;
import dev.mainstay.server.access.Access;
import dev.mainstay.server.embedded.DataDirectory;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.Json;
import dev.mainstay.server.platform.http.Scope;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** The whole service in a process of its own, in a temporary directory, with a client for it. */
final class BenchNode implements AutoCloseable {
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final Path directory;
  private final ServerProcess process;
  private final String token;

  /** With more options of {@code mainstay serve}. */
  BenchNode(String... more) throws IOException {
    this(Optional.empty(), List.of(more));
  }

  /** On a database that may have keys already, one of which is this. */
  BenchNode(Optional<String> key, List<String> more) throws IOException {
    directory = Files.createTempDirectory("mainstay-bench");
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    var options =
        new ArrayList<>(
            List.of(
                "serve",
                "--host",
                "127.0.0.1",
                "--port",
                "0",
                "--git-roots",
                directory.toString(),
                "--data-dir",
                directory.resolve("data").toString()));
    options.addAll(more);
    process = new ServerProcess(List.of("-Xmx2g"), Main.class, options.toArray(String[]::new));
    token = key.orElseGet(() -> process.lines().getLast().replaceAll(".* ", ""));
  }

  Path directory() {
    return directory;
  }

  Path data() {
    return directory.resolve("data");
  }

  ServerProcess process() {
    return process;
  }

  /** The first key. */
  String key() {
    return token;
  }

  JsonNode post(String path, Map<String, Object> body) throws IOException, InterruptedException {
    return post(token, path, body);
  }

  /** The same by another key. */
  JsonNode post(String key, String path, Map<String, Object> body)
      throws IOException, InterruptedException {
    return sent(key, path, "application/json", Json.write(body));
  }

  /** Sends a report; {@code query} says what it is of. */
  JsonNode upload(String query, String report) throws IOException, InterruptedException {
    byte[] bytes = report.getBytes(StandardCharsets.UTF_8);
    return sent(token, "test-results?" + query, "application/xml", bytes);
  }

  private JsonNode sent(String key, String path, String type, byte[] body)
      throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(URI.create(address() + "/v1/" + path))
            .header("x-api-token", key)
            .header("content-type", type)
            .POST(BodyPublishers.ofByteArray(body))
            .build();
    var answer = HTTP.send(request, BodyHandlers.ofByteArray());
    if (answer.statusCode() != 200) {
      throw new IOException(path + ": " + new String(answer.body(), StandardCharsets.UTF_8));
    }
    return Json.readObject(answer.body());
  }

  /** Calls a hook of this node, as GitHub does. */
  void hook(GitHubHook hook, String event) throws IOException, InterruptedException {
    var answer = HTTP.send(hook.call(address(), event).build(), BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      throw new IOException("hook: " + answer.body());
    }
  }

  /** Signs in with the first key, as the form does; gives the cookie. */
  String cookie() throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(URI.create(address() + "/sign-in"))
            .header("sec-fetch-site", "same-origin")
            .header("content-type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString("key=" + token + "&to=/"))
            .build();
    var answer = HTTP.send(request, BodyHandlers.discarding());
    return answer
        .headers()
        .firstValue("set-cookie")
        .orElseThrow(() -> new IOException("sign-in: " + answer.statusCode()))
        .replaceAll(";.*", "");
  }

  /** A call that does nothing. */
  void health() throws IOException, InterruptedException {
    var request = HttpRequest.newBuilder(URI.create(address() + "/healthz")).build();
    HTTP.send(request, BodyHandlers.discarding());
  }

  private String address() {
    return "http://127.0.0.1:" + process.port();
  }

  /** The same request as {@link #post} sends, for {@link Load}. */
  String request(String path, Map<String, Object> body) {
    return request(token, path, body);
  }

  /** The same by another key. */
  String request(String key, String path, Map<String, Object> body) {
    String json = new String(Json.write(body), StandardCharsets.UTF_8);
    return "POST /v1/%s HTTP/1.1\r\nHost: localhost\r\nx-api-token: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
        .formatted(path, key, json.length(), json);
  }

  /** A new key with all rights of a new organization. */
  String keyOf(String slug) {
    Database.Address address = DataDirectory.at(data()).runningDatabase().orElseThrow();
    try (var database = Database.connect(address, 2)) {
      var access = new Access(database, Clock.systemUTC());
      var owner = access.createOrganization(slug, slug).orElseThrow();
      var made =
          access.createKey(owner.id(), slug, "bench", Set.of(Scope.values()), Optional.empty());
      return ((Access.Outcome.Made) made).made().token().text();
    }
  }

  /** The fields that name a queue, and some more. */
  static Map<String, Object> queue(String repo, Object... fields) {
    var body = new LinkedHashMap<String, Object>();
    body.put("repo", repo(repo));
    body.put("targetBranch", "main");
    for (int i = 0; i < fields.length; i += 2) {
      body.put((String) fields[i], fields[i + 1]);
    }
    return body;
  }

  static Map<String, Object> repo(String name) {
    return Map.of("host", "bench.local", "owner", "acme", "name", name);
  }

  @Override
  public void close() {
    process.close();
    try (var files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      System.err.println("left behind: " + directory);
    }
  }
}
