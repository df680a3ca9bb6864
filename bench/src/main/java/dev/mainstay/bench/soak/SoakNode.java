package dev.mainstay.bench.soak;

import dev.mainstay.bench.ServerProcess;
import dev.mainstay.bench.crash.Workplace;
import dev.mainstay.cli.Main;
import dev.mainstay.server.embedded.DataDirectory;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.Json;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** The node under load, with the PostgreSQL that it brings, and a client for it. */
final class SoakNode implements AutoCloseable {
  static final String TOKEN = "mst_soak-run-soak-run-soak-run-soak-run";

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final Path directory;
  private final ServerProcess process;

  SoakNode(List<String> jvmOptions, Map<String, String> options) throws IOException {
    directory = Workplace.create();
    var arguments = new ArrayList<>(List.of("serve", "--host", "127.0.0.1", "--port", "0"));
    arguments.addAll(List.of("--data-dir", data().toString(), "--git-roots", directory.toString()));
    options.forEach((name, value) -> arguments.addAll(List.of(name, value)));
    process =
        new ServerProcess(
            jvmOptions,
            Map.of("MAINSTAY_TOKEN", TOKEN),
            Redirect.to(log().toFile()),
            Main.class,
            arguments);
  }

  Path directory() {
    return directory;
  }

  Path log() {
    return directory.resolve("log");
  }

  private Path data() {
    return directory.resolve("data");
  }

  ServerProcess process() {
    return process;
  }

  Database.Address database() {
    return DataDirectory.at(data()).runningDatabase().orElseThrow();
  }

  JsonNode post(String operation, Map<String, Object> body)
      throws IOException, InterruptedException {
    return send(
        request("/v1/" + operation)
            .header("content-type", "application/json")
            .POST(BodyPublishers.ofByteArray(Json.write(body))));
  }

  /** A request with the key. */
  HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(address() + path)).header("x-api-token", TOKEN);
  }

  JsonNode send(HttpRequest.Builder request) throws IOException, InterruptedException {
    return Json.readObject(answer(request).body());
  }

  HttpResponse<byte[]> answer(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    var built = request.build();
    var answer = http.send(built, BodyHandlers.ofByteArray());
    if (answer.statusCode() >= 400) {
      throw new IOException(
          "%s %d %s"
              .formatted(
                  built.uri().getPath(),
                  answer.statusCode(),
                  new String(answer.body(), StandardCharsets.UTF_8)));
    }
    return answer;
  }

  String address() {
    return "http://127.0.0.1:" + process.port();
  }

  static String name(int repository) {
    return "r" + repository;
  }

  static Map<String, Object> repo(int repository) {
    return Map.of("host", "soak.local", "owner", "acme", "name", name(repository));
  }

  /** The fields that name a queue, and some more. */
  static Map<String, Object> queue(int repository, Object... fields) {
    var body = new LinkedHashMap<String, Object>();
    body.put("repo", repo(repository));
    body.put("targetBranch", "main");
    for (int i = 0; i < fields.length; i += 2) {
      body.put((String) fields[i], fields[i + 1]);
    }
    return body;
  }

  /** Lines of the log that no day should have. */
  List<String> errors() throws IOException {
    try (var lines = Files.lines(log())) {
      return lines.filter(line -> line.contains(" ERROR ")).distinct().limit(20).toList();
    }
  }

  @Override
  public void close() throws IOException {
    process.close();
    Workplace.delete(directory);
  }
}
