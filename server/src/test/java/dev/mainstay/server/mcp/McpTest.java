package dev.mainstay.server.mcp;

import static dev.mainstay.server.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.Config.Setting;
import dev.mainstay.server.MovableClock;
import dev.mainstay.server.TestDatabase;
import dev.mainstay.server.TestNode;
import dev.mainstay.server.TestNode.Answer;
import dev.mainstay.server.health.Shop;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.http.Scope;
import dev.mainstay.server.queue.TestKeys;
import dev.mainstay.server.queue.TestRepository;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** An agent at work: over real HTTP, on real git and real results. */
class McpTest {
  private static final Database.Address ADDRESS = TestDatabase.withTables();
  private static final TestKeys KEYS = new TestKeys(ADDRESS);
  private static final MovableClock CLOCK = new MovableClock();
  private static final String SHOP = "'repo':'git.example/acme/shop'";
  private static final String QUEUE = SHOP + ",'branch':'main'";
  private static final List<String> READING =
      List.of(
          "list_repositories",
          "list_queues",
          "get_queue",
          "get_pull_request",
          "explain_failure",
          "list_failing_tests",
          "list_tests",
          "get_test_health");
  private static final List<String> DOING =
      List.of(
          "submit_pull_request",
          "cancel_pull_request",
          "restart_tests",
          "quarantine_test",
          "link_ticket");

  @TempDir private static Path directory;
  private static TestNode node;
  private static Agent agent;

