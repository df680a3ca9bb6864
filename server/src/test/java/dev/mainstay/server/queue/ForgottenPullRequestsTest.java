package dev.mainstay.server.queue;

import static dev.mainstay.server.Waiting.until;
import static dev.mainstay.server.queue.QueueCalls.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.MovableClock;
import dev.mainstay.server.TestDatabase;
import dev.mainstay.server.TestNode;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.queue.work.TidyWorker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pull requests that ended are kept as long as the organization keeps anything. */
class ForgottenPullRequestsTest {
  private static final List<String> TABLES =
      List.of("pull_request", "pull_request_transition", "test_run", "test_check");

  @TempDir private Path directory;
  private final Database.Address address = TestDatabase.withTables();
  private final MovableClock clock = new MovableClock();
  private Database database;
  private TestNode node;
  private TestRepository repository;
  private QueueCalls queue;

  @BeforeEach
  void start() {
    node = TestNode.start(address, clock);
    database = Database.connect(address, 2);
    repository = new TestRepository(directory);
    queue = new QueueCalls(node, node.token(), "shop", "main");
    queue.ok("connectRepository", "'address':'%s'".formatted(repository.address()));
    queue.ok("createQueue", "'requiredStatuses':['ci'],'testingTimeoutMinutes':0");
  }

  @AfterEach
  void stop() {
    node.close();
    database.close();
  }

  @Test
  void ended_ones_go_with_their_runs_when_the_retention_is_over() {
    merge(1);
    pass(89);
    repository.open(2, "content");
    queue.ok("submitPullRequest", 2);
    test(2);
    report(2, "pending");
    assertThat(queue.ok("getSubmittedPullRequest", 1).path("state").asString()).isEqualTo("MERGED");

    pass(2);
    refused(queue.call("getSubmittedPullRequest", 1), 404, "pull_request_not_found");
    refused(queue.call("cancelPullRequest", 1), 404, "pull_request_not_found");
    refused(queue.call("getMergeQueueTestingDetails", 1), 404, "pull_request_not_found");
    assertThat(queue.ok("listPullRequests").path("pullRequests").size()).isEqualTo(1);
    for (String table : TABLES) {
      assertThat(rows(table)).as(table).isEqualTo(rows(table + " WHERE " + ofSecond(table)));
    }

    pass(400);
    assertThat(queue.ok("getMergeQueueTestingDetails", 2).path("testRuns").size()).isEqualTo(1);
    report(2, "success");
    awaitState(2, "MERGED");
    assertThat(node.get("/v1/getMergeQueueMetrics", node.token()).body())
        .contains("mq_pr_conclusions_1h_total");
  }

  @Test
  void one_that_was_forgotten_can_be_submitted_again() {
    repository.open(1, "content");
    queue.ok("submitPullRequest", 1);
    test(1);
    queue.ok("cancelPullRequest", 1);
    pass(91);
    refused(queue.call("getSubmittedPullRequest", 1), 404, "pull_request_not_found");
    for (String table : TABLES) {
      assertThat(rows(table)).as(table).isZero();
    }
    queue.ok("submitPullRequest", 1);
    test(1);
    report(1, "success");
    awaitState(1, "MERGED");
  }

  @Test
  void a_run_stays_as_long_as_a_pull_request_names_it() {
    repository.open(1, "content");
    queue.ok("submitPullRequest", 1);
    test(1);
    queue.ok("updateQueue", "'state':'PAUSED'");
    repository.push("other", "content");
    queue.ok("hooks/git");
    until(() -> rows("test_run WHERE status = 'CANCELLED' AND branch_deleted"), n -> n == 1);
    pass(91);
    assertThat(rows("test_run")).isEqualTo(1);
    queue.ok("cancelPullRequest", 1);
    pass(89);
    assertThat(rows("test_run")).isEqualTo(1);
    pass(2);
    for (String table : TABLES) {
      assertThat(rows(table)).as(table).isZero();
    }
  }

  private static String ofSecond(String table) {
    return table.startsWith("pull_request")
        ? "entry = (SELECT max(entry) FROM pull_request)"
        : "run = (SELECT max(run) FROM test_run)";
  }

  private void merge(int number) {
    repository.open(number, "content");
    queue.ok("submitPullRequest", number);
    test(number);
    report(number, "success");
    awaitState(number, "MERGED");
  }

  /** Waits until its test branch is there. */
  private void test(int number) {
    until(
        () -> queue.ok("getMergeQueueTestingDetails", number).at("/testRuns/0/testBranchSha"),
        sha -> !sha.asString("").isEmpty());
  }

  private void report(int number, String state) {
    String run =
        queue.ok("getMergeQueueTestingDetails", number).at("/testRuns/0/testRunId").asString();
    queue.ok("reportTestStatus", "'testRunId':'%s','name':'ci','state':'%s'".formatted(run, state));
  }

  private void awaitState(int number, String state) {
    until(
        () -> queue.ok("getSubmittedPullRequest", number).path("state").asString(), state::equals);
    until(() -> rows("queue_action"), rows -> rows == 0);
  }

  private void pass(int days) {
    until(() -> rows("queue_action"), rows -> rows == 0);
    clock.advance(Duration.ofDays(days));
    new TidyWorker(database, clock).round();
  }

  private long rows(String table) {
    return database.query(h -> h.select("SELECT count(*) FROM " + table).mapTo(Long.class).one());
  }
}
