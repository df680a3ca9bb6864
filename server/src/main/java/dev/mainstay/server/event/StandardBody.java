package dev.mainstay.server.event;

import dev.mainstay.server.platform.Json;
import tools.jackson.databind.node.ObjectNode;

/** The body of the Standard Webhooks: the type, the time of what happened, and the data. */
final class StandardBody {
  private StandardBody() {}

  static ObjectNode of(Event event) {
    ObjectNode body =
        Json.object().put("type", event.kind()).put("timestamp", event.at().toString());
    body.set("data", event.data());
    return body;
  }
}
