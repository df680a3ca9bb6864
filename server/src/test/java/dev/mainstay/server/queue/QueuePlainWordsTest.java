package dev.mainstay.server.queue;

import static dev.mainstay.server.Waiting.until;
import static dev.mainstay.server.queue.QueueCalls.faults;
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

/** A queue on plain git says what it waits for and what will not work as it is set. */
class QueuePlainWordsTest {
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
    String name = "plain" + REPOS.incrementAndGet();
    git = new TestRepository(Files.createDirectory(dir.resolve(name)));
    queue = new QueueCalls(node, node.token(), name, "main");
  }

  @Test
  void statuses_that_nobody_reports_are_named_with_their_time() {
    connect(",'testCommand':'true'");
    queue.ok("createQueue", "'requiredStatuses':['ci/build','ci/test']");
    git.open(7, "cart", "1");
    queue.ok("submitPullRequest", 7);
    JsonNode run = awaitRun(7);
    assertThat(names(run.path("missingStatuses"))).containsExactly("ci/build", "ci/test");
    String since = run.at("/missingStatuses/0/since").asString();
    assertThat(since).endsWith("Z");
    String message = queue.ok("getSubmittedPullRequest", 7).at("/reason/message").asString();
    assertThat(message)
        .contains("Nothing was reported yet for ci/build and ci/test, awaited since 20");
    report(run, "ci/build", "PENDING");
    assertThat(names(awaitRun(7).path("missingStatuses"))).containsExactly("ci/test");
    assertThat(queue.ok("getQueue").at("/enqueuedPullRequests/0/reason/message").asString())
        .contains("for ci/test, awaited since")
        .doesNotContain("ci/build");
    report(run, "ci/build", "SUCCESS");
    report(run, "ci/test", "SUCCESS");
    await(7, "MERGED");
    var details = queue.ok("getMergeQueueTestingDetails", 7);
    assertThat(details.at("/testRuns/0/missingStatuses").isEmpty()).isTrue();
  }

  @Test
  void a_test_command_that_nothing_requires_is_warned_of_wherever_it_is_set() {
    connect("");
    assertThat(warnings(queue.ok("createQueue", "'requiredStatuses':['ci/build']")))
        .singleElement()
        .asString()
        .startsWith("ci/build must be reported");
    JsonNode connected = connect(",'testCommand':'true'");
    assertThat(warnings(connected))
        .hasSize(2)
        .allMatch(w -> w.startsWith("The queue of main: "))
        .anyMatch(w -> w.contains("test command is never run"));
    assertThat(warnings(queue.ok("getQueue"))).hasSize(2);
    assertThat(warnings(queue.ok("updateQueue", "'deleteRequiredStatuses':true"))).isEmpty();
    connect("");
    assertThat(warnings(queue.ok("updateQueue", "'requiredStatuses':['mainstay/test']")))
        .singleElement()
        .asString()
        .contains("has no test command");
    assertThat(warnings(queue.ok("updateQueue", "'deleteRequiredStatuses':true")))
        .singleElement()
        .asString()
        .startsWith("Nothing says what must pass");
  }

  @Test
  void a_branch_that_is_not_there_is_warned_of_and_nobody_is_let_in_until_it_is() {
    connect("");
    var release = new QueueCalls(node, node.token(), queue.repo(), "release");
    assertThat(warnings(release.ok("createQueue", "'requiredStatuses':[]")))
        .singleElement()
        .asString()
        .contains("no branch release");
    git.open(7, "cart", "1");
    JsonNode pr = release.ok("submitPullRequest", 7);
    assertThat(pr.path("state").asString()).isEqualTo("NOT_READY");
    assertThat(pr.at("/reason/code").asString()).isEqualTo("target_branch_missing");
    assertThat(pr.at("/readiness/waitingFor").toString()).contains("no branch release");
    git.branch("release");
    release.ok("hooks/git");
    until(
        () -> release.ok("getSubmittedPullRequest", 7),
        shown -> shown.path("state").asString().equals("MERGED"));
    assertThat(warnings(release.ok("getQueue"))).isEmpty();
  }

  @Test
  void a_state_beside_a_mode_does_not_undo_the_switch_and_a_state_alone_does() {
    connect("");
    queue.ok("createQueue", "'requiredStatuses':['ci']");
    git.open(7, "cart", "1");
    queue.ok("submitPullRequest", 7);
    awaitRun(7);
    JsonNode switching = queue.ok("updateQueue", "'mode':'parallel','state':'RUNNING'");
    assertThat(switching.path("state").asString()).isEqualTo("SWITCHING_MODES");
    assertThat(switching.path("mode").asString()).isEqualTo("single");
    assertThat(switching.path("nextMode").asString()).isEqualTo("parallel");
    JsonNode again = queue.ok("updateQueue", "'mode':'parallel','state':'PAUSED'");
    assertThat(again.path("state").asString()).isEqualTo("SWITCHING_MODES");
    assertThat(warnings(again)).anyMatch(w -> w.contains("not paused"));
    JsonNode alone = queue.ok("updateQueue", "'state':'RUNNING'");
    assertThat(alone.path("state").asString()).isEqualTo("RUNNING");
    assertThat(alone.has("nextMode")).isFalse();
    queue.ok("updateQueue", "'mode':'parallel'");
    JsonNode back = queue.ok("updateQueue", "'mode':'single'");
    assertThat(back.path("state").asString()).isEqualTo("RUNNING");
    assertThat(back.has("nextMode")).isFalse();
    queue.ok("updateQueue", "'mode':'parallel','state':'RUNNING'");
    report(awaitRun(7), "ci", "SUCCESS");
    await(7, "MERGED");
    JsonNode switched = queue.ok("getQueue");
    assertThat(switched.path("mode").asString()).isEqualTo("parallel");
    assertThat(switched.path("state").asString()).isEqualTo("RUNNING");
    assertThat(queue.ok("updateQueue", "'mode':'single','state':'PAUSED'").path("state").asString())
        .isEqualTo("PAUSED");
  }

  @Test
  void statuses_of_the_head_itself_merge_it_directly_whenever_they_came() {
    connect("");
    queue.ok("createQueue", "'requiredStatuses':['ci'],'directMergeMode':'ALWAYS'");
    String unseen = git.open(7, "cart", "1").value();
    reportHead(unseen, "", "SUCCESS");
    queue.ok("submitPullRequest", 7);
    JsonNode merged = await(7, "MERGED");
    assertThat(merged.at("/reason/code").asString()).isEqualTo("merged_directly");
    assertThat(merged.has("testRunId")).isFalse();
    String failing = git.open(8, "shelf", "1").value();
    reportHead(failing, ",'number':8", "SUCCESS");
    reportHead(failing.toUpperCase(java.util.Locale.ROOT), ",'number':'8'", "FAILURE");
    queue.ok("submitPullRequest", 8);
    awaitRun(8);
  }

  @Test
  void statuses_of_a_head_that_is_pushed_later_count_for_that_head() {
    connect("");
    queue.ok(
        "createQueue", "'requiredStatuses':['ci'],'directMergeMode':'ALWAYS','mode':'parallel'");
    git.open(7, "cart", "1");
    queue.ok("submitPullRequest", 7);
    String pushed = git.open(7, "cart", "2").value();
    reportHead(pushed, "", "SUCCESS");
    queue.ok(
        "setImpactedTargets",
        "'pr':{'number':7,'sha':'%s'},'impactedTargets':['ALL']".formatted(pushed));
    queue.ok("hooks/git");
    JsonNode merged = await(7, "MERGED");
    assertThat(merged.path("prSha").asString()).isEqualTo(pushed);
    assertThat(merged.at("/reason/code").asString()).isEqualTo("merged_directly");
  }

  @Test
  void a_report_on_a_head_names_a_whole_commit() {
    queue.ok("createQueue");
    String about = "'name':'ci','state':'SUCCESS','pr':";
    assertThat(faults(queue.call("reportTestStatus", about + "{'sha':'abc'}")))
        .containsExactly("pr.sha");
    assertThat(faults(queue.call("reportTestStatus", about + "{'number':0}")))
        .containsExactlyInAnyOrder("pr.sha", "pr.number");
    assertThat(faults(queue.call("reportTestStatus", about + "7"))).containsExactly("pr");
    refused(
        new QueueCalls(node, node.token(), "nowhere", "main")
            .call("reportTestStatus", about + "{'sha':'%s'}".formatted("a".repeat(40))),
        404,
        "queue_not_found");
  }

  @Test
  void a_restart_tests_the_same_commits_elsewhere_and_forgets_what_was_reported() {
    connect("");
    queue.ok("createQueue", "'requiredStatuses':['ci','lint']");
    git.open(7, "cart", "1");
    git.open(8, "shelf", "1");
    queue.ok("submitPullRequest", 7);
    queue.ok("submitPullRequest", 8);
    JsonNode first = awaitRun(7);
    String behind = awaitRun(8).path("testRunId").asString();
    report(first, "ci", "SUCCESS");
    queue.ok("restartTestsOnPullRequest", 7);
    JsonNode second =
        until(
                () -> queue.ok("getMergeQueueTestingDetails", 7),
                runs ->
                    !runs.at("/testRuns/0/testBranchSha").asString("").isEmpty()
                        && !runs.at("/testRuns/0/testRunId").equals(first.path("testRunId")))
            .at("/testRuns/0");
    assertThat(second.path("testBranch")).isNotEqualTo(first.path("testBranch"));
    assertThat(second.path("testBranchSha")).isEqualTo(first.path("testBranchSha"));
    assertThat(names(second.path("missingStatuses"))).containsExactly("ci", "lint");
    queue.ok(
        "reportTestStatus",
        "'testRunId':'%s','name':'ci','state':'FAILURE'"
            .formatted(first.path("testRunId").asString()));
    assertThat(names(awaitRun(7).path("missingStatuses"))).containsExactly("ci", "lint");
    assertThat(awaitRun(8).path("testRunId").asString()).isEqualTo(behind);
    assertThat(queue.ok("getSubmittedPullRequest", 7).path("position").asInt()).isEqualTo(1);
  }

  @Test
  void one_that_waits_for_a_slot_may_be_restarted_and_one_that_is_not_in_may_not() {
    connect("");
    queue.ok("createQueue", "'requiredStatuses':['ci'],'concurrency':1");
    git.open(7, "cart", "1");
    git.open(8, "shelf", "1");
    queue.ok("submitPullRequest", 7);
    awaitRun(7);
    queue.ok("submitPullRequest", 8);
    await(8, "PENDING");
    assertThat(queue.ok("restartTestsOnPullRequest", 8).toString()).isEqualTo("{}");
    assertThat(queue.ok("getSubmittedPullRequest", 8).path("state").asString())
        .isEqualTo("PENDING");
    queue.ok("cancelPullRequest", 8);
    refused(queue.call("restartTestsOnPullRequest", 8), 409, "not_tested");
  }

  @Test
  void a_list_that_says_all_is_all() {
    connect("");
    queue.ok("createQueue", "'requiredStatuses':['ci'],'mode':'parallel'");
    git.open(7, "cart", "1");
    queue.ok("submitPullRequest", 7);
    queue.ok("setImpactedTargets", 7, "'impactedTargets':['ALL']");
    assertThat(awaitRun(7).path("impactedTargets").asString("")).isEqualTo("ALL");
  }

  @Test
  void a_deleted_queue_that_is_made_anew_works_and_shows_its_runs() {
    connect(",'testCommand':'true'");
    queue.ok("createQueue");
    git.open(7, "cart", "1");
    queue.ok("submitPullRequest", 7);
    String run = await(7, "MERGED").path("testRunId").asString();
    queue.ok("deleteQueue");
    queue.ok("createQueue");
    assertThat(
            queue
                .ok("getMergeQueueTestingDetails", "'testRunId':'%s'".formatted(run))
                .at("/testRuns/0/status")
                .asString())
        .isEqualTo("SUCCEEDED");
    git.open(8, "shelf", "1");
    queue.ok("submitPullRequest", 8);
    assertThat(await(8, "MERGED").path("testRunId").asString()).isNotEqualTo(run);
    until(git::testBranches, List::isEmpty);
  }

  private JsonNode connect(String more) {
    return queue.ok("connectRepository", "'address':'%s'%s".formatted(git.address(), more));
  }

  private static List<String> warnings(JsonNode answer) {
    assertThat(answer.path("warnings").isArray()).as(answer.toString()).isTrue();
    return answer.path("warnings").valueStream().map(JsonNode::asString).toList();
  }

  private static List<String> names(JsonNode missing) {
    return missing.valueStream().map(m -> m.path("name").asString()).toList();
  }

  private void report(JsonNode run, String name, String state) {
    queue.ok(
        "reportTestStatus",
        "'testBranchSha':'%s','name':'%s','state':'%s'"
            .formatted(run.path("testBranchSha").asString(), name, state));
  }

  private void reportHead(String sha, String number, String state) {
    queue.ok(
        "reportTestStatus",
        "'pr':{'sha':'%s'%s},'name':'ci','state':'%s'".formatted(sha, number, state));
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
