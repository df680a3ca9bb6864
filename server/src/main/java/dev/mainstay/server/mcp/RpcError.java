package dev.mainstay.server.mcp;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Map;

/** An error of JSON-RPC; its data is left out where there is none. */
record RpcError(
    int code,
    String message,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, Object> data) {
  static final int NO_JSON = -32700;
  static final int NO_MESSAGE = -32600;
  static final int UNKNOWN_METHOD = -32601;
  static final int WRONG_PARAMETERS = -32602;
  static final int BROKEN = -32603;

  /** What headers say is not what the message says. */
  static final int OTHER_HEADERS = -32020;

  static final int UNKNOWN_REVISION = -32022;

  static RpcError of(int code, String message) {
    return new RpcError(code, message, Map.of());
  }

  /** The status of an answer that says so where messages have no life but that of a request. */
  int status() {
    return switch (code) {
      case UNKNOWN_METHOD -> 404;
      case BROKEN -> 500;
      default -> 400;
    };
  }
}
