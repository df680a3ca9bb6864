package dev.mainstay.server.queue;

import static dev.mainstay.server.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.Config.Setting;
import dev.mainstay.server.MovableClock;
import dev.mainstay.server.OpenDirectories;
import dev.mainstay.server.TestDatabase;
import dev.mainstay.server.TestNode;
import dev.mainstay.server.forge.git.GitHttpServer;
import dev.mainstay.server.platform.Database;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Copies of repositories, with the processes and open files on them, when nobody needs them. */
class LeftCopiesTest {
  private final Database.Address database = TestDatabase.withTables();
  @TempDir private Path dir;
  private Path data;
  private TestNode node;
  private GitHttpServer server;
  private TestRepository one;
  private TestRepository two;

  @BeforeEach
  void start() throws IOException {
    data = OpenDirectories.create();
    server = new GitHttpServer(Files.createDirectory(dir.resolve("served")));
    one = new TestRepository(Files.createDirectory(dir.resolve("served/one")));
    two = new TestRepository(Files.createDirectory(dir.resolve("served/two")));
    node = startNode();
  }

  @AfterEach
  void stop() {
    node.close();
    server.close();
  }

  private TestNode startNode() {
    return TestNode.start(database, new MovableClock(), Map.of(Setting.DATA_DIR, data.toString()));
  }

  private QueueCalls queue(TestNode at) {
    return new QueueCalls(at, node.token(), "copies", "main");
  }

  private void connect(TestRepository repository, String folder) {
    String address = server.address(repository.path(), "bot:s3cr3t@");
    queue(node)
        .ok(
            "connectRepository",
            "'address':'%s'".formatted(address.replace("app.git", folder + "/app.git")));
  }

  /** The directories of copies that are there. */
  private List<Path> copies() throws IOException {
    Path place = data.resolve("work/git");
    try (Stream<Path> found = Files.isDirectory(place) ? Files.list(place) : Stream.empty()) {
      return found.toList();
    }
  }

  /** What holds on to one of these: processes that work there, and files that are open. */
  private static List<Path> held(List<Path> copies) throws IOException {
    var links = new ArrayList<Path>();
    for (String pattern : List.of("/proc/self/fd", "/proc")) {
      try (Stream<Path> entries = Files.list(Path.of(pattern))) {
        entries
            .map(entry -> pattern.equals("/proc") ? entry.resolve("cwd") : entry)
            .filter(link -> copies.stream().anyMatch(copy -> target(link).startsWith(copy + "/")))
            .forEach(links::add);
      }
    }
    return links;
  }

  private static String target(Path link) {
    try {
      return Files.readSymbolicLink(link) + "/";
    } catch (IOException e) {
      return "";
    }
  }

  @Test
  void they_go_when_the_address_changes_and_when_the_repository_is_disconnected() throws Exception {
    connect(one, "one");
    queue(node).ok("createQueue", "'requiredStatuses':['ci']");
    one.open(1, "1");
    two.open(1, "1");
    queue(node).ok("submitPullRequest", 1);
    List<Path> first = copies();
    assertThat(first).hasSize(1);
    assertThat(held(first)).hasSizeGreaterThan(1);
    connect(two, "two");
    queue(node).ok("submitPullRequest", 1);
    List<Path> second = until(this::copies, copies -> copies.size() == 1 && !copies.equals(first));
    assertThat(held(first)).isEmpty();
    assertThat(held(second)).hasSizeGreaterThan(1);
    queue(node).ok("disconnectRepository");
    until(this::copies, List::isEmpty);
    assertThat(held(second)).isEmpty();
  }

  @Test
  void the_other_nodes_let_go_of_them_too() throws Exception {
    connect(one, "one");
    queue(node).ok("createQueue", "'requiredStatuses':['ci']");
    one.open(1, "1");
    try (var other = startNode()) {
      queue(node).ok("submitPullRequest", 1);
      queue(other).ok("submitPullRequest", 1);
      until(this::copies, copies -> copies.size() == 2);
      queue(node).ok("disconnectRepository");
      until(this::copies, List::isEmpty);
    }
  }

  @Test
  void a_start_removes_those_of_no_connection_and_keeps_the_others() throws Exception {
    connect(one, "one");
    queue(node).ok("createQueue", "'requiredStatuses':['ci']");
    one.open(1, "1");
    queue(node).ok("submitPullRequest", 1);
    Path kept = copies().getFirst();
    node.close();
    Path left = data.resolve("work/git/00000000-0000-3000-8000-000000000000-0");
    Files.createDirectories(left.resolve("repository.git/objects"));
    Path mark = Files.writeString(kept.resolve("repository.git/mark"), "");
    node = startNode();
    until(() -> Files.exists(left), there -> !there);
    assertThat(mark).exists();
  }
}
