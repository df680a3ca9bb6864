package dev.mainstay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.embedded.DataDirectory;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A served node of its own: commands that ask it, and what a kill leaves behind. */
class HealthCommandsTest {
  private static final String UPLOAD = "/v1/test-results?repo=github.com/acme/shop&commit=abc";
  private static final String REPORT =
      "<testsuite><testcase name='adds'><failure message='boom'/></testcase><testcase name='adds'/></testsuite>";

  private Path directory;
  private Path data;

  @BeforeEach
  void makeDirectory() throws IOException {
    directory = Files.createTempDirectory("mainstay-test");
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    data = Files.createDirectory(directory.resolve("data"));
  }

  @AfterEach
  void deleteDirectory() throws IOException {
    try (var files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }

  private ServedNode serve() throws IOException {
    var node = new ServedNode(data, directory.resolve("log"), Map.of());
    assertThat(node.awaitListening()).isTrue();
    return node;
  }

  /** As whatever watches over a service would: tries again while the killed database still ends. */
  private ServedNode serveAgain() throws IOException {
    for (int tries = 0; tries < 20; tries++) {
      var node = new ServedNode(data, directory.resolve("log"), Map.of());
      if (node.awaitListening()) {
        return node;
      }
      node.close();
    }
    throw new AssertionError(Files.readString(directory.resolve("log")));
  }

  @Test
  void a_team_looks_after_its_tests_from_the_command_line() throws Exception {
    try (var node = serve()) {
      String key = node.shownKey().orElseThrow();
      assertThat(node.post(UPLOAD, key, REPORT).join().statusCode()).isEqualTo(200);
      assertThat(
              ran(
                  node,
                  key,
                  0,
                  "repo",
                  "set",
                  "--quarantining",
                  "true",
                  "--stable-branches",
                  "trunk,rel/*"))
          .contains("quarantining", "true", "trunk,rel/*");
      assertThat(
              ran(
                  node,
                  key,
                  0,
                  "monitor",
                  "create",
                  "failure_count",
                  "--count",
                  "1",
                  "--name",
                  "any"))
          .contains("any", "count=1");
      assertThat(ran(node, key, 0, "monitor", "list")).contains("Pass on retry", "recovery_days=7");
      assertThat(ran(node, key, 0, "monitor", "preview", "failure_count", "--count", "1"))
          .contains("1 broken", "adds");
      String id =
          Json.readObject(
                  ran(node, key, 0, "tests", "list", "add", "--json")
                      .getBytes(StandardCharsets.UTF_8))
              .at("/tests/0/id")
              .asString();
      assertThat(ran(node, key, 0, "tests", "quarantine", id, "always", "--reason", "known"))
          .contains("ALWAYS_QUARANTINE");
      assertThat(ran(node, key, 0, "tests", "link", id, "KEY-7")).contains("/tickets/KEY-7");
      assertThat(ran(node, key, 0, "tests", "show", id))
          .contains("adds", "known", "boom", "probability", "Pass on retry");
      assertThat(ran(node, key, 1, "tests", "link", id, "seven")).contains("KEY-123");
      assertThat(ran(node, key, 1, "monitor", "create", "moon")).contains("kind:");
      assertThat(ran(node, "wrong", 1, "tests", "list")).contains("API key");
      node.stop();
    }
  }

  @Test
  void a_kill_in_the_middle_of_an_upload_leaves_nothing_and_the_repeat_counts_once()
      throws Exception {
    String key;
    try (var node = serve()) {
      key = node.shownKey().orElseThrow();
      try (var database = database()) {
        // The last thing an upload touches: everything else is written by then.
        database.useTransaction(
            handle -> {
              handle.execute("LOCK TABLE result_feed IN ACCESS EXCLUSIVE MODE");
              var upload = node.post(UPLOAD, key, REPORT);
              while (!waits(database)) {
                assertThat(upload).isNotDone();
              }
              kill(node);
            });
      } catch (RuntimeException e) {
        // The database went with the node.
        assertThat(e).isNotNull();
      }
    }
    try (var node = serveAgain();
        var database = database()) {
      for (String table : List.of("upload", "run", "failure", "test", "test_hour", "arrival")) {
        assertThat(rows(database, table)).as(table).isZero();
      }
      var first = Json.readObject(bytes(node.post(UPLOAD, key, REPORT).join().body()));
      var again = Json.readObject(bytes(node.post(UPLOAD, key, REPORT).join().body()));
      assertThat(first.path("duplicate").asBoolean()).isFalse();
      assertThat(again.path("duplicate").asBoolean()).isTrue();
      assertThat(rows(database, "run")).isEqualTo(2);
      assertThat(rows(database, "arrival")).isEqualTo(1);
      node.stop();
    }
  }

  private Database database() {
    return Database.connect(DataDirectory.at(data).runningDatabase().orElseThrow(), 2);
  }

  private static boolean waits(Database database) {
    return database.query(
        h ->
            h.select(
                    "SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND relation = 'result_feed'::regclass)")
                .mapTo(Boolean.class)
                .one());
  }

  private static void kill(ServedNode node) {
    try {
      node.kill();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static long rows(Database database, String table) {
    return database.query(h -> h.select("SELECT count(*) FROM " + table).mapTo(Long.class).one());
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Everything a command printed. */
  private String ran(ServedNode node, String key, int exitCode, String... args) throws Exception {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of(args));
    if (args.length > 1) {
      command.addAll(List.of("--repo", "github.com/acme/shop"));
    }
    var builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().clear();
    builder.environment().putAll(Map.of("MAINSTAY_URL", node.url(), "MAINSTAY_API_TOKEN", key));
    var process = builder.start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(out).isEqualTo(exitCode);
    return out;
  }
}
