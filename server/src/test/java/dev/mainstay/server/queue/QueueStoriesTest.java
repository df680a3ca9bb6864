package dev.mainstay.server.queue;

import static dev.mainstay.server.Waiting.until;
import static dev.mainstay.server.queue.QueueCalls.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.TestNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/** Pull requests of real repositories, from the submission to the end, as a user sees them. */
class QueueStoriesTest {
  private static final AtomicInteger REPOS = new AtomicInteger();
  private static TestNode node;

  /** A directory of all tests: the node may be at work in a repository when its test is over. */
  @TempDir private static Path dir;

  private TestRepository git;
  private QueueCalls queue;

  @BeforeAll
  static void start() {
    node = TestNode.start();
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  @BeforeEach
  void makeRepository() throws IOException {
    String name = "git" + REPOS.incrementAndGet();
    git = new TestRepository(Files.createDirectory(dir.resolve(name)));
    queue = new QueueCalls(node, node.token(), name, "main");
  }

  @Test
  void what_ci_reports_lands_exactly_as_it_was_tested() {
    connect("");
    queue.ok("createQueue", "'requiredStatuses':['ci']");
    String head = git.open(7, "cart", "1").value();
    var submitted = queue.ok("submitPullRequest", 7, "'priority':'high'");
    assertThat(submitted.path("prTitle").asString()).isEqualTo("Change 7");
    assertThat(submitted.path("prSha").asString()).isEqualTo(head);
    assertThat(submitted.path("prBaseBranch").asString()).isEqualTo("main");
    assertThat(submitted.path("prAuthor").asString()).contains("Ada");
    JsonNode run = awaitRun(7);
    assertThat(run.path("status").asString()).isEqualTo("IN_PROGRESS");
    assertThat(run.path("kind").asString()).isEqualTo("MAIN");
    assertThat(run.path("testBranch").asString()).startsWith("mainstay/main/");
    assertThat(run.path("baseSha").asString()).isEqualTo(git.head("main"));
    assertThat(run.path("requiredStatuses").toString()).isEqualTo("[\"ci\"]");
    assertThat(run.path("requiredStatusesSource").asString()).isEqualTo("QUEUE");
    assertThat(run.at("/testedPullRequests/0/prNumber").asInt()).isEqualTo(7);
    String tested = run.path("testBranchSha").asString();
    String tree = git.tree(tested);
    report(tested, "PENDING");
    report(tested, "success");
    JsonNode merged = await(7, "MERGED");
    assertThat(merged.at("/reason/code").asString()).isEqualTo("merged_by_queue");
    assertThat(merged.path("isCurrentlySubmittedToQueue").asBoolean()).isFalse();
    assertThat(git.tree("main")).isEqualTo(tree);
    refused(queue.call("cancelPullRequest", 7), 409, "pull_request_ended");
    var details =
        queue.ok(
            "getMergeQueueTestingDetails",
            "'testRunId':'%s'".formatted(run.path("testRunId").asString()));
    assertThat(details.at("/testRuns/0/status").asString()).isEqualTo("SUCCEEDED");
    assertThat(details.at("/testRuns/0/checks/0/state").asString()).isEqualTo("SUCCESS");
    assertThat(
            node.get(
                    "/v1/getMergeQueueMetrics?repoHost=git.example&repo=acme/" + queue.repo(),
                    node.token())
                .body())
        .contains("queue_type=\"main\",conclusion=\"merged\"} 1");
    until(git::testBranches, List::isEmpty);
  }

  @Test
  void one_behind_a_failure_is_also_tested_without_it_and_that_counts() {
    connect("");
    queue.ok("createQueue", "'requiredStatuses':['ci'],'speculationBudget':1");
    for (int number = 7; number <= 9; number++) {
      git.open(number, "file" + number, "1");
      queue.ok("submitPullRequest", number);
    }
    String first = awaitRun(7).path("testBranchSha").asString();
    report(awaitRun(8).path("testBranchSha").asString(), "FAILURE");
    JsonNode guess =
        until(() -> runOn(9, "{\"lands\":[7],\"leaves\":[8]}"), run -> run.has("testRunId"));
    report(
        until(() -> runOf(guess), run -> !run.path("testBranchSha").asString().isEmpty())
            .path("testBranchSha")
            .asString(),
        "SUCCESS");
    assertThat(queue.ok("getSubmittedPullRequest", 9).path("state").asString())
        .isIn("TESTING", "TESTS_PASSED");
    report(first, "SUCCESS");
    await(7, "MERGED");
    await(8, "FAILED");
    await(9, "MERGED");
    assertThat(runOf(guess).path("status").asString()).isEqualTo("SUCCEEDED");
    assertThat(git.files("main")).contains("file7", "file9").doesNotContain("file8");
    until(git::testBranches, List::isEmpty);
  }

  /** The run of a pull request on this assumption, or nothing. */
  private JsonNode runOn(int number, String assumed) {
    return queue
        .ok("getMergeQueueTestingDetails", number)
        .path("testRuns")
        .valueStream()
        .filter(run -> run.path("assumes").toString().equals(assumed))
        .findFirst()
        .orElse(MissingNode.getInstance());
  }

  private JsonNode runOf(JsonNode known) {
    return queue
        .ok(
            "getMergeQueueTestingDetails",
            "'testRunId':'%s'".formatted(known.path("testRunId").asString()))
        .at("/testRuns/0");
  }

  @Test
  void what_fails_says_which_status_failed_and_may_come_again() {
    connect("");
    queue.ok("createQueue", "'requiredStatuses':['ci']");
    git.open(7, "cart", "1");
    var first = queue.ok("submitPullRequest", 7);
    String runId = awaitRun(7).path("testRunId").asString();
    queue.ok(
        "reportTestStatus",
        "'testRunId':'%s','name':'ci','state':'FAILURE','url':'https://ci.example/1'"
            .formatted(runId));
    JsonNode failed = await(7, "FAILED");
    assertThat(failed.at("/reason/code").asString()).isEqualTo("test_failed");
    assertThat(failed.at("/reason/message").asString()).contains("ci");
    var details = queue.ok("getMergeQueueTestingDetails", 7);
    assertThat(details.at("/testRuns/0/checks/0/url").asString()).isEqualTo("https://ci.example/1");
    refused(queue.call("cancelPullRequest", 7), 409, "pull_request_ended");
    assertThat(queue.ok("submitPullRequest", 7).path("id")).isNotEqualTo(first.path("id"));
  }

  @Test
  void tests_are_restarted_in_place() {
    connect("");
    queue.ok("createQueue", "'requiredStatuses':['ci']");
    git.open(7, "cart", "1");
    queue.ok("submitPullRequest", 7);
    String first = awaitRun(7).path("testRunId").asString();
    assertThat(queue.ok("restartTestsOnPullRequest", 7).toString()).isEqualTo("{}");
    var again =
        until(
            () -> queue.ok("getSubmittedPullRequest", 7),
            pr -> !pr.path("testRunId").asString(first).equals(first));
    assertThat(again.path("state").asString()).isEqualTo("TESTING");
    assertThat(again.at("/reason/code").asString()).isEqualTo("restarted");
    assertThat(again.path("position").asInt()).isEqualTo(1);
  }

  @Test
  void a_test_command_decides_and_its_output_is_kept() {
    connect(",'testCommand':'echo tested $(cat cart) && test -f cart'");
    queue.ok("createQueue");
    git.open(7, "cart", "forty-two");
    queue.ok("submitPullRequest", 7);
    JsonNode merged = await(7, "MERGED");
    String output =
        "/v1/getTestRunOutput?repoHost=git.example&repo=acme/%s&targetBranch=main&testRunId=%s"
            .formatted(queue.repo(), merged.path("testRunId").asString());
    var answer = node.get(output, node.token());
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    assertThat(answer.header("content-type")).isEqualTo("text/plain; charset=utf-8");
    assertThat(answer.body()).contains("tested forty-two");
  }

  @Test
  void a_pull_request_that_the_forge_does_not_know_is_404() {
    connect("");
    queue.ok("createQueue", "'requiredStatuses':['ci']");
    refused(queue.call("submitPullRequest", 99), 404, "pull_request_not_found");
    refused(
        queue.call("setImpactedTargets", 99, "'impactedTargets':'ALL'"),
        404,
        "pull_request_not_found");
  }

  @Test
  void targets_are_set_for_the_head_that_the_forge_shows_and_a_push_asks_anew() {
    String token = connect("").path("hookToken").asString();
    queue.ok("createQueue", "'mode':'parallel','requiredStatuses':['ci']");
    git.open(7, "cart", "1");
    var pr = queue.ok("submitPullRequest", 7);
    assertThat(pr.at("/readiness/requiresImpactedTargets").asBoolean()).isTrue();
    assertThat(pr.at("/readiness/hasImpactedTargets").asBoolean()).isFalse();
    queue.ok("setImpactedTargets", 7, "'impactedTargets':['//cart']");
    JsonNode run = awaitRun(7);
    assertThat(run.path("impactedTargets").toString()).isEqualTo("[\"//cart\"]");
    String pushed = git.open(7, "cart", "2").value();
    assertThat(node.post("/hooks/git?token=" + token, "", "{}").status()).isEqualTo(200);
    JsonNode anew =
        until(
            () -> queue.ok("getSubmittedPullRequest", 7),
            p -> p.path("prSha").asString().equals(pushed));
    assertThat(anew.at("/readiness/hasImpactedTargets").asBoolean()).isFalse();
    queue.ok("setImpactedTargets", 7, "'impactedTargets':'ALL'");
    assertThat(awaitRun(7).path("impactedTargets").asString()).isEqualTo("ALL");
    queue.ok("hooks/git");
  }

  @Test
  void a_connection_is_shown_without_secrets_and_ends() {
    JsonNode made = connect(",'testCommand':'make','testTimeoutMinutes':7");
    assertThat(made.path("hookToken").asString()).isNotEmpty();
    JsonNode shown = queue.ok("getRepositoryConnection");
    assertThat(shown.has("hookToken")).isFalse();
    assertThat(shown.path("testCommand").asString()).isEqualTo("make");
    assertThat(shown.path("testTimeoutMinutes").asInt()).isEqualTo(7);
    assertThat(shown.path("address").asString()).isEqualTo(git.address());
    queue.ok("disconnectRepository");
    refused(queue.call("getRepositoryConnection"), 404, "connection_not_found");
    refused(
        node.post("/hooks/git?token=" + made.path("hookToken").asString(), "", "{}"),
        404,
        "hook_not_found");
    var refusal =
        queue.call("connectRepository", "'address':'http://bob:sesame@127.0.0.1:1/shop.git'");
    refused(refusal, 409, "repository_unreachable");
    assertThat(refusal.body()).doesNotContain("sesame");
  }

  private JsonNode connect(String more) {
    return queue.ok("connectRepository", "'address':'%s'%s".formatted(git.address(), more));
  }

  private void report(String sha, String state) {
    queue.ok(
        "reportTestStatus", "'testBranchSha':'%s','name':'ci','state':'%s'".formatted(sha, state));
  }

  private JsonNode await(int pr, String state) {
    return until(
        () -> queue.ok("getSubmittedPullRequest", pr),
        shown -> shown.path("state").asString().equals(state));
  }

  /** The run of a pull request once its test branch is there. */
  private JsonNode awaitRun(int pr) {
    return until(
            () -> queue.ok("getMergeQueueTestingDetails", pr),
            runs -> !runs.at("/testRuns/0/testBranchSha").asString("").isEmpty())
        .at("/testRuns/0");
  }
}
