package dev.mainstay.bench.attack;

import dev.mainstay.bench.ServerProcess;
import dev.mainstay.cli.Main;
import dev.mainstay.server.platform.Json;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/** A node with 1 GiB of memory, called as clients call it. It can be killed and started again. */
final class Victim implements AutoCloseable {
  static final String TOKEN = "mst_attack-attack-attack-attack-attack";
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final Duration LONGEST_END = Duration.ofSeconds(30);
  private static final String BOUNDARY = "attack-attack-attack";

  /** The status and the text of an answer. */
  record Answer(int status, String text) {
    JsonNode json() {
      return Json.readObject(text.getBytes(StandardCharsets.UTF_8));
    }
  }

  private final HttpClient http = HttpClient.newBuilder().connectTimeout(PATIENCE).build();
  private final Path directory;
  private final Path data;
  private final Map<String, String> environment = new HashMap<>();
  private final List<String> options;
  private ServerProcess process;

  Victim(Path directory, Path data, Map<String, String> environment, List<String> options)
      throws IOException {
    this.directory = directory;
    this.data = data;
    this.environment.put("MAINSTAY_TOKEN", TOKEN);
    this.environment.put("MAINSTAY_GIT_ROOTS", directory.toString());
    this.environment.putAll(environment);
    this.options = options;
    this.process = started();
  }

  private ServerProcess started() throws IOException {
    var args = new ArrayList<>(List.of("serve", "--host", "127.0.0.1", "--port", "0"));
    args.addAll(List.of("--data-dir", data.toString()));
    args.addAll(options);
    return new ServerProcess(
        List.of("-Xmx1g"),
        environment,
        Redirect.appendTo(directory.resolve("log").toFile()),
        Main.class,
        args);
  }

  Path data() {
    return data;
  }

  int port() {
    return process.port();
  }

  long pid() {
    return process.process().pid();
  }

  long residentMebibytes() throws IOException {
    return process.residentMebibytes();
  }

  boolean isAlive() {
    return process.process().isAlive();
  }

  void kill() {
    process.process().destroyForcibly().onExit().join();
  }

  void startAgain() throws IOException {
    process = started();
  }

  /** Sends SIGTERM; whether it ended within that time. */
  boolean ends(Duration within) throws InterruptedException {
    process.process().destroy();
    return process.process().waitFor(within.toMillis(), TimeUnit.MILLISECONDS);
  }

  Answer get(String path) throws IOException, InterruptedException {
    return sent(request(path).GET().build());
  }

  Answer post(String path, Map<String, Object> body) throws IOException, InterruptedException {
    return post(path, Json.write(body));
  }

  Answer post(String path, byte[] json) throws IOException, InterruptedException {
    return sent(
        request("/v1/" + path)
            .header("content-type", "application/json")
            .POST(BodyPublishers.ofByteArray(json))
            .build());
  }

  /** Posts what must be answered 200. */
  JsonNode done(String path, Map<String, Object> body) throws IOException, InterruptedException {
    Answer answer = post(path, body);
    if (answer.status() != 200) {
      throw new IOException(path + ": " + answer.text());
    }
    return answer.json();
  }

  /** Uploads these files, by their names, as results of a commit. */
  Answer upload(String repo, String commit, Map<String, String> files)
      throws IOException, InterruptedException {
    var body = new StringBuilder();
    files.forEach(
        (name, text) ->
            body.append("--%s\r\n".formatted(BOUNDARY))
                .append("Content-Disposition: form-data; name=\"reports\"; ")
                .append("filename=\"%s\"\r\n\r\n%s\r\n".formatted(name, text)));
    body.append("--%s--\r\n".formatted(BOUNDARY));
    String query = "?repo=attack.local/acme/%s&branch=main&commit=%s".formatted(repo, commit);
    return sent(
        request("/v1/test-results" + query)
            .header("content-type", "multipart/form-data; boundary=" + BOUNDARY)
            .POST(BodyPublishers.ofString(body.toString()))
            .build());
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
        .timeout(PATIENCE)
        .header("x-api-token", TOKEN);
  }

  private Answer sent(HttpRequest request) throws IOException, InterruptedException {
    var answer = http.send(request, BodyHandlers.ofString(StandardCharsets.UTF_8));
    return new Answer(answer.statusCode(), answer.body());
  }

  @Override
  public void close() {
    try {
      if (!ends(LONGEST_END)) {
        kill();
      }
    } catch (InterruptedException e) {
      kill();
      Thread.currentThread().interrupt();
    }
    http.shutdownNow();
  }
}
