package dev.mainstay.server.queue;

import static dev.mainstay.server.queue.QueueCalls.faults;
import static dev.mainstay.server.queue.QueueCalls.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.MovableClock;
import dev.mainstay.server.TestDatabase;
import dev.mainstay.server.TestNode;
import dev.mainstay.server.TestNode.Answer;
import dev.mainstay.server.access.Access;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.Scope;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every endpoint of merge queues, where no forge is connected. */
class QueueEndpointsTest {
  private static final Database.Address ADDRESS = TestDatabase.empty();
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
  void a_queue_begins_with_the_settings_of_the_contract() {
    assertThat(queue.ok("createQueue").toString())
        .isEqualTo(
            """
            {"state":"RUNNING","branch":"main","mode":"single","concurrency":5,"bisectionConcurrency":5,\
            "testingTimeoutMinutes":300,"pendingFailureDepth":0,"canOptimisticallyMerge":false,"batch":false,\
            "batchingMinSize":4,"batchingMaxWaitTimeMinutes":5,"mergeMethod":"SQUASH","directMergeMode":"OFF",\
            "optimizationMode":"OFF","requiredStatuses":null,"commentsEnabled":true,"commandsEnabled":true,\
            "statusCheckEnabled":true,"createPrsForTestingBranches":true}""");
    assertThat(queue.ok("getQueue").path("enqueuedPullRequests").isEmpty()).isTrue();
    refused(queue.call("createQueue"), 409, "queue_exists");
  }

  @Test
  void every_setting_makes_the_round_trip() {
    String settings =
        """
        'concurrency':7,'bisectionConcurrency':3,'testingTimeoutMinutes':0,'pendingFailureDepth':2,\
        'canOptimisticallyMerge':true,'batch':true,'batchingMinSize':8,'batchingMaxWaitTimeMinutes':0,\
        'mergeMethod':'REBASE','directMergeMode':'ALWAYS','optimizationMode':'BISECTION_SKIP_REDUNDANT_TESTS',\
        'requiredStatuses':['ci/build','ci/test'],'commentsEnabled':false,'commandsEnabled':false,\
        'statusCheckEnabled':false,'createPrsForTestingBranches':false""";
    String expected =
        "{\"state\":\"RUNNING\",\"branch\":\"main\",\"mode\":\"parallel\","
            + settings.replace('\'', '"')
            + "}";
    assertThat(queue.ok("createQueue", "'mode':'Parallel'," + settings).toString())
        .isEqualTo(expected);
    QueueCalls other = queue("release/1.x");
    other.ok("createQueue");
    other.ok("updateQueue", "'mode':'PARALLEL'," + settings.replace("REBASE", "rebase"));
    assertThat(other.ok("updateQueue").toString())
        .isEqualTo(expected.replace("\"main\"", "\"release/1.x\""));
    assertThat(other.ok("updateQueue", "'deleteRequiredStatuses':true").path("requiredStatuses"))
        .isEqualTo(tools.jackson.databind.node.NullNode.getInstance());
    assertThat(other.ok("updateQueue", "'requiredStatuses':[]").path("requiredStatuses").toString())
        .isEqualTo("[]");
  }

  @Test
  void a_change_out_of_range_names_every_fault_and_changes_nothing() {
    queue.ok("createQueue");
    Answer answer =
        queue.call(
            "updateQueue", "'concurrency':0,'batch':true,'mode':'x','state':'SWITCHING_MODES'");
    assertThat(faults(answer)).containsExactlyInAnyOrder("concurrency", "mode", "state");
    assertThat(answer.json().path("errors").toString())
        .contains("must be RUNNING, PAUSED or DRAINING");
    assertThat(queue.ok("getQueue").path("batch").asBoolean()).isFalse();
  }

  @Test
  void a_queue_is_paused_drained_and_let_go_on() {
    queue.ok("createQueue");
    for (String state : new String[] {"PAUSED", "draining", "Running"}) {
      assertThat(queue.ok("updateQueue", "'state':'%s'".formatted(state)).path("state").asString())
          .isEqualToIgnoringCase(state);
    }
  }

