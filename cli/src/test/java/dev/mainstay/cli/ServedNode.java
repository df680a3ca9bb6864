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
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/** {@code mainstay serve} as a process of its own, so that it can be killed. */
public final class ServedNode implements AutoCloseable {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private static final int LONGEST_STOP_SECONDS = 120;

  private final Process process;
  private final BufferedReader out;
  private final List<String> lines = new ArrayList<>();

  public ServedNode(Path data, Path log, Map<String, String> environment, String... options) {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of("serve", "--host", "127.0.0.1", "--port", "0", "--data-dir", "" + data));
    command.addAll(List.of(options));
    var builder = new ProcessBuilder(command).redirectError(Redirect.appendTo(log.toFile()));
    builder.environment().keySet().removeIf(name -> name.startsWith("MAINSTAY_"));
    builder.environment().put("MAINSTAY_GIT_ROOTS", System.getProperty("java.io.tmpdir"));
    builder.environment().putAll(environment);
    try {
      process = builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    out = process.inputReader();
  }

  /** Waits until it listens; false when it ended before. */
  public boolean awaitListening() {
    return awaitLine("Mainstay listens on ");
  }

  /** Waits for the line with the first key. */
  public boolean awaitKey() {
    return awaitLine("The first key");
  }

  private boolean awaitLine(String start) {
    try {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        lines.add(line);
        if (line.startsWith(start)) {
          return true;
        }
      }
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public Optional<String> shownKey() {
    return lines.stream()
        .filter(line -> line.startsWith("The first key"))
        .map(line -> line.replaceAll(".* ", ""))
        .findFirst();
  }

  public String url() {
    return lines.stream()
        .filter(line -> line.startsWith("Mainstay listens on "))
        .findFirst()
        .orElseThrow()
        .replace("Mainstay listens on ", "");
  }

  public HttpResponse<String> get(String path, String token)
      throws IOException, InterruptedException {
    return CLIENT.send(
        HttpRequest.newBuilder(URI.create(url() + path)).header("x-api-token", token).build(),
        BodyHandlers.ofString());
  }

  public CompletableFuture<HttpResponse<String>> post(String path, String token, String body) {
    return CLIENT.sendAsync(
        HttpRequest.newBuilder(URI.create(url() + path))
            .header("x-api-token", token)
            .header("content-type", "application/json")
            .POST(BodyPublishers.ofString(body))
            .build(),
        BodyHandlers.ofString());
  }

  /** kill -9. */
  public void kill() {
    process.destroyForcibly().onExit().join();
  }

  /** SIGTERM; gives the exit code. */
  public int stop() {
    process.destroy();
    return process.onExit().join().exitValue();
  }

  /** Stops it, if need be by force, so that nobody writes to its directory any more. */
  @Override
  public void close() {
    process.destroy();
    try {
      process.onExit().orTimeout(LONGEST_STOP_SECONDS, TimeUnit.SECONDS).join();
    } catch (CompletionException e) {
      kill();
    }
  }
}
