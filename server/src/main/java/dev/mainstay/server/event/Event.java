package dev.mainstay.server.event;

import dev.mainstay.server.platform.Json;
import java.time.Instant;
import java.util.UUID;
import tools.jackson.databind.node.ObjectNode;

/**
 * An event with all that is said of it. The number is the same in every attempt, and for one
 * subject it is in the order of what happened.
 */
record Event(
    long organizationId,
    long number,
    UUID id,
    long repositoryId,
    String repo,
    String kind,
    String subject,
    Instant at,
    ObjectNode data) {

  /** An event about an endpoint itself, which is of no repository. */
  static Event of(Endpoint endpoint, String organization, long number, EventKind kind, Instant at) {
    ObjectNode data = Json.object().put("sequence", number).put("organization", organization);
    data.putObject("webhook").put("id", endpoint.id().toString()).put("name", endpoint.name());
    return new Event(
        endpoint.organizationId(),
        number,
        UUID.randomUUID(),
        0,
        "",
        kind.label(),
        "webhook/" + endpoint.id(),
        at,
        data);
  }

  /** The id that receivers know it by. */
  String publicId() {
    return "evt_" + id.toString().replace("-", "");
  }
}
