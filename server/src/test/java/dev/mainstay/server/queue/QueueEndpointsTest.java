package dev.mainstay.server.queue;

import static dev.mainstay.server.queue.QueueCalls.faults;
import static dev.mainstay.server.queue.QueueCalls.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.MovableClock;
import dev.mainstay.server.TestDatabase;
import dev.mainstay.server.TestNode;
import dev.mainstay.server.TestNode.Answer;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.http.Scope;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Queues and pull requests, where no forge is connected. */
class QueueEndpointsTest {
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
  void a_queue_begins_with_the_settings_of_the_contract() {
    assertThat(queue.ok("createQueue").toString())
        .isEqualTo(
            """
            {"state":"RUNNING","branch":"main","mode":"single","concurrency":5,"bisectionConcurrency":5,\
            "bisectionConcurrencyFollows":true,"testingTimeoutMinutes":300,"pendingFailureDepth":0,"canOptimisticallyMerge":false,"batch":false,\
            "batchingMinSize":4,"batchingMaxWaitTimeMinutes":5,"mergeMethod":"SQUASH","directMergeMode":"OFF",\
            "optimizationMode":"OFF","requiredStatuses":null,"commentsEnabled":true,"commandsEnabled":true,\
            "statusCheckEnabled":true,"createPrsForTestingBranches":false,"rewriteHeadBranches":true,\
            "hermeticTests":true,"speculationBudget":0,"flakeRetries":1,"batchSizing":"FIXED","timeoutSizing":"FIXED","batchSizeInForce":1,"testingTimeoutMinutesInForce":300,\
            "enqueueingLabel":null,"labelCommandsEnabled":false,"stateLabelsEnabled":false,"commandPrefixes":["/mainstay"],"extensionEnabled":false,"warnings":[\
            "No forge is connected to this repository: until one is, everybody stays NOT_READY."]}""");
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
        'statusCheckEnabled':false,'createPrsForTestingBranches':false,'rewriteHeadBranches':false,\
        'hermeticTests':false,'speculationBudget':3,'flakeRetries':5,'batchSizing':'AUTO','timeoutSizing':'AUTO',\
        'enqueueingLabel':'merge me','labelCommandsEnabled':true,'stateLabelsEnabled':true,'commandPrefixes':['/mainstay','/trunk'],'extensionEnabled':true""";
    String expected =
        "{\"state\":\"RUNNING\",\"branch\":\"main\",\"mode\":\"parallel\","
            + settings
                .replace("'bisectionConcurrency':3", "$0,'bisectionConcurrencyFollows':false")
                .replace("$0", "'bisectionConcurrency':3")
                .replace(
                    "'timeoutSizing':'AUTO'",
                    "'timeoutSizing':'AUTO','batchSizeInForce':1,'testingTimeoutMinutesInForce':0")
                .replace('\'', '"')
            + ",\"warnings\":[\"No forge is connected to this repository: until one is, everybody stays"
            + " NOT_READY.\"]}";
    assertThat(queue.ok("createQueue", "'mode':'Parallel'," + settings).toString())
        .isEqualTo(expected);
    QueueCalls other = queue("release/1.x");
    other.ok("createQueue");
    other.ok("updateQueue", "'mode':'PARALLEL'," + settings.replace("REBASE", "rebase"));
    assertThat(other.ok("updateQueue").toString())
        .isEqualTo(expected.replace("\"main\"", "\"release/1.x\""));
    assertThat(other.ok("updateQueue", "'deleteRequiredStatuses':true").path("requiredStatuses"))
        .isEqualTo(tools.jackson.databind.node.NullNode.getInstance());
    assertThat(other.ok("updateQueue", "'enqueueingLabel':''").path("enqueueingLabel").isNull())
        .isTrue();
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
    refused(queue.call("listPullRequests"), 404, "queue_not_found");
    assertThat(node.post("/v1/listQueues", node.token(), "{}").json().path("queues").valueStream())
        .noneMatch(q -> q.at("/repo/name").asString().equals(queue.repo()));
  }

  @Test
  void a_queue_that_is_made_anew_has_its_history_and_default_settings() {
    queue.ok("createQueue", "'concurrency':9");
    String first = queue.ok("submitPullRequest", 7).path("id").asString();
    queue.ok("cancelPullRequest", 7);
    queue.ok("deleteQueue");
    assertThat(queue.ok("createQueue").path("concurrency").asInt()).isEqualTo(5);
    refused(queue.call("createQueue"), 409, "queue_exists");
    assertThat(queue.ok("getSubmittedPullRequest", 7).path("state").asString())
        .isEqualTo("CANCELLED");
    assertThat(queue.ok("getQueue").path("enqueuedPullRequests").isEmpty()).isTrue();
    String second = queue.ok("submitPullRequest", 7).path("id").asString();
    assertThat(
            queue
                .ok("listPullRequests")
                .path("pullRequests")
                .valueStream()
                .map(pr -> pr.path("id").asString()))
        .containsExactly(second, first);
  }

  @Test
  void a_branch_is_named_alone() {
    Answer answer = queue("refs/heads/main").call("createQueue");
    assertThat(faults(answer)).containsExactly("targetBranch");
    assertThat(answer.body()).contains("main for refs/heads/main");
  }

  @Test
  void the_bisection_slots_follow_until_somebody_sets_them() {
    queue.ok("createQueue", "'concurrency':7");
    assertThat(queue.ok("updateQueue", "'concurrency':8").path("bisectionConcurrency").asInt())
        .isEqualTo(8);
    queue.ok("updateQueue", "'bisectionConcurrency':8");
    var set = queue.ok("updateQueue", "'concurrency':9");
    assertThat(set.path("bisectionConcurrency").asInt()).isEqualTo(8);
    assertThat(set.path("bisectionConcurrencyFollows").asBoolean()).isFalse();
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
    var foreign = new QueueCalls(node, KEYS.foreign(), queue.repo(), "main");
    Answer hidden = foreign.call(operation, more);
    refused(hidden, 404, "queue_not_found");
    assertThat(hidden.json().path("detail")).isEqualTo(missing.json().path("detail"));
  }

  @Test
  void two_organizations_have_queues_of_the_same_name() {
    queue.ok("createQueue");
    var foreign = new QueueCalls(node, KEYS.foreign(), queue.repo(), "main");
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
    String reader = KEYS.with(Scope.READ);
    String operator = KEYS.with(Scope.QUEUE);
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
}
