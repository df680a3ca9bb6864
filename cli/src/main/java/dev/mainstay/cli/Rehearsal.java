package dev.mainstay.cli;

import com.sun.net.httpserver.HttpServer;
import dev.mainstay.cli.shell.Shell;
import dev.mainstay.server.Config;
import dev.mainstay.server.Config.Setting;
import dev.mainstay.server.Mainstay;
import dev.mainstay.server.platform.Logs;
import java.io.IOException;
import java.io.InputStream;
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
import java.util.Comparator;
import java.util.List;
import java.util.Map;

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

  private Rehearsal() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    if (List.of(args).equals(List.of("serve"))) {
      serve();
    } else {
      callAll();
    }
    System.exit(0);
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
    var nowhere = new PrintWriter(Writer.nullWriter());
    var shell =
        new Shell(
            Map.of(
                "MAINSTAY_URL",
                "http://127.0.0.1:" + server.getAddress().getPort(),
                "MAINSTAY_API_TOKEN",
                TOKEN),
            Path.of("/"),
            InputStream.nullInputStream(),
            nowhere,
            nowhere,
            false);
    COMMANDS.forEach(command -> Main.run(shell, command.split(" ", -1)));
    server.stop(0);
  }

  /** A first start on a database of its own, a later one, and the first requests. */
  private static void serve() throws IOException, InterruptedException {
    Logs.configure(Logs.Format.TEXT, "ERROR");
    Path directory = Files.createTempDirectory("mainstay-rehearsal-");
    // As root the database runs as somebody else, who must get there.
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    try {
      for (int start = 0; start < 2; start++) {
        try (var node = Mainstay.start(config(directory), made -> {}, () -> {})) {
          ask(node.port());
        }
      }
    } finally {
      delete(directory);
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
