package dev.mainstay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.platform.Json;
import java.io.IOException;
import java.net.URI;
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

/** From an empty directory to merged and rejected pull requests, by commands alone. */
class QueueOnServedNodeTest {
  private static final String TOKEN = "mst_" + "k".repeat(43);

  private Path directory;

  /** Open to everybody: as root, PostgreSQL runs as somebody else. */
  @BeforeEach
  void makeDirectory() throws IOException {
    directory = Files.createTempDirectory("mainstay-test");
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
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
  void pull_requests_are_submitted_watched_and_end() throws Exception {
    makeRepository();
    Path data = Files.createDirectory(directory.resolve("data"));
    try (var node =
        new ServedNode(data, directory.resolve("log"), Map.of("MAINSTAY_TOKEN", TOKEN))) {
      assertThat(node.awaitListening()).isTrue();
      connect(node, "test ! -e broken");
      assertThat(mainstay(node, "queue create --concurrency 3").out()).contains("main is RUNNING");
      assertThat(mainstay(node, "queue create").err()).contains("has a queue already");
      assertThat(mainstay(node, "queue pause").out()).contains("main is PAUSED");
      assertThat(mainstay(node, "pr submit 1 --priority high").out()).contains("#1");
      assertThat(mainstay(node, "pr submit 2").out()).contains("#2").contains("Add broken");
      assertThat(mainstay(node, "queue delete").err()).contains("#1 (NOT_READY)");
      assertThat(mainstay(node, "queue resume").exitCode()).isZero();
      var merged = mainstay(node, "pr watch 1 --interval 50");
      assertThat(merged.exitCode()).as(merged.toString()).isZero();
      assertThat(merged.out().lines().toList().getLast()).contains("#1 MERGED");
      var failed = mainstay(node, "pr watch 2 --interval 50");
      assertThat(failed.exitCode()).as(failed.toString()).isEqualTo(1);
      assertThat(failed.out().lines().toList().getLast()).contains("#2 FAILED");
      assertThat(mainstay(node, "pr status 2").out()).contains("mainstay/test");
      assertThat(mainstay(node, "pr cancel 2").err()).contains("FAILED already");
      assertThat(mainstay(node, "pr submit 9").err()).contains("no pull request #9");
      assertThat(mainstay(node, "queue show --json").out()).contains("\"enqueuedPullRequests\":[]");
      assertThat(mainstay(node, "queue delete").out()).isEqualTo("Deleted.\n");
      node.stop();
    }
  }

  private CliProcess mainstay(ServedNode node, String arguments) throws Exception {
    return CliProcess.run(directory, node.url(), TOKEN, arguments);
  }

  private void connect(ServedNode node, String command) {
    var request = Json.object();
    request.putObject("repo").put("host", "github.com").put("owner", "acme").put("name", "shop");
    request.put("address", directory.resolve("shop.git").toString()).put("testCommand", command);
    new ApiClient(URI.create(node.url()), TOKEN).post("connectRepository", request);
  }

  private void makeRepository() throws Exception {
    git("init", "--quiet", "--bare", "--initial-branch=main", "shop.git");
    git("init", "--quiet", "--initial-branch=main", "author");
    commit("README", "main");
    for (String file : List.of("good", "broken")) {
      git("-C", "author", "checkout", "--quiet", "-B", "work", "main");
      commit(file, file.equals("good") ? "work:refs/pull/1/head" : "work:refs/pull/2/head");
    }
  }

  private void commit(String file, String to) throws Exception {
    Files.writeString(directory.resolve("author").resolve(file), file);
    git("-C", "author", "add", file);
    git(
        "-C",
        "author",
        "-c",
        "user.name=Ann",
        "-c",
        "user.email=ann@example.org",
        "commit",
        "-qm",
        "Add " + file);
    git("-C", "author", "push", "--quiet", directory.resolve("shop.git").toString(), to);
  }

  private void git(String... arguments) throws Exception {
    var command = new ArrayList<>(List.of("git"));
    command.addAll(List.of(arguments));
    var process = new ProcessBuilder(command).directory(directory.toFile()).inheritIO().start();
    assertThat(process.waitFor()).as(String.join(" ", command)).isZero();
  }
}
