package dev.mainstay.server.mcp;

import static dev.mainstay.server.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.MovableClock;
import dev.mainstay.server.TestDatabase;
import dev.mainstay.server.TestNode;
import dev.mainstay.server.TestNode.Answer;
import dev.mainstay.server.health.Shop;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.http.Scope;
import dev.mainstay.server.queue.TestKeys;
import dev.mainstay.server.queue.TestRepository;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** An agent at work, with every tool: on real git and real results. */
class AgentToolsTest {
  private static final Database.Address ADDRESS = TestDatabase.withTables();
  private static final TestKeys KEYS = new TestKeys(ADDRESS);
  private static final MovableClock CLOCK = new MovableClock();
  private static final String SHOP = "'repo':'git.example/acme/shop'";
  private static final String QUEUE = SHOP + ",'branch':'main'";

  @TempDir private static Path directory;
  private static TestNode node;
  private static Agent agent;

  @BeforeAll
  static void start() {
    node = TestNode.start(ADDRESS, CLOCK);
    agent = new Agent(node, KEYS.with(Scope.READ, Scope.QUEUE));
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  @Test
  void every_fault_of_the_arguments_is_told_to_the_agent() {
    assertThat(agent.refused("submit_pull_request", "'repo':'shop','pr':0,'force':true"))
        .contains("repo: must be HOST/OWNER/NAME")
        .contains("branch: is required")
        .contains("pr: must be a whole number from 1")
        .contains("force: is no argument of this tool, which takes repo, branch, pr, priority");
    assertThat(agent.refused("list_repositories", "'take':51"))
        .isEqualTo("take: must be a whole number from 1 to 50");
    assertThat(agent.refused("get_test_health", "'repo':'a/b/c','test_id':'1-2-3-4-5'"))
        .isEqualTo("test_id: must be a UUID");
    assertThat(agent.refused("get_test_health", "'repo':'a/b/c'")).contains("test_id");
  }

  @Test
  void what_belongs_to_others_is_as_if_it_were_not_there() {
    api("createQueue", "'targetBranch':'release'");
    new Shop(node, "shop", "git.example").upload(CLOCK.instant(), "&commit=c9", "hidden failed");
    var foreign = new Agent(node, KEYS.foreign());
    assertThat(foreign.done("list_repositories", "", "no repositories").toString())
        .isEqualTo("{\"repositories\":[]}");
    String test = ",'test_id':'aad1f138-09ab-5ea9-9c21-af48a03d6edd'";
    Map.of(
            "get_queue", ",'branch':'release'",
            "get_pull_request", ",'branch':'release','pr':7",
            "explain_failure", ",'branch':'release','pr':7",
            "submit_pull_request", ",'branch':'release','pr':7",
            "cancel_pull_request", ",'branch':'release','pr':7",
            "list_failing_tests", "",
            "list_tests", "",
            "get_test_health", test,
            "quarantine_test", test + ",'setting':'NONE'",
            "link_ticket", test + ",'ticket':'KEY-1'")
        .forEach(
            (tool, more) ->
                assertThat(foreign.refused(tool, SHOP + more))
                    .as(tool)
                    .isEqualTo(foreign.refused(tool, "'repo':'git.example/acme/none'" + more)));
  }

  @Test
  void an_agent_brings_a_pull_request_in_and_learns_why_it_failed() {
    var git = new TestRepository(directory);
    api("connectRepository", "'address':'%s'".formatted(git.address()));
    api("createQueue", "'targetBranch':'main','requiredStatuses':['ci']");
    assertThat(agent.done("list_repositories", "", "git.example/acme/shop, connected").toString())
        .contains("\"connected\":true");
    assertThat(
            agent.done("list_queues", SHOP, "branch main: RUNNING, 0 in it").path("queues").size())
        .isPositive();
    git.open(7, "seven");
    JsonNode submitted =
        agent.done("submit_pull_request", QUEUE + ",'pr':7,'priority':'high'", "#7");
    assertThat(submitted.path("priorityName").asString()).isEqualTo("high");
    JsonNode run = run(7, "");
    agent.done("restart_tests", QUEUE + ",'pr':7", "begin again");
    run = run(7, run.path("testRunId").asString());
    assertThat(agent.done("get_queue", QUEUE, "#7").at("/enqueuedPullRequests/0/prNumber").asInt())
        .isEqualTo(7);
    new Shop(node, "shop", "git.example")
        .upload(
            CLOCK.instant(),
            "&branch=%s&commit=%s&job=ci"
                .formatted(run.path("testBranch").asString(), run.path("testBranchSha").asString()),
            "adds failed expected 1 but was 2");
    api(
        "reportTestStatus",
        "'targetBranch':'main','testRunId':'%s','name':'ci','state':'FAILURE'"
            .formatted(run.path("testRunId").asString()));
    until(
        () -> agent.done("get_pull_request", QUEUE + ",'pr':7", "#7 \"Change 7\" by Ada is "),
        pr -> pr.path("state").asString().equals("FAILED"));
    JsonNode why = agent.done("explain_failure", QUEUE + ",'pr':7,'lines':5", "C adds, test_id");
    assertThat(why.at("/pullRequest/reason/code").asString()).isEqualTo("test_failed");
    assertThat(why.at("/testRun/failedTests/0/message").asString())
        .isEqualTo("expected 1 but was 2");
    git.open(8, "eight");
    agent.done("submit_pull_request", QUEUE + ",'pr':8,'noBatch':true", "#8");
    agent.done("cancel_pull_request", QUEUE + ",'pr':8", "out of the queue");
    assertThat(
            until(
                    () -> agent.done("get_pull_request", QUEUE + ",'pr':8", "#8"),
                    pr -> !pr.path("isCurrentlySubmittedToQueue").asBoolean())
                .path("state")
                .asString())
        .isEqualTo("CANCELLED");
    assertThat(agent.refused("cancel_pull_request", QUEUE + ",'pr':7")).isNotEmpty();
    assertThat(agent.refused("submit_pull_request", QUEUE + ",'pr':99")).contains("99");
    api("createQueue", "'targetBranch':'next','requiredStatuses':['ci']");
    agent.done("submit_pull_request", SHOP + ",'branch':'next','pr':7", "NOT_READY");
    agent.done("explain_failure", SHOP + ",'branch':'next','pr':7", "No test run of it is known");
  }

  /** The run of a pull request, when its branch is there, other than that one. */
  private static JsonNode run(int number, String other) {
    return until(
            () ->
                api(
                    "getMergeQueueTestingDetails",
                    "'targetBranch':'main','pr':{'number':%d}".formatted(number)),
            details ->
                !details.at("/testRuns/0/testBranchSha").asString("").isEmpty()
                    && !details.at("/testRuns/0/testRunId").asString().equals(other))
        .at("/testRuns/0");
  }

  private static JsonNode api(String operation, String more) {
    String body = "{'repo':{'host':'git.example','owner':'acme','name':'shop'},%s}".formatted(more);
    Answer answer = node.post("/v1/" + operation, node.token(), body.replace('\'', '"'));
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.json();
  }

  @Test
  void an_agent_finds_a_flaky_test_and_sets_it_aside() {
    var shop = new Shop(node, "flaky", "git.example");
    String repo = "'repo':'git.example/acme/flaky'";
    var at = CLOCK.instant().minus(Duration.ofHours(3));
    shop.upload(at, "&branch=main&commit=c1&job=ci", "adds failed boom", "other failed bang");
    shop.upload(at, "&branch=main&commit=c1&job=ci&attempt=2", "adds passed");
    shop.ask("/v1/repositories/set-test-settings", "\"quarantining\":true");
    String id = shop.id("adds").toString();
    JsonNode health =
        until(
            () -> agent.done("get_test_health", repo + ",'name':'adds'", "C adds, test_id " + id),
            found -> found.at("/test/status/value").asString().equals("flaky"));
    assertThat(health.at("/flakiness/probability").asDouble()).isPositive();
    agent.done("get_test_health", repo + ",'test_id':'%s'".formatted(id), ": flaky");
    assertThat(
            agent.done("get_test_health", repo + ",'name':'C'", "Several tests fit").path("tests"))
        .hasSize(2);
    agent.done("get_test_health", repo + ",'name':'zzz'", "No test of the repository");

    JsonNode page = agent.done("list_failing_tests", repo + ",'take':1", "These are 1 of 2");
    JsonNode next =
        agent.done(
            "list_failing_tests",
            repo
                + ",'take':1,'end_time':'%s','page_token':'%s'"
                    .formatted(
                        page.path("end_time").asString(),
                        page.at("/page/next_page_token").asString()),
            "test_id");
    assertThat(next.at("/tests/0/id")).isNotEqualTo(page.at("/tests/0/id"));
    agent.done("list_failing_tests", repo + ",'hours':2", "No test failed");

    String about = repo + ",'test_id':'%s'".formatted(id);
    assertThat(agent.refused("quarantine_test", about + ",'setting':'ALWAYS_QUARANTINE'"))
        .isEqualTo("reason: is required");
    agent.done(
        "quarantine_test",
        about + ",'setting':'ALWAYS_QUARANTINE','reason':'races','until':'2027-01-01T00:00:00Z'",
        "is quarantined now");
    assertThat(
            agent
                .done("list_tests", repo + ",'quarantined':true,'status':'flaky'", "quarantined")
                .at("/tests/0/id")
                .asString())
        .isEqualTo(id);
    agent.done(
        "get_test_health",
        about,
        "Somebody decided ALWAYS_QUARANTINE: races (ends at 2027-01-01T00:00:00Z)");
    assertThat(
            agent.refused(
                "quarantine_test",
                about + ",'setting':'NEVER_QUARANTINE','reason':'r','after_passes':0"))
        .contains("after_passes");
    assertThat(
            agent.refused(
                "quarantine_test",
                about + ",'setting':'ALWAYS_QUARANTINE','reason':'r','until_ticket_closed':true"))
        .contains("ticket");
    agent.done(
        "quarantine_test",
        about + ",'setting':'ALWAYS_QUARANTINE','reason':'races','after_passes':20",
        "is quarantined now");
    agent.done("get_test_health", about, "races (ends after 20 passes in a row)");
    new Agent(node, KEYS.with(Scope.QUEUE))
        .done("quarantine_test", about + ",'setting':'NONE'", "Decided.");
    agent.done("list_tests", repo + ",'quarantined':true", "No test fits");
    assertThat(
            agent
                .done("link_ticket", about + ",'ticket':'KEY-12'", "Linked: ")
                .at("/ticket/html_url")
                .asString())
        .contains("KEY-12");
    assertThat(shop.details("adds").at("/ticket/html_url").asString()).contains("KEY-12");
  }
}
