package dev.mainstay.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** {@code mainstay serve} as a process of its own, so that it can be killed. */
final class ServedNode implements AutoCloseable {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private final Process process;
  private final BufferedReader out;
  private final List<String> lines = new ArrayList<>();

  ServedNode(Path data, Path log, Map<String, String> environment, String... options) {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of("serve", "--host", "127.0.0.1", "--port", "0", "--data-dir", "" + data));
    command.addAll(List.of(options));
    var builder = new ProcessBuilder(command).redirectError(Redirect.appendTo(log.toFile()));
    builder.environment().keySet().removeIf(name -> name.startsWith("MAINSTAY_"));
    builder.environment().putAll(environment);
    try {
      process = builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    out = process.inputReader();
  }

  /** Waits until it listens; false when it ended before. */
  boolean awaitListening() throws IOException {
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      lines.add(line);
      if (line.startsWith("Mainstay listens on ")) {
        return true;
      }
    }
    return false;
  }

  /** Reads up to the line with the first key. */
  void awaitKey() throws IOException {
    while (shownKey().isEmpty()) {
      lines.add(out.readLine());
    }
  }

  Optional<String> shownKey() {
    return lines.stream()
        .filter(line -> line.startsWith("The first key"))
        .map(line -> line.replaceAll(".* ", ""))
        .findFirst();
  }

  String url() {
    return lines.stream()
        .filter(line -> line.startsWith("Mainstay listens on "))
        .findFirst()
        .orElseThrow()
        .replace("Mainstay listens on ", "");
  }

  HttpResponse<String> get(String path, String token) throws IOException, InterruptedException {
    return CLIENT.send(
        HttpRequest.newBuilder(URI.create(url() + path)).header("x-api-token", token).build(),
        BodyHandlers.ofString());
  }

  CompletableFuture<HttpResponse<String>> post(String path, String token, String body) {
    return CLIENT.sendAsync(
        HttpRequest.newBuilder(URI.create(url() + path))
            .header("x-api-token", token)
            .header("content-type", "application/json")
            .POST(BodyPublishers.ofString(body))
            .build(),
        BodyHandlers.ofString());
  }

  /** kill -9. */
  void kill() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor();
  }

  /** SIGTERM. */
  int stop() throws InterruptedException {
    process.destroy();
    return process.waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