  @BeforeAll
  static void start() {
    node =
        TestNode.start(ADDRESS, CLOCK, Map.of(Setting.PUBLIC_URL, "https://mainstay.example.com"));
    agent = new Agent(node, KEYS.with(Scope.READ, Scope.QUEUE));
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  @ParameterizedTest
  @CsvSource({
    "2025-11-25,2025-11-25", "2025-06-18,2025-06-18", "2025-03-26,2025-03-26",
    "2026-07-28,2025-11-25", "2024-11-05,2025-11-25", "1.0,2025-11-25"
  })
  void a_handshake_agrees_on_what_both_speak(String offered, String agreed) {
    JsonNode result =
        agent
            .ask(
                "initialize",
                "{'protocolVersion':'%s','capabilities':{},'clientInfo':{'name':'x','version':'1'}}"
                    .formatted(offered))
            .path("result");
    assertThat(result.path("protocolVersion").asString()).isEqualTo(agreed);
    assertThat(result.at("/serverInfo/name").asString()).isEqualTo("mainstay");
    assertThat(result.at("/capabilities/tools").isObject()).isTrue();
    Answer initialized = agent.send("{'jsonrpc':'2.0','method':'notifications/initialized'}");
    assertThat(initialized.status()).isEqualTo(202);
    assertThat(initialized.body()).isEmpty();
    assertThat(agent.ask("ping", "null").path("result").isEmpty()).isTrue();
  }

  @Test
  void without_a_handshake_each_message_says_all() {
    JsonNode found = newest("server/discover", "", Map.of()).json().path("result");
    assertThat(found.path("supportedVersions").toString())
        .isEqualTo("[\"2026-07-28\",\"2025-11-25\",\"2025-06-18\",\"2025-03-26\"]");
    assertThat(found.path("resultType").asString()).isEqualTo("complete");
    JsonNode list = newest("tools/list", "", Map.of()).json().path("result");
    assertThat(list.path("tools").size()).isEqualTo(READING.size() + DOING.size());
    assertThat(list.path("ttlMs").asInt()).isPositive();
    assertThat(list.path("cacheScope").asString()).isEqualTo("private");
    String call = ",'name':'list_repositories'";
    for (String name : List.of("list_repositories", "=?base64?bGlzdF9yZXBvc2l0b3JpZXM=?=")) {
      Answer called = newest("tools/call", call, Map.of("Mcp-Name", name));
      assertThat(called.status()).as(called.body()).isEqualTo(200);
      assertThat(called.json().at("/result/resultType").asString()).isEqualTo("complete");
    }
    refused(newest("tools/call", call, Map.of()), 400, -32020);
    refused(newest("tools/call", call, Map.of("Mcp-Name", "=?base64?%?=")), 400, -32020);
    refused(newest("ping", "", Map.of()), 404, -32601);
    refused(newest("initialize", "", Map.of()), 404, -32601);
    refused(newest("tools/call", ",'name':'x'", Map.of("Mcp-Name", "x")), 400, -32602);
    String bare = "{'jsonrpc':'2.0','id':1,'method':'tools/list'}";
    Map<String, String> version = Map.of("MCP-Protocol-Version", Agent.NEWEST);
    refused(agent.send(bare, version), 400, -32602);
    refused(agent.send(message("tools/list", ""), version), 400, -32020);
    refused(agent.send(message("tools/list", ""), Map.of("Mcp-Method", "tools/list")), 400, -32020);
    refused(
        agent.send(
            message("tools/list", ""),
            Map.of("MCP-Protocol-Version", "2025-11-25", "Mcp-Method", "tools/list")),
        400,
        -32020);
    JsonNode unknown =
        refused(agent.send(bare, Map.of("MCP-Protocol-Version", "2027-01-01")), 400, -32022);
    assertThat(unknown.at("/data/requested").asString()).isEqualTo("2027-01-01");
    assertThat(unknown.at("/data/supported").size()).isEqualTo(4);
    refused(
        agent.send(
            "{'jsonrpc':'2.0','method':'notifications/x'}",
            Map.of("MCP-Protocol-Version", "2027-01-01")),
        400,
        -32022);
  }

  private static Answer newest(String method, String more, Map<String, String> headers) {
    var all = new java.util.HashMap<>(headers);
    all.put("MCP-Protocol-Version", Agent.NEWEST);
    all.put("Mcp-Method", method);
    return agent.send(message(method, more), all);
  }

  private static String message(String method, String more) {
    return """
        {'jsonrpc':'2.0','id':1,'method':'%s','params':{'_meta':{
          'io.modelcontextprotocol/protocolVersion':'2026-07-28',
          'io.modelcontextprotocol/clientCapabilities':{}}%s}}
        """
        .formatted(method, more);
  }

  private static JsonNode refused(Answer answer, int status, int code) {
    assertThat(answer.status()).as(answer.body()).isEqualTo(status);
    JsonNode error = answer.json().path("error");
    assertThat(error.path("code").asInt()).as(answer.body()).isEqualTo(code);
    assertThat(error.path("message").asString()).isNotEmpty();
    return error;
  }

  @Test
  void a_key_sees_the_tools_that_it_is_good_for_and_hears_what_the_others_need() {
    var reader = new Agent(node, KEYS.with(Scope.READ));
    assertThat(names(reader)).containsExactlyInAnyOrderElementsOf(READING);
    var doer = new Agent(node, KEYS.with(Scope.QUEUE));
    assertThat(names(doer)).containsExactlyInAnyOrderElementsOf(DOING);
    assertThat(names(new Agent(node, KEYS.with(Scope.UPLOAD)))).isEmpty();
    assertThat(names(new Agent(node, KEYS.with(Scope.ADMIN)))).isEqualTo(names(agent));
    DOING.forEach(
        tool ->
            assertThat(reader.refused(tool, SHOP)).contains(tool).contains("the scope `queue`"));
    READING.forEach(
        tool -> assertThat(doer.refused(tool, "")).contains(tool).contains("the scope `read`"));
    reader.tools().forEach(t -> assertThat(t.at("/annotations/readOnlyHint").asBoolean()).isTrue());
    doer.tools()
        .forEach(
            t -> {
              assertThat(t.at("/annotations/readOnlyHint").asBoolean(true)).isFalse();
              assertThat(t.at("/inputSchema/additionalProperties").asBoolean(true)).isFalse();
            });
    Answer nobody = new Agent(node, "").send("{}");
    refused(nobody, 401, -32600);
    assertThat(nobody.header("www-authenticate")).startsWith("Bearer");
    refused(new Agent(node, "mst_wrong").send("{}"), 401, -32600);
    var other = node.request("/mcp", agent.key()).header("content-type", "application/json");
    String ping = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
    assertThat(node.send(other.POST(BodyPublishers.ofString(ping))).status()).isEqualTo(200);
  }

  private static List<String> names(Agent of) {
    return of.tools().stream().map(t -> t.path("name").asString()).toList();
  }

  @Test
  void a_page_from_elsewhere_is_refused_and_there_is_nothing_to_stream() throws Exception {
    String ping = "{'jsonrpc':'2.0','id':1,'method':'ping'}";
    Answer foreign = agent.send(ping, Map.of("Origin", "http://127.0.0.1:" + node.port()));
    assertThat(refused(foreign, 403, -32600).at("/data/code").asString())
        .isEqualTo("foreign_origin");
    refused(agent.send(ping, Map.of("Origin", "null")), 403, -32600);
    assertThat(agent.send(ping, Map.of("Origin", "https://Mainstay.example.com")).status())
        .isEqualTo(200);
    try (var client = HttpClient.newHttpClient()) {
      for (String method : List.of("GET", "DELETE")) {
        var answer =
            client.send(
                node.request("/mcp", agent.key()).method(method, BodyPublishers.noBody()).build(),
                BodyHandlers.ofString());
        assertThat(answer.statusCode()).isEqualTo(405);
        assertThat(answer.headers().firstValue("allow")).contains("POST");
      }
    }
  }

  @Test
  void what_is_no_message_is_refused_with_a_sentence() throws IOException {
    refused(agent.send("nonsense"), 400, -32700);
    refused(agent.send("{'jsonrpc':'2.0','jsonrpc':'2.0'}"), 400, -32700);
    refused(agent.send("[".repeat(5000)), 400, -32700);
    String ping = "{'jsonrpc':'2.0','id':1,'method':'ping'}";
    for (String bad :
        List.of(
            "",
            "null",
            "7",
            "[]",
            "[" + ping + "]",
            "{}",
            "{'id':1,'method':'ping'}",
            "{'jsonrpc':2.0,'id':1,'method':'ping'}",
            "{'jsonrpc':'2.0','id':null,'method':'ping'}",
            "{'jsonrpc':'2.0','id':{},'method':'ping'}",
            "{'jsonrpc':'2.0','id':1.5,'method':'ping'}",
            "{'jsonrpc':'2.0','id':'%s','method':'ping'}".formatted("x".repeat(1001)),
            "{'jsonrpc':'2.0','id':1,'method':7}",
            "{'jsonrpc':'2.0','id':1,'result':{}}",
            "{'jsonrpc':'2.0','id':1,'method':'ping','params':[]}",
            "{'jsonrpc':'2.0','method':'tools/call','params':{'name':'list_queues'}}")) {
      refused(agent.send(bad), 400, -32600);
    }
    Answer large = agent.send("{'jsonrpc':'2.0','x':'" + "x".repeat(20 * 1024 * 1024) + "'}");
    refused(large, 413, -32600);
    var csv = node.request("/mcp", agent.key()).header("content-type", "text/plain");
    refused(node.send(csv.POST(BodyPublishers.ofString("{}"))), 415, -32600);
    for (String method : List.of("tools/nonsense", "resources/list", "server/discover", "x")) {
      assertThat(agent.ask(method, "{}").at("/error/code").asInt()).isEqualTo(-32601);
    }
    for (String params :
        List.of(
            "{}",
            "{'name':7}",
            "{'name':'%s'}".formatted("x".repeat(9000)),
            "{'name':'get_queue','arguments':[]}",
            "{'name':'get_queue','arguments':'repo'}")) {
      JsonNode error = agent.ask("tools/call", params).path("error");
      assertThat(error.path("code").asInt()).isEqualTo(-32602);
      assertThat(error.path("message").asString()).hasSizeLessThan(300);
    }
    assertThat(agent.ask("tools/list", "{'cursor':'x'}").at("/error/code").asInt())
        .isEqualTo(-32602);
    assertThat(agent.ask("initialize", "{}").at("/error/code").asInt()).isEqualTo(-32602);
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
    agent.done("get_test_health", about, "Somebody decided ALWAYS_QUARANTINE: races");
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
