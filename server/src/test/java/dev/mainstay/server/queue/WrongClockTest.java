package dev.mainstay.server.queue;

import static dev.mainstay.server.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.TestDatabase;
import dev.mainstay.server.TestNode;
import dev.mainstay.server.node.NodeClock;
import dev.mainstay.server.platform.Database;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The clock of the machine is wrong for a while: nobody waits for it, and nobody fails by it. */
class WrongClockTest {
  private static final Duration WRONG = Duration.ofHours(6);

  @TempDir private Path directory;
  private volatile Duration machineAhead = Duration.ZERO;
  private volatile Duration databaseAhead = Duration.ZERO;
  private TestNode node;
  private TestRepository repository;
  private QueueCalls queue;

  @BeforeEach
  void start() {
    node = TestNode.start(TestDatabase.withTables(), database -> NodeClock.start(clocks(database)));
    repository = new TestRepository(directory);
    queue = new QueueCalls(node, node.token(), "shop", "main");
    queue.ok("connectRepository", "'address':'%s'".formatted(repository.address()));
    queue.ok("createQueue", "'concurrency':3,'requiredStatuses':['ci']");
  }

  @AfterEach
  void stop() {
    node.close();
  }

  @Test
  void a_wrong_clock_of_the_machine_is_told_and_changes_nothing() {
    submit(1);
    awaitTestBranch(1);
    machineAhead = WRONG;
    awaitJumps("machine", 1);
    submit(2);
    awaitTestBranch(2);
    assertThat(state(1)).isEqualTo("TESTING");

    machineAhead = Duration.ZERO;
    awaitJumps("machine", 2);
    submit(3);
    awaitTestBranch(3);
    mergeAll();
    assertThat(metrics()).contains("mq_clock_jumps_total{clock=\"database\"} 0\n");
  }

  @Test
  void a_wrong_clock_of_the_database_too_changes_as_little() {
    submit(1);
    awaitTestBranch(1);
    machineAhead = WRONG;
    databaseAhead = WRONG;
    awaitJumps("database", 1);
    submit(2);
    awaitTestBranch(2);
    assertThat(state(1)).isEqualTo("TESTING");

    machineAhead = Duration.ZERO;
    databaseAhead = Duration.ZERO;
    awaitJumps("database", 2);
    submit(3);
    awaitTestBranch(3);
    mergeAll();
  }

  private void mergeAll() {
    report(3);
    report(2);
    report(1);
    until(() -> state(1) + state(2) + state(3), "MERGEDMERGEDMERGED"::equals);
  }

  private void awaitJumps(String clock, int jumps) {
    String line = "mq_clock_jumps_total{clock=\"%s\"} %d\n".formatted(clock, jumps);
    until(this::metrics, text -> text.contains(line));
  }

  private String metrics() {
    return node.get("/v1/getMergeQueueMetrics", node.token()).body();
  }

  private NodeClock.Clocks clocks(Database database) {
    return new NodeClock.Clocks() {
      @Override
      public Instant machine() {
        return Instant.now().plus(machineAhead);
      }

      @Override
      public Instant database() {
        return database.time().plus(databaseAhead);
      }

      @Override
      public long steady() {
        return System.nanoTime();
      }
    };
  }

  private void submit(int number) {
    repository.open(number, "file" + number, "content");
    queue.ok("submitPullRequest", number);
  }

  private String state(int number) {
    return queue.ok("getSubmittedPullRequest", number).path("state").asString();
  }

  private void awaitTestBranch(int number) {
    until(
        () -> queue.ok("getMergeQueueTestingDetails", number).at("/testRuns/0/testBranchSha"),
        sha -> !sha.asString("").isEmpty());
  }

  private void report(int number) {
    String run =
        queue.ok("getMergeQueueTestingDetails", number).at("/testRuns/0/testRunId").asString();
    queue.ok("reportTestStatus", "'testRunId':'%s','name':'ci','state':'success'".formatted(run));
  }
}
