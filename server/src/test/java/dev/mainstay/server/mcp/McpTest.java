package dev.mainstay.server.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.Config.Setting;
import dev.mainstay.server.MovableClock;
import dev.mainstay.server.TestDatabase;
import dev.mainstay.server.TestNode;
import dev.mainstay.server.TestNode.Answer;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.http.Scope;
import dev.mainstay.server.queue.TestKeys;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** The protocol, over real HTTP: what is agreed on, who sees what, and what is refused. */
class McpTest {
  private static final Database.Address ADDRESS = TestDatabase.withTables();
  private static final TestKeys KEYS = new TestKeys(ADDRESS);
  private static final MovableClock CLOCK = new MovableClock();
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
    var all = new HashMap<>(headers);
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
        tool -> assertThat(reader.refused(tool, "")).contains(tool).contains("the scope `queue`"));
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
}
