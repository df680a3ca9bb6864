package dev.mainstay.server.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.Description;
import dev.mainstay.server.TestNode;
import dev.mainstay.server.TestNode.Answer;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Somebody who speaks the protocol to a node, with one key. JSON is given in single quotes. */
record Agent(TestNode node, String key) {
  static final String NEWEST = "2026-07-28";

  /** Sends a message as it is. */
  Answer send(String message, Map<String, String> headers) {
    var request = node.request("/mcp", "").header("content-type", "application/json");
    if (!key.isEmpty()) {
      request.header("authorization", "Bearer " + key);
    }
    headers.forEach(request::header);
    return node.send(request.POST(BodyPublishers.ofString(message.replace('\'', '"'))));
  }

  Answer send(String message) {
    return send(message, Map.of());
  }

  /** The result of a method, after a handshake. */
  JsonNode ask(String method, String params) {
    Answer answer =
        send(
            "{'jsonrpc':'2.0','id':'a','method':'%s','params':%s}".formatted(method, params),
            Map.of("MCP-Protocol-Version", "2025-11-25"));
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    assertThat(answer.json().path("id").asString()).isEqualTo("a");
    return answer.json();
  }

  List<JsonNode> tools() {
    return ask("tools/list", "{}").at("/result/tools").valueStream().toList();
  }

  /** What a tool answers, right or wrong. */
  JsonNode call(String tool, String arguments) {
    JsonNode answer =
        ask("tools/call", "{'name':'%s','arguments':{%s}}".formatted(tool, arguments));
    assertThat(answer.has("result")).as(answer.toString()).isTrue();
    return answer.path("result");
  }

  /** What a tool that does as it is told answers to programs; its text says {@code said}. */
  JsonNode done(String tool, String arguments, String said) {
    JsonNode result = call(tool, arguments);
    assertThat(result.path("isError").asBoolean(true)).as(result.toString()).isFalse();
    assertThat(text(result)).contains(said);
    JsonNode schema =
        tools().stream()
            .filter(t -> t.path("name").asString().equals(tool))
            .findFirst()
            .orElseThrow()
            .path("inputSchema");
    JsonNode given = new JsonMapper().readTree("{" + arguments.replace('\'', '"') + "}");
    assertThat(Description.faults(schema, given)).isEmpty();
    return result.path("structuredContent");
  }

  /** The sentence of a tool that does not. */
  String refused(String tool, String arguments) {
    JsonNode result = call(tool, arguments);
    assertThat(result.path("isError").asBoolean()).as(result.toString()).isTrue();
    assertThat(result.has("structuredContent")).isFalse();
    return text(result);
  }

  private static String text(JsonNode result) {
    assertThat(result.at("/content/0/type").asString()).isEqualTo("text");
    return result.at("/content/0/text").asString();
  }
}
