package dev.mainstay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ServeTest {
  private Path directory;
  private Path data;
  private Path log;

  /** Open to everybody: as root, PostgreSQL runs as somebody else. */
  @BeforeEach
  void makeDirectory() throws IOException {
    directory = Files.createTempDirectory("mainstay-test");
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    data = Files.createDirectory(directory.resolve("data"));
    log = directory.resolve("log");
  }

  @AfterEach
  void deleteDirectory() throws IOException {
    try (var files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }

  @Test
  void a_key_made_before_a_kill_works_after_it_and_commands_see_the_same_data() throws Exception {
    String key;
    try (var node = serve()) {
      assertThat(node.awaitListening()).isTrue();
      key = node.shownKey().orElseThrow();
      String made = command("keys", "create", "--name", "ci", "--scopes", "read,upload").out();
      assertThat(node.get("/v1/whoami", made.strip()).body()).contains("\"read\",\"upload\"");
      assertThat(command("org", "create", "acme").exitCode()).isZero();
      assertThat(command("org", "create", "acme").err()).contains("already");
      assertThat(MainTest.run("serve", "--port", "0", "--data-dir", data.toString()).err())
          .contains("in use by another Mainstay")
          .contains("--data-dir");
      node.kill();
    }
    assertThat(command("org", "list").out()).contains("acme").contains("default");
    assertThat(command("org", "set", "acme", "--name", "Acme Inc.").exitCode()).isZero();
    assertThat(command("org", "list").out()).contains("Acme Inc.");
    assertThat(command("org", "set", "nobody", "--name", "x").err()).contains("no organization");
    try (var node = serve("--log-format", "json")) {
      assertThat(node.awaitListening()).isTrue();
      assertThat(node.shownKey()).isEmpty();
      assertThat(node.get("/v1/whoami", key).statusCode()).isEqualTo(200);
      String id = node.get("/v1/whoami", key).body().replaceAll(".*\"keyId\":\"([^\"]*)\".*", "$1");
      var answer = node.get("/v1/nothing", key);
      String requestId = answer.headers().firstValue("x-request-id").orElseThrow();
      assertThat(command("keys", "list").out()).contains(id);
      assertThat(command("keys", "revoke", id).exitCode()).isZero();
      while (node.get("/v1/whoami", key).statusCode() != 401) {
        assertThat(Files.readString(log)).isNotEmpty();
      }
      node.stop();
      assertThat(Files.readString(log))
          .contains("\"requestId\":\"" + requestId + "\"")
          .doesNotContain(key);
    }
    assertThat(data.resolve("database/postmaster.pid")).doesNotExist();
  }

  @Test
  void a_kill_at_any_moment_of_the_very_first_start_does_no_harm() throws Exception {
    for (String moment : List.of("postgres.new", "database-password", "database.new", "database")) {
      try (var watch = directory.getFileSystem().newWatchService();
          var node = serve()) {
        data.register(watch, StandardWatchEventKinds.ENTRY_CREATE);
        while (!Files.exists(data.resolve(moment))) {
          watch.take().reset();
        }
        node.kill();
      } catch (ClosedWatchServiceException e) {
        throw new IllegalStateException(e);
      }
    }
    try (var node = serve()) {
      node.awaitKey();
      node.kill();
    }
    try (var node = serve()) {
      assertThat(node.awaitListening()).isTrue();
      String all = command("keys", "list").out();
      assertThat(all.lines()).hasSize(2);
      node.stop();
    }
  }

  @Test
  void an_unattended_first_start_shows_no_key() throws Exception {
    String token = "a-token-chosen-by-the-operator-0123456789";
    var environment = Map.of("MAINSTAY_ORG", "acme", "MAINSTAY_TOKEN", token);
    try (var node = new ServedNode(data, log, environment)) {
      assertThat(node.awaitListening()).isTrue();
      assertThat(node.shownKey()).isEmpty();
      assertThat(node.get("/v1/whoami", token).body()).contains("\"acme\"");
      node.stop();
    }
  }

  private ServedNode serve(String... options) {
    return new ServedNode(data, log, Map.of(), options);
  }

  private MainTest.Outcome command(String... args) {
    var whole = new java.util.ArrayList<>(List.of(args));
    whole.addAll(2, List.of("--data-dir", data.toString()));
    return MainTest.run(whole.toArray(String[]::new));
  }
}
