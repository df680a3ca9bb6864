package dev.mainstay.cli.agent;

import dev.mainstay.cli.api.ApiClient;
import dev.mainstay.server.platform.Json;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Carries messages from lines to the server, and each answer back as a line, one after the other.
 * Nothing but answers is ever written, and every request gets one.
 */
final class Bridge {
  private static final int NO_JSON = -32700;
  private static final int NO_MESSAGE = -32600;
  private static final int BROKEN = -32603;
  private static final String META_VERSION = "io.modelcontextprotocol/protocolVersion";

  private final ApiClient client;
  private final PrintWriter out;

  Bridge(ApiClient client, PrintWriter out) {
    this.client = client;
    this.out = out;
  }

  /** Until there are no more lines. */
  void carry(MessageLines lines) {
    for (var line = lines.next(); line.isPresent(); line = lines.next()) {
      answer(line.get()).ifPresent(this::write);
    }
  }

  private Optional<ObjectNode> answer(MessageLines.Line line) {
    if (line.tooLong()) {
      return Optional.of(error(NO_MESSAGE, "A message has at most 1 MiB."));
    }
    if (new String(line.bytes(), StandardCharsets.UTF_8).isBlank()) {
      return Optional.empty();
    }
    try {
      return answer(line.bytes(), Json.read(line.bytes()));
    } catch (Json.Malformed e) {
      return Optional.of(error(NO_JSON, e.sentence()));
    }
  }

  private Optional<ObjectNode> answer(byte[] line, JsonNode message) {
    JsonNode id = message.path("id");
    ObjectNode answer = sent(line, message);
    if (!message.has("id") && message.path("method").isString()) {
      // Whoever sends a notification hears nothing of it.
      return Optional.empty();
    }
    return Optional.of(id.isString() || id.isNumber() ? answer.set("id", id) : answer);
  }

  private ObjectNode sent(byte[] line, JsonNode message) {
    try {
      ApiClient.Message answer = client.message(line, headers(message));
      return read(answer.body())
          .orElseGet(
              () ->
                  error(
                      BROKEN,
                      "%s answered with status %d and no message of the protocol: see whether MAINSTAY_URL is the address of a Mainstay server."
                          .formatted(client.server(), answer.status())));
    } catch (ApiClient.Unreachable e) {
      return error(
          BROKEN,
          "The Mainstay server %s does not answer (%s): start it, or set MAINSTAY_URL to where it is."
              .formatted(client.server(), e.getMessage()));
    }
  }

  private static Optional<ObjectNode> read(byte[] body) {
    try {
      return Optional.of(Json.readObject(body)).filter(answer -> answer.has("jsonrpc"));
    } catch (Json.Malformed e) {
      return Optional.empty();
    }
  }

  /** What a message says of itself, and over HTTP says in headers too. */
  private static Map<String, String> headers(JsonNode message) {
    var headers = new LinkedHashMap<String, String>();
    JsonNode params = message.path("params");
    String version = params.path("_meta").path(META_VERSION).stringValue("");
    if (!version.isEmpty()) {
      headers.put("MCP-Protocol-Version", encoded(version));
      headers.put("Mcp-Method", encoded(message.path("method").stringValue("")));
      headers.put("Mcp-Name", encoded(params.path("name").stringValue("")));
    }
    headers.values().removeIf(String::isEmpty);
    return headers;
  }

  /** A value that is no header comes in Base64. */
  private static String encoded(String value) {
    return value.matches("([!-~]([ -~]*[!-~])?)?")
        ? value
        : "=?base64?%s?="
            .formatted(Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8)));
  }

  private static ObjectNode error(int code, String sentence) {
    ObjectNode answer = Json.object().put("jsonrpc", "2.0").putNull("id");
    answer.putObject("error").put("code", code).put("message", sentence);
    return answer;
  }

  private void write(ObjectNode answer) {
    out.print(new String(Json.write(answer), StandardCharsets.UTF_8) + "\n");
    out.flush();
  }
}
