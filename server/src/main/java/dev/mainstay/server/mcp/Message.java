package dev.mainstay.server.mcp;

import dev.mainstay.server.platform.Json;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** One message of JSON-RPC, as a client sends it. */
sealed interface Message {
  int LONGEST_ID = 1000;

  /** Wants an answer. */
  record Call(JsonNode id, String method, ObjectNode params) implements Message {}

  /** Wants none, and never has an effect here. */
  record Notice(String method) implements Message {}

  /** No message that anybody could answer. */
  record Malformed(RpcError error) implements Message {}

  static Message read(JsonNode sent) {
    if (sent.isArray()) {
      return malformed("Send one message a request: batches are not taken.");
    }
    if (!sent.path("jsonrpc").stringValue("").equals("2.0")) {
      return malformed("A message is a JSON object with \"jsonrpc\": \"2.0\".");
    }
    if (!sent.path("method").isString()) {
      return malformed("A message has a method; answers are not expected, since nothing is asked.");
    }
    Optional<ObjectNode> params = params(sent.path("params"));
    if (params.isEmpty()) {
      return malformed("params must be an object.");
    }
    String method = sent.path("method").stringValue();
    if (!sent.has("id")) {
      return method.startsWith("notifications/")
          ? new Notice(method)
          : malformed("A request has an id, and only notifications have none.");
    }
    return isId(sent.path("id"))
        ? new Call(sent.path("id"), method, params.get())
        : malformed("id must be a whole number, or a string of at most 1,000 characters.");
  }

  private static Optional<ObjectNode> params(JsonNode params) {
    if (params.isMissingNode() || params.isNull()) {
      return Optional.of(Json.object());
    }
    return params instanceof ObjectNode object ? Optional.of(object) : Optional.empty();
  }

  private static boolean isId(JsonNode id) {
    if (id.isString()) {
      return id.stringValue().codePoints().limit(LONGEST_ID + 1L).count() <= LONGEST_ID;
    }
    return id.isIntegralNumber()
        || (id.isNumber() && id.doubleValue() == Math.rint(id.doubleValue()));
  }

  private static Malformed malformed(String sentence) {
    return new Malformed(RpcError.of(RpcError.NO_MESSAGE, sentence));
  }
}