  @Test
  void the_mode_of_an_empty_queue_changes_at_once() {
    queue.ok("createQueue");
    assertThat(queue.ok("updateQueue", "'mode':'parallel'").path("mode").asString())
        .isEqualTo("parallel");
    assertThat(queue.ok("getQueue").path("state").asString()).isEqualTo("RUNNING");
  }

  @Test
  void without_a_forge_a_submission_is_accepted_and_says_what_to_connect() {
    queue.ok("createQueue");
    var pr = queue.ok("submitPullRequest", 7);
    assertThat(pr.path("state").asString()).isEqualTo("NOT_READY");
    assertThat(pr.path("reason").path("code").asString()).isEqualTo("no_forge");
    assertThat(pr.at("/readiness/waitingFor").toString()).contains("Connect a forge");
    assertThat(pr.at("/readiness/mergeability").asString()).isEqualTo("UNSPECIFIED");
    assertThat(pr.path("isCurrentlySubmittedToQueue").asBoolean()).isTrue();
    assertThat(pr.path("prNumber").asInt()).isEqualTo(7);
    assertThat(pr.path("priorityValue").asInt()).isEqualTo(100);
    assertThat(pr.path("priorityName").asString()).isEqualTo("medium");
    assertThat(pr.path("usedDefaultPriorityName").asString()).isEqualTo("medium");
    assertThat(pr.has("position")).isFalse();
    assertThat(queue.ok("getSubmittedPullRequest", 7)).isEqualTo(pr);
    assertThat(queue.ok("getQueue").path("enqueuedPullRequests").get(0)).isEqualTo(pr);
  }

