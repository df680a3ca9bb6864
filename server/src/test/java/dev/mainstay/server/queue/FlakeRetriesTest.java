package dev.mainstay.server.queue;

import static dev.mainstay.server.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.health.JudgingScene;
import dev.mainstay.server.health.Shop;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Runs that fail, and what test health knows of their tests. */
class FlakeRetriesTest extends JudgingScene {
  @TempDir private Path dir;

  private QueueCalls queue;
  private TestRepository git;

  @BeforeEach
  void aQueueAndATestThatIsKnownToBeFlaky() {
    shop = new Shop(node, "shop", "git.example");
    queue = new QueueCalls(node, node.token(), "shop", "main");
    git = new TestRepository(dir);
    queue.ok("connectRepository", "'address':'%s'".formatted(git.address()));
    queue.ok("createQueue", "'requiredStatuses':['ci']");
    shop.upload(now(), "&branch=main&commit=abc&job=ci", "shaky failed", "adds passed");
    shop.upload(now(), "&branch=main&commit=abc&job=ci", "shaky passed", "adds passed");
    assertThat(status("shaky")).isEqualTo("flaky");
  }

  private void submit(int number) {
    git.open(number, "file" + number, "1");
    queue.ok("submitPullRequest", number);
  }

  /** The run of a pull request that is in progress, once its test branch is there. */
  private JsonNode run(int number) {
    return until(
            () -> queue.ok("getMergeQueueTestingDetails", number),
            details ->
                details.at("/testRuns/0/status").asString().equals("IN_PROGRESS")
                    && !details.at("/testRuns/0/testBranchSha").asString("").isEmpty())
        .at("/testRuns/0");
  }

  private void upload(JsonNode run, String... results) {
    String about =
        "&branch=%s&commit=%s&job=ci"
            .formatted(run.path("testBranch").asString(), run.path("testBranchSha").asString());
    shop.upload(now(), about, results);
  }

  private void report(JsonNode run, String state) {
    queue.ok(
        "reportTestStatus",
        "'testRunId':'%s','name':'ci','state':'%s'"
            .formatted(run.path("testRunId").asString(), state));
  }

  private JsonNode pullRequest(int number) {
    return queue.ok("getSubmittedPullRequest", number);
  }

  private JsonNode await(int number, String state) {
    return until(() -> pullRequest(number), pr -> pr.path("state").asString().equals(state));
  }

  @Test
  void a_flake_is_tested_again_and_merges_and_a_fault_of_its_own_is_named() {
    submit(7);
    JsonNode flaked = run(7);
    upload(flaked, "shaky failed", "adds passed");
    report(flaked, "FAILURE");

    JsonNode again = run(7);
    assertThat(again.path("testRunId")).isNotEqualTo(flaked.path("testRunId"));
    JsonNode reason = pullRequest(7).path("reason");
    assertThat(reason.path("code").asString()).isEqualTo("flake_retry");
    assertThat(reason.path("message").asString())
        .startsWith("C shaky (")
        .contains("the same commit, abc (main)")
        .contains(") failed, known to be flaky: it is tested again, 1 of 1 times.");

    upload(again, "shaky passed", "adds passed");
    report(again, "SUCCESS");
    await(7, "MERGED");

    submit(8);
    JsonNode failed = run(8);
    upload(failed, "shaky failed", "adds failed");
    report(failed, "FAILURE");
    assertThat(await(8, "FAILED").at("/reason/message").asString())
        .startsWith("The status ci failed. C adds, C shaky (");
  }

  @Test
  void results_that_come_after_the_status_are_waited_for_where_results_are_usual() {
    submit(7);
    JsonNode first = run(7);
    report(first, "FAILURE");
    assertThat(pullRequest(7).path("state").asString())
        .as("nobody has sent results of this queue yet")
        .isEqualTo("FAILED");

    submit(8);
    JsonNode usual = run(8);
    upload(usual, "adds passed");
    report(usual, "SUCCESS");
    await(8, "MERGED");

    submit(9);
    JsonNode early = run(9);
    report(early, "FAILURE");
    assertThat(pullRequest(9).path("state").asString()).isEqualTo("PENDING_FAILURE");
    upload(early, "shaky failed", "adds passed");
    clock.advance(Duration.ofMinutes(1));
    JsonNode again = run(9);
    assertThat(again.path("testRunId")).isNotEqualTo(early.path("testRunId"));
    report(again, "FAILURE");
    assertThat(pullRequest(9).path("state").asString()).isEqualTo("PENDING_FAILURE");
    clock.advance(Duration.ofMinutes(1));
    await(9, "FAILED");
  }

  private JsonNode targetRun() {
    return until(
            () -> queue.ok("getMergeQueueTestingDetails"),
            details ->
                details
                    .path("testRuns")
                    .valueStream()
                    .anyMatch(
                        run ->
                            run.path("kind").asString().equals("TARGET")
                                && !run.path("testBranchSha").asString("").isEmpty()))
        .path("testRuns")
        .valueStream()
        .filter(run -> run.path("kind").asString().equals("TARGET"))
        .findFirst()
        .orElseThrow();
  }

  private String warning() {
    return queue.ok("updateQueue").at("/warnings/0").asString();
  }

  private String state() {
    return queue.ok("getQueue").path("state").asString();
  }

  @Test
  void a_target_branch_that_fails_by_itself_blames_nobody_and_holds_the_queue_until_it_passes() {
    shop.upload(now(), "&branch=main&commit=%s&job=ci".formatted(git.head("main")), "adds failed");
    submit(7);
    submit(8);
    JsonNode failed = run(7);
    upload(failed, "adds failed");
    report(failed, "FAILURE");
    JsonNode reason = pullRequest(7).path("reason");
    assertThat(pullRequest(7).path("state").asString()).isEqualTo("PENDING_FAILURE");
    assertThat(reason.path("code").asString()).isEqualTo("target_suspected");
    assertThat(reason.path("message").asString())
        .startsWith("C adds failed, and it failed on main at " + git.head("main").substring(0, 10));
    assertThat(state()).isEqualTo("PAUSED");

    JsonNode broken = targetRun();
    String commit = broken.path("testBranchSha").asString();
    assertThat(broken.path("testedPullRequests").isEmpty()).isTrue();
    assertThat(commit).isNotEqualTo(git.head("main"));
    assertThat(git.tree(commit)).isEqualTo(git.tree("main"));
    upload(broken, "adds failed");
    report(broken, "FAILURE");
    assertThat(warning())
        .startsWith("main itself does not pass (The status ci failed. C adds failed.)");

    git.push("fix", "1");
    clock.advance(Duration.ofMinutes(1));
    JsonNode mended =
        until(this::targetRun, run -> !run.path("testRunId").equals(broken.path("testRunId")));
    assertThat(mended.path("baseSha").asString()).isEqualTo(git.head("main"));
    report(mended, "SUCCESS");
    assertThat(state()).isEqualTo("RUNNING");
    for (int number : new int[] {7, 8}) {
      report(run(number), "SUCCESS");
    }
    await(7, "MERGED");
    await(8, "MERGED");
    until(git::testBranches, List::isEmpty);
  }
}
