package dev.mainstay.server.event;

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

  /** The id that receivers know it by. */
  String publicId() {
    return "evt_" + id.toString().replace("-", "");
  }
}
