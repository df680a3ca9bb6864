package dev.mainstay.server.queue;

import static dev.mainstay.server.queue.QueueCalls.faults;
import static dev.mainstay.server.queue.QueueCalls.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.MovableClock;
import dev.mainstay.server.TestDatabase;
import dev.mainstay.server.TestNode;
import dev.mainstay.server.TestNode.Answer;
import dev.mainstay.server.platform.Database;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Targets, test runs, metrics and connections, where no forge is connected. */
class TestRunEndpointsTest {
  private static final Database.Address ADDRESS = TestDatabase.withTables();
  private static final TestKeys KEYS = new TestKeys(ADDRESS);
  private static final AtomicInteger REPOS = new AtomicInteger();
  private static TestNode node;

  private final QueueCalls queue = queue("main");

  @BeforeAll
  static void start() {
    node = TestNode.start(ADDRESS, new MovableClock());
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static QueueCalls queue(String branch) {
    return new QueueCalls(node, node.token(), "repo" + REPOS.incrementAndGet(), branch);
  }

  @Test
  void targets_may_come_before_the_submission_by_the_hundred_thousand() {
    queue.ok("createQueue", "'mode':'parallel'");
    var targets = new StringBuilder();
    for (int i = 0; i < 100_000; i++) {
      targets
          .append(i == 0 ? "" : ",")
          .append("'//some/package/number")
          .append(i)
          .append(":target'");
    }
    String head = "'pr':{'number':7,'sha':'%s'}".formatted("a".repeat(40));
    assertThat(
            queue
                .ok("setImpactedTargets", head + ",'impactedTargets':[" + targets + "]")
                .toString())
        .isEqualTo("{}");
    queue.ok("setImpactedTargets", head + ",'impactedTargets':'all'");
    queue.ok("setImpactedTargets", head + ",'impactedTargets':[]");
    refused(queue.call("setImpactedTargets", 7, "'impactedTargets':[]"), 409, "head_unknown");
  }

  @Test
  void targets_of_exactly_20_mib_are_taken() {
    queue.ok("createQueue", "'mode':'parallel'");
    String start =
        queue.body("'pr':{'number':7,'sha':'%s'},'impactedTargets':['x'".formatted("a".repeat(40)));
    var body = new StringBuilder(start.substring(0, start.length() - 1));
    int size = 20 * 1024 * 1024 - 2;
    for (int i = 0; body.length() < size - 40; i++) {
      body.append(",\"//p").append(i).append('"');
    }
    body.append(" ".repeat(size - body.length())).append("]}");
    assertThat(body).hasSize(20 * 1024 * 1024);
    assertThat(node.post("/v1/setImpactedTargets", node.token(), body.toString()).status())
        .isEqualTo(200);
    refused(node.post("/v1/setImpactedTargets", node.token(), body + " "), 413, "body_too_large");
  }

  @Test
  void faulty_targets_are_named() {
    assertThat(
            faults(
                queue.call(
                    "setImpactedTargets",
                    "'pr':{'number':7,'sha':'abc'},'impactedTargets':['a','',5,null]")))
        .containsExactlyInAnyOrder(
            "pr.sha", "impactedTargets[1]", "impactedTargets[2]", "impactedTargets[3]");
    for (String bad : new String[] {"'SOME'", "7", "{}", "null", "true"}) {
      assertThat(faults(queue.call("setImpactedTargets", 7, "'impactedTargets':" + bad)))
          .containsExactly("impactedTargets");
    }
    String hundredTwenty = "'',".repeat(120) + "'x'";
    assertThat(
            queue
                .call("setImpactedTargets", 7, "'impactedTargets':[" + hundredTwenty + "]")
                .json()
                .path("errors")
                .size())
        .isEqualTo(101);
  }

  @Test
  void a_status_names_its_run_once_and_says_what_it_says() {
    queue.ok("createQueue");
    assertThat(faults(queue.call("reportTestStatus")))
        .containsExactlyInAnyOrder("testRunId", "name", "state");
    assertThat(
            faults(
                queue.call(
                    "reportTestStatus",
                    "'testRunId':'1','testBranchSha':'abc','name':'','state':'GREEN','url':'javascript:x'")))
        .containsExactlyInAnyOrder("testRunId", "testBranchSha", "name", "state", "url");
    for (String run :
        new String[] {
          "'testRunId':'99'",
          "'testRunId':'no number'",
          "'testBranchSha':'%s'".formatted("b".repeat(40))
        }) {
      refused(
          queue.call("reportTestStatus", run + ",'name':'ci','state':'success'"),
          404,
          "test_run_not_found");
    }
  }

  @Test
  void what_is_tested_is_shown_and_unknown_runs_are_404() {
    queue.ok("createQueue");
    assertThat(queue.ok("getMergeQueueTestingDetails").toString()).isEqualTo("{\"testRuns\":[]}");
    refused(
        queue.call("getMergeQueueTestingDetails", "'testRunId':'99'"), 404, "test_run_not_found");
    refused(queue.call("getMergeQueueTestingDetails", 7), 404, "pull_request_not_found");
    String at =
        "/v1/getTestRunOutput?repoHost=git.example&repo=acme/%s&targetBranch=main"
            .formatted(queue.repo());
    refused(node.get(at + "&testRunId=99", node.token()), 404, "output_not_found");
    assertThat(faults(node.get(at, node.token()))).containsExactly("testRunId");
    assertThat(faults(node.get("/v1/getTestRunOutput?repo=x&repoHost=%20", node.token())))
        .containsExactlyInAnyOrder("repo", "repoHost", "targetBranch", "testRunId");
  }

  @Test
  void metrics_are_of_all_repositories_or_of_one() {
    queue.ok("createQueue");
    QueueCalls other = queue("main");
    other.ok("createQueue");
    Answer all = node.get("/v1/getMergeQueueMetrics", node.token());
    assertThat(all.header("content-type")).isEqualTo("text/plain; version=0.0.4; charset=utf-8");
    assertThat(all.body())
        .contains("mq_depth_current{repo=\"acme/%s\",branch=\"main\"".formatted(queue.repo()))
        .contains("repo=\"acme/%s\"".formatted(other.repo()));
    Answer one =
        node.get(
            "/v1/getMergeQueueMetrics?repoHost=GIT.example&repo=acme/" + queue.repo(),
            node.token());
    assertThat(one.body()).contains(queue.repo()).doesNotContain(other.repo() + "\"");
    assertThat(faults(node.get("/v1/getMergeQueueMetrics?repo=acme/x", node.token())))
        .containsExactly("repoHost");
    assertThat(faults(node.get("/v1/getMergeQueueMetrics?repoHost=git.example", node.token())))
        .containsExactly("repo");
    assertThat(faults(node.get("/v1/getMergeQueueMetrics?repoHost=h&repo=acme", node.token())))
        .containsExactly("repo");
    refused(
        node.get("/v1/getMergeQueueMetrics?repoHost=git.example&repo=acme/none", node.token()),
        404,
        "repository_not_found");
    refused(
        node.get(
            "/v1/getMergeQueueMetrics?repoHost=git.example&repo=acme/" + queue.repo(),
            KEYS.foreign()),
        404,
        "repository_not_found");
  }

  @Test
  void metrics_take_a_bearer_token() {
    String bearer = "Bearer " + node.token();
    assertThat(
            node.send(node.request("/v1/getMergeQueueMetrics", "").header("authorization", bearer))
                .status())
        .isEqualTo(200);
    assertThat(
            node.send(
                    node.request("/v1/getMergeQueueMetrics", "")
                        .header("authorization", "Bearer x"))
                .status())
        .isEqualTo(401);
  }

  @Test
  void a_repository_that_is_not_connected_says_so() {
    queue.ok("createQueue");
    for (String operation :
        new String[] {"getRepositoryConnection", "disconnectRepository", "hooks/git"}) {
      refused(queue.call(operation), 404, "connection_not_found");
    }
    refused(node.post("/hooks/git?token=nobody", "", "{}"), 404, "hook_not_found");
    assertThat(faults(node.post("/hooks/git", "", "{}"))).containsExactly("token");
    assertThat(
            faults(
                queue.call(
                    "connectRepository",
                    "'address':'--upload-pack=x','testTimeoutMinutes':0,'testCommand':7")))
        .containsExactlyInAnyOrder("address", "testTimeoutMinutes", "testCommand");
    refused(
        queue.call("connectRepository", "'address':'/nowhere/at/all.git'"),
        409,
        "repository_unreachable");
  }
}
