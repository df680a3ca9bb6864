package dev.mainstay.server.mcp;

import dev.mainstay.server.platform.http.Caller;
import dev.mainstay.server.platform.http.Inside;
import java.time.Clock;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/** The API as one caller may use it. */
record ApiCalls(Inside inside, Caller caller, Clock clock) {

  /** What the API answers; what it refuses is an ApiError. */
  ObjectNode post(String operation, Map<String, ?> body) {
    return (ObjectNode) inside.post(caller, "/v1/" + operation, body);
  }
}
