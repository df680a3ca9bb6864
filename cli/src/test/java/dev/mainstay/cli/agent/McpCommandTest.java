package dev.mainstay.cli.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.cli.Cli;
import dev.mainstay.cli.SharedNode;
import dev.mainstay.cli.StubServer;
import dev.mainstay.server.platform.Json;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** An agent's lines, carried to a served node and back. */
class McpCommandTest {
  private static final String META =
      "'_meta':{'io.modelcontextprotocol/protocolVersion':'2026-07-28','io.modelcontextprotocol/clientCapabilities':{}}";

  @Test
  void every_request_is_answered_on_a_line_and_notifications_are_not() {
    List<JsonNode> answers =
        answers(
            SharedNode.node().url(),
            SharedNode.newOrganization("agents"),
            "{'jsonrpc':'2.0','id':1,'method':'initialize','params':{'protocolVersion':'2025-06-18'}}",
            "{'jsonrpc':'2.0','method':'notifications/initialized'}",
            "",
            "{'jsonrpc':'2.0','id':'two','method':'tools/list'}\r",
            "{'jsonrpc':'2.0','id':3,'method':'server/discover','params':{%s}}".formatted(META),
            "{'jsonrpc':'2.0','id':4,'method':'tools/call','params':{'name':'list_queues',%s}}"
                .formatted(META),
            "{'jsonrpc':'2.0','id':5,'method':'tools/call','params':{'name':'grüße',%s}}"
                .formatted(META),
            "{'jsonrpc':'2.0','id':6,'method':'nonsense'}");
    assertThat(answers)
        .extracting(a -> a.path("id").asString())
        .containsExactly("1", "two", "3", "4", "5", "6");
    assertThat(answers.getFirst().at("/result/protocolVersion").asString()).isEqualTo("2025-06-18");
    assertThat(answers.get(1).at("/result/tools").size()).isGreaterThan(10);
    assertThat(answers.get(2).at("/result/supportedVersions/0").asString()).isEqualTo("2026-07-28");
    assertThat(answers.get(3).at("/result/content/0/text").asString()).contains("no queues");
    assertThat(answers.get(4).at("/error/message").asString()).contains("There is no tool grüße");
    assertThat(answers.get(5).at("/error/code").asInt()).isEqualTo(-32601);
  }

  @Test
  void what_goes_wrong_on_the_way_is_an_error_that_says_what_to_do() throws Exception {
    String ping = "{'jsonrpc':'2.0','id':7,'method':'ping'}";
    assertThat(
            answers(
                "http://127.0.0.1:9", "k", ping, "{'jsonrpc':'2.0','method':'notifications/x'}"))
        .singleElement()
        .satisfies(
            answer -> {
              assertThat(answer.path("id").asInt()).isEqualTo(7);
              assertThat(answer.at("/error/message").asString())
                  .contains("http://127.0.0.1:9 does not answer")
                  .contains("set MAINSTAY_URL");
            });
    try (var other = StubServer.of("{}")) {
      assertThat(answers(other.url(), "k", ping).getFirst().at("/error/message").asString())
          .contains("answered with status 404")
          .contains("MAINSTAY_URL");
    }
    List<JsonNode> answers =
        answers(
            SharedNode.node().url(),
            "wrong",
            ping,
            "nonsense",
            "[" + ping + "]",
            "'" + "x".repeat(MessageLines.LONGEST) + "'",
            ping);
    assertThat(answers)
        .extracting(a -> a.at("/error/code").asInt())
        .containsExactly(-32600, -32700, -32600, -32600, -32600);
    assertThat(answers.getFirst().at("/error/message").asString()).contains("valid API key");
    assertThat(answers.get(3).at("/error/message").asString()).contains("at most 1 MiB");
  }

  @Test
  void without_a_key_it_says_so_and_keeps_still() {
    var ran = Cli.in(Path.of("/")).reading("{}\n").run("mcp");
    assertThat(ran.exitCode()).isEqualTo(2);
    assertThat(ran.out()).isEmpty();
    assertThat(ran.err()).contains("MAINSTAY_API_TOKEN");
  }

  private static List<JsonNode> answers(String url, String key, String... lines) {
    var ran =
        Cli.in(Path.of("/"))
            .with(Map.of("MAINSTAY_URL", url, "MAINSTAY_API_TOKEN", key))
            .reading(String.join("\n", lines).replace('\'', '"'))
            .run("mcp");
    assertThat(ran.exitCode()).as(ran.err()).isZero();
    return ran.out()
        .lines()
        .<JsonNode>map(line -> Json.readObject(line.getBytes(StandardCharsets.UTF_8)))
        .toList();
  }
}
