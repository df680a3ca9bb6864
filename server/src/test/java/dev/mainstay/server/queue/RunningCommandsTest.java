package dev.mainstay.server.queue;

import static dev.mainstay.server.Waiting.until;
import static dev.mainstay.server.queue.QueueCalls.faults;
import static dev.mainstay.server.queue.QueueCalls.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.MovableClock;
import dev.mainstay.server.TestDatabase;
import dev.mainstay.server.TestNode;
import dev.mainstay.server.TestNode.Answer;
import dev.mainstay.server.platform.Database;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Test commands of queues while they run: the key they hold, and what they print. */
class RunningCommandsTest {
  private static final Database.Address ADDRESS = TestDatabase.withTables();
  private static final TestKeys KEYS = new TestKeys(ADDRESS);
  private static final AtomicInteger REPOS = new AtomicInteger();
  private static TestNode node;

  /** A directory of all tests: the node may be at work in a repository when its test is over. */
  @TempDir private static Path dir;

  private Path place;
  private TestRepository git;
  private QueueCalls queue;

  @BeforeAll
  static void start() {
    node = TestNode.start(ADDRESS, new MovableClock());
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  @BeforeEach
  void makeRepository() throws IOException {
    String name = "run" + REPOS.incrementAndGet();
    place = Files.createDirectory(dir.resolve(name));
    // Test commands may run as a user of their own.
    for (Path open : List.of(dir, place)) {
      Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
    }
    git = new TestRepository(place);
    queue = new QueueCalls(node, node.token(), name, "main");
  }

  /** Submits pull request 7 to a queue whose test command is this script. */
  private void submit(String script) throws IOException {
    Path file = Files.writeString(place.resolve("test.sh"), script.replace("PLACE", "" + place));
    queue.ok(
        "connectRepository", "'address':'%s','testCommand':'sh %s'".formatted(git.address(), file));
    queue.ok("createQueue");
    git.open(7, "cart", "1");
    queue.ok("submitPullRequest", 7);
  }

  private JsonNode awaitState(String state) {
    return until(
        () -> queue.ok("getSubmittedPullRequest", 7),
        pr -> pr.path("state").asString().equals(state));
  }

  private Answer output(String token, String run) {
    return node.get(
        "/v1/getTestRunOutput?repoHost=git.example&repo=acme/%s&targetBranch=main&testRunId=%s"
            .formatted(queue.repo(), run),
        token);
  }

  @Test
  void its_key_sends_the_results_of_its_own_run_and_does_nothing_else() throws IOException {
    submit(
        """
        printf %s "$MAINSTAY_API_TOKEN" > PLACE/key
        echo "the key is $MAINSTAY_API_TOKEN"
        ask() { curl -s --noproxy '*' -H "x-api-token: $MAINSTAY_API_TOKEN" "$@"; }
        cat > junit.xml <<END
        <testsuite name="s"><testcase classname="Cart" name="adds"><failure message="boom"/></testcase></testsuite>
        END
        ask --data-binary @junit.xml "$MAINSTAY_URL/v1/test-results?branch=main&commit=abc&pr=99"; echo
        ask --data-binary @junit.xml "$MAINSTAY_URL/v1/test-results?repo=git.example/acme/other"; echo
        ask -o /dev/null -w '%{http_code} whoami\\n' $MAINSTAY_URL/v1/whoami
        for path in getQueue createQueue keys/create metrics/getQuarantineConfig \\
            metrics/createBundleUpload flakytests-cli/upload-metrics tests/list; do
          ask -o /dev/null -w "%{http_code} $path\\\\n" -H 'content-type: application/json' -d '{}' \\
            "$MAINSTAY_URL/v1/$path"
        done
        exit 1
        """);
    awaitState("FAILED");
    JsonNode log = queue.ok("getTestRunLog", 7);
    assertThat(log.path("output").asString())
        .contains("the key is ***\n")
        .contains("\"repo\":\"git.example/acme/" + queue.repo() + "\"")
        .contains("\"branch_class\":\"merge_queue\"")
        .contains("it only sends results of git.example/acme/" + queue.repo())
        .contains("403 whoami", "403 getQueue", "403 createQueue", "403 keys/create")
        .contains("403 metrics/getQuarantineConfig", "403 metrics/createBundleUpload")
        .contains("403 flakytests-cli/upload-metrics", "403 tests/list")
        .endsWith("The test command ended with 1.\n");
    assertThat(log.path("complete").asBoolean()).isTrue();
    assertThat(log.path("status").asString()).isEqualTo("FAILED");
    assertThat(log.at("/checks/0/name").asString()).isEqualTo("mainstay/test");
    assertThat(log.path("failedTests").size()).isEqualTo(1);
    assertThat(log.at("/failedTests/0/name").asString()).isEqualTo("adds");
    assertThat(log.at("/failedTests/0/message").asString()).isEqualTo("boom");
    String key = Files.readString(place.resolve("key"));
    assertThat(key).startsWith("mrk_").hasSizeGreaterThan(40);
    refused(
        node.send(
            node.request("/v1/test-results", key).POST(BodyPublishers.ofString("<testsuite/>"))),
        401,
        "unauthorized");
  }

  @Test
  void its_output_can_be_read_while_it_runs_and_by_its_organization_alone() throws Exception {
    fifo();
    submit("echo one; echo two; cat PLACE/fifo; echo three; exit 1");
    JsonNode early =
        until(
            () -> queue.ok("getTestRunLog", "'testRunId':'%s'".formatted(awaitRun())),
            log -> log.path("output").asString().equals("one\ntwo\n"));
    assertThat(early.path("complete").asBoolean()).isFalse();
    assertThat(early.path("status").asString()).isEqualTo("IN_PROGRESS");
    String run = early.path("testRunId").asString();
    assertThat(output(node.token(), run).body()).isEqualTo("one\ntwo\n");
    assertThat(output(node.token(), run).header("x-output-complete")).isEqualTo("false");
    refused(output(KEYS.foreign(), run), 404, "output_not_found");
    refused(
        new QueueCalls(node, KEYS.foreign(), queue.repo(), "main").call("getTestRunLog", 7),
        404,
        "queue_not_found");
    Files.writeString(place.resolve("fifo"), "from the pipe\n");
    awaitState("FAILED");
    assertThat(output(node.token(), run).header("x-output-complete")).isEqualTo("true");
    assertThat(queue.ok("getTestRunLog", 7, "'lines':2").path("output").asString())
        .isEqualTo("three\nThe test command ended with 1.\n");
    assertThat(faults(queue.call("getTestRunLog"))).containsExactly("testRunId");
    assertThat(faults(queue.call("getTestRunLog", 7, "'testRunId':'x'")))
        .containsExactly("testRunId");
    assertThat(faults(queue.call("getTestRunLog", 7, "'lines':0"))).containsExactly("lines");
    refused(queue.call("getTestRunLog", "'testRunId':'x'"), 404, "test_run_not_found");
    refused(queue.call("getTestRunLog", 9), 404, "pull_request_not_found");
  }

  @Test
  void what_a_stopped_command_had_printed_is_kept() throws Exception {
    fifo();
    submit("echo so far; cat PLACE/fifo");
    String run = awaitRun();
    until(() -> output(node.token(), run).body(), "so far\n"::equals);
    queue.ok("cancelPullRequest", 7);
    JsonNode log = queue.ok("getTestRunLog", "'testRunId':'%s'".formatted(run));
    assertThat(log.path("status").asString()).isEqualTo("CANCELLED");
    assertThat(log.path("output").asString()).isEqualTo("so far\n");
    assertThat(log.path("complete").asBoolean()).isTrue();
  }

  private String awaitRun() {
    return until(
            () -> queue.ok("getMergeQueueTestingDetails", 7),
            details -> !details.at("/testRuns/0/testBranchSha").asString("").isEmpty())
        .at("/testRuns/0/testRunId")
        .asString();
  }

  private void fifo() throws Exception {
    assertThat(new ProcessBuilder("mkfifo", "" + place.resolve("fifo")).start().waitFor()).isZero();
  }
}
