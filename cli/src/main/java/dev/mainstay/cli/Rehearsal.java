package dev.mainstay.cli;

import com.sun.net.httpserver.HttpServer;
import dev.mainstay.cli.shell.Shell;
import dev.mainstay.server.Config;
import dev.mainstay.server.Config.Setting;
import dev.mainstay.server.Mainstay;
import dev.mainstay.server.platform.Logs;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Does what people do most, with nobody watching, so that the Java machine can keep what it had to
 * load and link for it: {@code build/rehearse} makes the cache of a start from it. A program of its
 * own, {@code commands} or {@code serve}; docs/adr/0049.
 */
final class Rehearsal {
  private static final String TOKEN = "mst_" + "r".repeat(40);
  private static final byte[] ANSWER =
      """
      {"branch": "main", "state": "RUNNING", "mode": "PARALLEL", "concurrency": 4, "requiredStatuses": null,
       "enqueuedPullRequests": [{"prNumber": 7, "state": "TESTING", "position": 1, "priorityName": "medium",
         "prTitle": "Add carts", "prAuthor": "ann", "waitsFor": [6], "reason": {"message": "is tested"}}],
       "queues": [], "pullRequests": [], "tests": [{"id": "1", "name": "adds", "status": "flaky"}],
       "organization": "default", "keyId": "1", "scopes": ["read"], "prNumber": 7}
      """
          .getBytes(StandardCharsets.UTF_8);

  private static final List<String> COMMANDS =
      List.of(
          "version",
          "whoami",
          "queue show --repo git.example/acme/shop",
          "queue list --json",
          "pr submit 7 --repo git.example/acme/shop --priority high",
          "pr list --repo git.example/acme/shop",
          "tests list --repo git.example/acme/shop carts",
          "queue sho");

  private static final Duration LONGEST_STOP = Duration.ofSeconds(10);

  private Rehearsal() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    if (List.of(args).equals(List.of("serve"))) {
      serve();
    } else {
      callAll();
    }
    System.exit(0);
  }

  private static Shell shell(Map<String, String> environment, PrintWriter out) {
    // Looking for a terminal loads a good deal.
    Shell own = Shell.ofProcess();
    var nowhere = new PrintWriter(Writer.nullWriter());
    return new Shell(environment, Path.of("/"), own.in(), out, nowhere, own.isTerminal());
  }

  /** Commands that ask a server, which answers all of them alike. */
  private static void callAll() throws IOException {
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          exchange.getRequestBody().readAllBytes();
          exchange.sendResponseHeaders(200, ANSWER.length);
          exchange.getResponseBody().write(ANSWER);
          exchange.close();
        });
    server.start();
    var shell =
        shell(
            Map.of(
                "MAINSTAY_URL",
                "http://127.0.0.1:" + server.getAddress().getPort(),
                "MAINSTAY_API_TOKEN",
                TOKEN),
            new PrintWriter(Writer.nullWriter()));
    COMMANDS.forEach(command -> Main.run(shell, command.split(" ", -1)));
    server.stop(0);
  }

  /**
   * A first start on a database of its own, a later one as the launcher calls it, and the first
   * requests. What was called stops with this process, and leaves nothing behind.
   */
  private static void serve() throws IOException, InterruptedException {
    Logs.configure(Logs.Format.TEXT, "ERROR");
    Path directory = Files.createTempDirectory("mainstay-rehearsal-");
    // As root the database runs as somebody else, who must get there.
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    try (var node = Mainstay.start(config(directory), made -> {}, () -> {})) {
      ask(node.port());
    } catch (RuntimeException | IOException e) {
      delete(directory);
      throw e;
    }
    var lines = new PipedReader();
    var shell = shell(Map.of("MAINSTAY_TOKEN", TOKEN), new PrintWriter(new PipedWriter(lines)));
    var stopped = new CountDownLatch(1);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> leave(stopped, directory)));
    Thread.ofPlatform().daemon().start(() -> call(shell, directory, stopped));
    ask(port(new BufferedReader(lines)));
  }

  private static int port(BufferedReader lines) throws IOException {
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.contains("listens on")) {
        return Integer.parseInt(line.substring(line.lastIndexOf(':') + 1));
      }
    }
    throw new IOException("it does not listen");
  }

  private static void call(Shell shell, Path directory, CountDownLatch stopped) {
    try {
      String command = "serve --host 127.0.0.1 --port 0 --shutdown-grace 1 --data-dir";
      Main.run(shell, (command + " " + directory.resolve("data")).split(" ", -1));
    } finally {
      stopped.countDown();
    }
  }

  private static void leave(CountDownLatch stopped, Path directory) {
    try {
      if (stopped.await(LONGEST_STOP.toSeconds(), TimeUnit.SECONDS)) {
        delete(directory);
      }
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException("left behind: " + directory, e);
    }
  }

  private static Config config(Path directory) {
    return Config.read(
        Map.of(
            Setting.DATA_DIR, directory.resolve("data").toString(),
            Setting.HOST, "127.0.0.1",
            Setting.PORT, "0",
            Setting.SHUTDOWN_GRACE, "1"),
        Map.of("MAINSTAY_TOKEN", TOKEN));
  }

  private static void ask(int port) throws IOException, InterruptedException {
    try (var client = HttpClient.newHttpClient()) {
      for (String path : List.of("/healthz", "/readyz", "/v1/whoami", "/metrics", "/sign-in")) {
        client.send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .header("x-api-token", TOKEN)
                .build(),
            BodyHandlers.discarding());
      }
    }
  }

  private static void delete(Path directory) throws IOException {
    try (var files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
