package dev.mainstay.server.queue;

import static dev.mainstay.server.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.NodeProcess;
import dev.mainstay.server.TestDatabase;
import dev.mainstay.server.platform.Database;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Test commands in whose time their node dies. The kill comes from outside: where the node is root,
 * a command could not do it by a signal, but by taking all memory of the machine.
 */
class DeadlyCommandsTest {
  private static final String QUEUE =
      "'repo':{'host':'git.example','owner':'acme','name':'deadly'},'targetBranch':'main'";

  private final Database.Address database = TestDatabase.withTables();
  private Path place;
  private Path begun;
  private TestRepository git;

  @BeforeEach
  void make() throws IOException {
    place = TestDatabase.openDirectory();
    begun = Files.createFile(place.resolve("begun"));
    Files.setPosixFilePermissions(begun, PosixFilePermissions.fromString("rw-rw-rw-"));
    git = new TestRepository(place);
    git.open(7, "cart", "1");
  }

  @AfterEach
  void remove() {
    TestDatabase.delete(place);
  }

  private NodeProcess node() throws IOException {
    return NodeProcess.start(database, place.resolve("data"), Map.of());
  }

  /** Submits a pull request whose test says that it began, and ends when it is let go. */
  private void submit(NodeProcess node) throws Exception {
    String command =
        "echo begun >> %s; until [ -e %s ]; do sleep 0.1; done"
            .formatted(begun, place.resolve("go"));
    node.ok(
        "connectRepository",
        "{%s,'address':'%s','testCommand':'%s'}".formatted(QUEUE, git.address(), command));
    node.ok("createQueue", "{" + QUEUE + "}");
    node.ok("submitPullRequest", "{" + QUEUE + ",'pr':{'number':7}}");
  }

  private static String state(NodeProcess node) throws Exception {
    return node.ok("getSubmittedPullRequest", "{" + QUEUE + ",'pr':{'number':7}}")
        .path("state")
        .asString();
  }

  private int begins() throws IOException {
    return Files.readAllLines(begun).size();
  }

  @Test
  void a_command_in_whose_time_its_node_dies_is_begun_three_times_and_has_failed_then()
      throws Exception {
    for (int time = 1; time <= 3; time++) {
      try (NodeProcess node = node()) {
        if (time == 1) {
          submit(node);
        }
        until(this::begins, List.of(time)::contains);
        node.kill();
      }
    }
    try (NodeProcess node = node()) {
      until(() -> begins() > 3 || state(node).equals("FAILED"), Boolean.TRUE::equals);
      assertThat(begins()).isEqualTo(3);
      assertThat(
              node.ok("getTestRunLog", "{" + QUEUE + ",'pr':{'number':7}}")
                  .path("output")
                  .asString())
          .contains("was begun 3 times, and each time its node died before it ended");
    }
  }

  @Test
  void a_node_that_is_stopped_in_order_is_held_against_no_command() throws Exception {
    for (int time = 1; time <= 4; time++) {
      try (NodeProcess node = node()) {
        if (time == 1) {
          submit(node);
        }
        until(this::begins, List.of(time)::contains);
        node.stop();
      }
    }
    Files.createFile(place.resolve("go"));
    try (NodeProcess node = node()) {
      until(() -> state(node), "MERGED"::equals);
    }
  }
}
