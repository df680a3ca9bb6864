package dev.mainstay.server.queue;

import static dev.mainstay.server.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mainstay.server.NodeProcess;
import dev.mainstay.server.TestDatabase;
import dev.mainstay.server.command.Bubblewrap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a test command can get at on a node that runs as root, with and without a sandbox. */
class ConfinedCommandsTest {
  private static final String QUEUE =
      "'repo':{'host':'git.example','owner':'acme','name':'confined'},'targetBranch':'main'";
  private static final int ADDRESS_LINE = 5;
  private static final String SECRET = "a-secret-of-the-operator-7531";

  private Path place;
  private Path data;
  private TestRepository git;

  @BeforeEach
  void make() throws IOException {
    assumeTrue(
        Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0),
        "only a node that is root can give its commands another user");
    place = TestDatabase.openDirectory();
    data = Files.createDirectory(place.resolve("data"));
    Files.writeString(data.resolve("settings"), SECRET);
    // Closed, as those of other organizations may be.
    Path closed = Files.createDirectory(place.resolve("closed"));
    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx------"));
    git = new TestRepository(closed);
    git.open(7, "cart", "1");
  }

  @AfterEach
  void remove() {
    if (place != null) {
      TestDatabase.delete(place);
    }
  }

  /** A node on its own database, since that is in the data directory. */
  private NodeProcess node(String sandbox) throws IOException {
    var variables = new HashMap<String, String>();
    variables.put("MAINSTAY_TEST_SANDBOX", sandbox);
    variables.put("SECRET", SECRET);
    return NodeProcess.start(data, variables);
  }

  /** What a script prints that is the test of a pull request. */
  private String printed(NodeProcess node, String script) throws Exception {
    Path file = Files.writeString(place.resolve("test.sh"), script);
    node.ok(
        "connectRepository",
        "{%s,'address':'%s','testCommand':'sh %s'}".formatted(QUEUE, git.address(), file));
    node.ok("createQueue", "{" + QUEUE + "}");
    String pr = "{" + QUEUE + ",'pr':{'number':7}}";
    node.ok("submitPullRequest", pr);
    until(
        () -> node.ok("getSubmittedPullRequest", pr).path("state").asString(),
        List.of("MERGED", "FAILED")::contains);
    return node.ok("getTestRunLog", pr).path("output").asString();
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "bubblewrap"})
  void it_gets_at_nothing_of_the_node_and_can_do_its_work(String sandbox) throws Exception {
    if (sandbox.equals("bubblewrap")) {
      Bubblewrap.assumeItWorks();
    }
    try (NodeProcess node = node(sandbox)) {
      String output =
          printed(node, ATTACK.replace("DATA", "" + data).replace("NODE", "" + node.pid()));
      assertThat(output)
          .doesNotContain(SECRET)
          .doesNotContain("READ")
          .containsPattern("user (60[89]\\d\\d|610\\d\\d) and \\1\n")
          .contains("history 2")
          .contains("committed")
          .contains("home is mine")
          .contains("whoami 403")
          .contains("out of reach");
      assertThat(node.isAlive()).isTrue();
      assertThat(Files.readAllLines(data.resolve("database/postmaster.pid")).get(ADDRESS_LINE))
          .as("the address at whose port the database listens")
          .isBlank();
    }
  }

  private static final String ATTACK =
      """
      echo "user $(id -u) and $(id -G)"
      for file in DATA/settings DATA/database-password DATA/database/PG_VERSION DATA/postgres-start.log \\
          /proc/NODE/environ; do
        if cat $file >/dev/null 2>&1; then echo "READ $file"; fi
      done
      for folder in DATA DATA/database DATA/work DATA/work/git DATA/work/tests; do
        if [ -n "$(ls $folder 2>/dev/null | grep -v -x -e work -e tests -e "$MAINSTAY_TEST_RUN")" ]; then
          echo "READ $folder"
        fi
      done
      curl -s --unix-socket DATA/database/.s.PGSQL.5432 http://database >/dev/null
      [ $? = 7 ] || echo "READ the database"
      kill -9 NODE 2>/dev/null || echo "out of reach"
      echo "history $(git log --oneline | wc -l)"
      echo more > more && git add more &&
        git -c user.name=Ann -c user.email=ann@example.org commit -q -m More && echo committed
      touch "$HOME/x" && [ "$HOME" != /root ] && echo "home is mine"
      curl -s --noproxy '*' -o /dev/null -w 'whoami %{http_code}\\n' -H "x-api-token: $MAINSTAY_API_TOKEN" \\
        $MAINSTAY_URL/v1/whoami
      """;

  @Test
  void what_takes_leave_of_its_session_and_its_environment_ends_with_a_killed_node()
      throws Exception {
    Path away = Files.createFile(place.resolve("away"));
    Files.setPosixFilePermissions(away, PosixFilePermissions.fromString("rw-rw-rw-"));
    String script =
        "(setsid env -i sh -c 'echo $$ > %s; exec /bin/sleep 1000' &); sleep 1000".formatted(away);
    try (NodeProcess node =
        NodeProcess.start(
            TestDatabase.withTables(), data, Map.of("MAINSTAY_TEST_SANDBOX", "none"))) {
      Path file = Files.writeString(place.resolve("test.sh"), script);
      node.ok(
          "connectRepository",
          "{%s,'address':'%s','testCommand':'sh %s'}".formatted(QUEUE, git.address(), file));
      node.ok("createQueue", "{" + QUEUE + "}");
      node.ok("submitPullRequest", "{" + QUEUE + ",'pr':{'number':7}}");
      long pid =
          Long.parseLong(until(() -> Files.readString(away).strip(), text -> !text.isEmpty()));
      node.kill();
      until(() -> isAlive(pid), Boolean.FALSE::equals);
    }
  }

  private static boolean isAlive(long pid) throws IOException {
    Path stat = Path.of("/proc/" + pid + "/stat");
    return Files.exists(stat) && !Files.readString(stat).contains(") Z ");
  }

  @Test
  void a_sandbox_that_was_asked_for_and_does_not_work_keeps_the_node_from_starting()
      throws Exception {
    Path broken = Files.createDirectory(place.resolve("bin")).resolve("bwrap");
    Files.writeString(
        broken, "#!/bin/sh\necho 'bwrap: No permissions to create new namespace'; exit 1");
    Files.setPosixFilePermissions(broken, PosixFilePermissions.fromString("rwxr-xr-x"));
    String path = broken.getParent() + ":" + System.getenv("PATH");
    assertThat(
            NodeProcess.refusal(data, Map.of("MAINSTAY_TEST_SANDBOX", "bubblewrap", "PATH", path)))
        .contains("Test commands are to run in bubblewrap (--test-sandbox), which does not work")
        .contains("bwrap: No permissions to create new namespace");
    try (NodeProcess node =
        NodeProcess.start(data, Map.of("MAINSTAY_TEST_SANDBOX", "auto", "PATH", path))) {
      assertThat(node.log()).contains("without a sandbox: bwrap: No permissions to create");
    }
  }
}