  @Test
  void submitted_again_it_takes_the_new_priority_and_stays_the_same_submission() {
    queue.ok("createQueue");
    var first = queue.ok("submitPullRequest", 7);
    var second = queue.ok("submitPullRequest", 7, "'priority':'URGENT','noBatch':true");
    assertThat(second.path("id")).isEqualTo(first.path("id"));
    assertThat(second.path("priorityValue").asInt()).isZero();
    assertThat(second.path("skipTheLine").asBoolean()).isTrue();
    assertThat(second.path("noBatch").asBoolean()).isTrue();
    assertThat(second.has("usedDefaultPriorityName")).isFalse();
    var third = queue.ok("submitPullRequest", 7, "'priority':42");
    assertThat(third.path("priorityName").asString()).isEqualTo("42");
    assertThat(queue.ok("submitPullRequest", 7, "'priority':'43'").path("priorityValue").asInt())
        .isEqualTo(43);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "256", "1.5", "'soon'", "true", "[]", "{}", "''", "'300'", "1e99"})
  void a_priority_is_a_name_or_a_small_number(String priority) {
    assertThat(faults(queue.call("submitPullRequest", 7, "'priority':" + priority)))
        .containsExactly("priority");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "1.5", "'x'", "''", "'0'", "null", "[]", "99999999999"})
  void a_pull_request_has_a_number_from_1(String number) {
    assertThat(faults(queue.call("submitPullRequest", "'pr':{'number':%s}".formatted(number))))
        .containsExactly("pr.number");
  }

  @Test
  void a_number_may_come_as_text() {
    queue.ok("createQueue");
    assertThat(queue.ok("submitPullRequest", "'pr':{'number':'12'}").path("prNumber").asInt())
        .isEqualTo(12);
  }

  @Test
  void a_cancelled_one_is_out_stays_out_and_may_come_again() {
    queue.ok("createQueue");
    refused(queue.call("cancelPullRequest", 7), 404, "pull_request_not_found");
    var first = queue.ok("submitPullRequest", 7);
    assertThat(queue.ok("cancelPullRequest", 7).toString()).isEqualTo("{}");
    assertThat(queue.ok("cancelPullRequest", 7).toString()).isEqualTo("{}");
    var ended = queue.ok("getSubmittedPullRequest", 7);
    assertThat(ended.path("state").asString()).isEqualTo("CANCELLED");
    assertThat(ended.at("/reason/code").asString()).isEqualTo("cancelled_by_user");
    assertThat(ended.path("isCurrentlySubmittedToQueue").asBoolean()).isFalse();
    assertThat(queue.ok("getQueue").path("enqueuedPullRequests").isEmpty()).isTrue();
    assertThat(queue.ok("submitPullRequest", 7).path("id")).isNotEqualTo(first.path("id"));
  }

  @Test
  void nothing_is_restarted_that_was_not_tested() {
    queue.ok("createQueue");
    refused(queue.call("restartTestsOnPullRequest", 7), 404, "pull_request_not_found");
    queue.ok("submitPullRequest", 7);
    refused(queue.call("restartTestsOnPullRequest", 7), 409, "not_tested");
    queue.ok("cancelPullRequest", 7);
    refused(queue.call("restartTestsOnPullRequest", 7), 409, "not_tested");
  }

  @Test
  void only_an_empty_queue_is_deleted() {
    queue.ok("createQueue");
    queue.ok("submitPullRequest", 7);
    queue.ok("submitPullRequest", 9);
    Answer answer = queue.call("deleteQueue");
    refused(answer, 409, "queue_not_empty");
    assertThat(answer.json().path("detail").asString())
        .contains("#7 (NOT_READY)")
        .contains("#9 (NOT_READY)");
    queue.ok("cancelPullRequest", 7);
    queue.ok("cancelPullRequest", 9);
    assertThat(queue.ok("deleteQueue").toString()).isEqualTo("{}");
    refused(queue.call("deleteQueue"), 404, "queue_not_found");
    queue.ok("createQueue");
    refused(queue.call("getSubmittedPullRequest", 7), 404, "pull_request_not_found");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "getQueue",
        "updateQueue",
        "deleteQueue",
        "submitPullRequest",
        "cancelPullRequest",
        "restartTestsOnPullRequest",
        "getSubmittedPullRequest",
        "setImpactedTargets",
        "listPullRequests",
        "getMergeQueueTestingDetails",
        "reportTestStatus"
      })
  void what_is_not_there_and_what_belongs_to_others_is_404_in_the_same_words(String operation) {
    String more =
        "'pr':{'number':7,'sha':'%s'},'impactedTargets':[],'name':'ci','state':'%s'%s"
            .formatted(
                "a".repeat(40),
                switch (operation) {
                  case "updateQueue" -> "PAUSED";
                  case "listPullRequests" -> "MERGED";
                  default -> "SUCCESS";
                },
                operation.equals("reportTestStatus") ? ",'testRunId':'1'" : "");
    queue.ok("createQueue");
    Answer missing = queue("main").call(operation, more);
    refused(missing, 404, "queue_not_found");
    var foreign = new QueueCalls(node, foreignToken(), queue.repo(), "main");
    Answer hidden = foreign.call(operation, more);
    refused(hidden, 404, "queue_not_found");
    assertThat(hidden.json().path("detail")).isEqualTo(missing.json().path("detail"));
  }

  @Test
  void two_organizations_have_queues_of_the_same_name() {
    queue.ok("createQueue");
    var foreign = new QueueCalls(node, foreignToken(), queue.repo(), "main");
    foreign.ok("createQueue", "'concurrency':9");
    assertThat(queue.ok("getQueue").path("concurrency").asInt()).isEqualTo(5);
    foreign.ok("deleteQueue");
    queue.ok("getQueue");
  }

  @Test
  void a_repository_is_the_same_in_any_case_and_a_branch_is_not() {
    queue.ok("createQueue");
    var loud =
        new QueueCalls(node, node.token(), queue.repo().toUpperCase(java.util.Locale.ROOT), "main");
    loud.ok("getQueue");
    refused(
        new QueueCalls(node, node.token(), queue.repo(), "Main").call("getQueue"),
        404,
        "queue_not_found");
  }

  @Test
  void scopes_decide() {
    queue.ok("createQueue");
    String reader = token(Scope.READ);
    String operator = token(Scope.QUEUE);
    var reading = new QueueCalls(node, reader, queue.repo(), "main");
    reading.ok("getQueue");
    reading.ok("listPullRequests");
    reading.ok("getMergeQueueTestingDetails");
    assertThat(node.get("/v1/getMergeQueueMetrics", reader).status()).isEqualTo(200);
    refused(reading.call("submitPullRequest", 1), 403, "insufficient_scope");
    refused(reading.call("updateQueue"), 403, "insufficient_scope");
    var operating = new QueueCalls(node, operator, queue.repo(), "main");
    operating.ok("submitPullRequest", 1);
    refused(operating.call("connectRepository"), 403, "insufficient_scope");
  }

  @Test
  void names_are_checked_each_for_itself() {
    assertThat(faults(node.post("/v1/getQueue", node.token(), "{}")))
        .containsExactlyInAnyOrder("repo", "targetBranch");
    assertThat(
            faults(
                node.post(
                    "/v1/getQueue",
                    node.token(),
                    """
                    {"repo":{"host":"a b","owner":"a//b","name":"../x"},"targetBranch":"--upload-pack=x"}
                    """)))
        .containsExactlyInAnyOrder("repo.host", "repo.owner", "repo.name", "targetBranch");
    assertThat(
            faults(
                node.post(
                    "/v1/getQueue",
                    node.token(),
                    """
                    {"repo":{"host":7,"owner":"%s"},"targetBranch":"a..b"}
                    """
                        .formatted("o".repeat(501)))))
        .containsExactlyInAnyOrder("repo.host", "repo.owner", "repo.name", "targetBranch");
  }

  @Test
  void history_comes_in_pages_newest_first() {
    queue.ok("createQueue");
    for (int pr = 1; pr <= 5; pr++) {
      queue.ok("submitPullRequest", pr);
    }
    queue.ok("cancelPullRequest", 2);
    var first = queue.ok("listPullRequests", "'take':2");
    assertThat(numbers(first)).isEqualTo("5 4");
    var second =
        queue.ok(
            "listPullRequests",
            "'take':2,'cursor':'%s'".formatted(first.path("nextCursor").asString()));
    assertThat(numbers(second)).isEqualTo("3 2");
    var third =
        queue.ok(
            "listPullRequests",
            "'take':2,'cursor':'%s'".formatted(second.path("nextCursor").asString()));
    assertThat(numbers(third)).isEqualTo("1");
    assertThat(third.has("nextCursor")).isFalse();
    assertThat(numbers(queue.ok("listPullRequests", "'state':'cancelled'"))).isEqualTo("2");
    assertThat(numbers(queue.ok("listPullRequests", "'since':'2999-01-01T00:00:00Z'"))).isEmpty();
    assertThat(faults(queue.call("listPullRequests", "'cursor':'nonsense'")))
        .containsExactly("cursor");
    assertThat(
            faults(
                queue.call(
                    "listPullRequests", "'take':101,'state':'GONE','since':'today','cursor':7")))
        .containsExactlyInAnyOrder("take", "state", "since", "cursor");
  }

  private static String numbers(tools.jackson.databind.JsonNode page) {
    return String.join(
        " ",
        page.path("pullRequests").valueStream().map(p -> p.path("prNumber").asString()).toList());
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
            foreignToken()),
        404,
        "repository_not_found");
  }

  @Test
  void metrics_take_a_bearer_token_and_nothing_else_does() {
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
    assertThat(node.send(node.request("/v1/whoami", "").header("authorization", bearer)).status())
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

  private static String token(Scope scope) {
    return withAccess(
        access -> {
          long id = access.organization("default").orElseThrow().id();
          return made(access.createKey(id, "default", "test", Set.of(scope), Optional.empty()));
        });
  }

  private static String foreignToken() {
    return withAccess(
        access -> {
          var known = access.organization("others");
          var others = known.isPresent() ? known : access.createOrganization("others", "Others");
          return made(
              access.createKey(
                  others.orElseThrow().id(),
                  "others",
                  "test",
                  Set.of(Scope.ADMIN),
                  Optional.empty()));
        });
  }

  private static String made(Access.Outcome outcome) {
    return ((Access.Outcome.Made) outcome).made().token().text();
  }

  private static String withAccess(java.util.function.Function<Access, String> work) {
    try (var database = Database.connect(ADDRESS, 2)) {
      return work.apply(new Access(database, node.clock()));
    }
  }
}
