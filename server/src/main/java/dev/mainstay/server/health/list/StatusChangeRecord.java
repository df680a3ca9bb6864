package dev.mainstay.server.health.list;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.mainstay.server.health.judge.StatusChangeStore;
import java.util.Optional;
import java.util.UUID;
import tools.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import tools.jackson.databind.annotation.JsonNaming;
import tools.jackson.databind.node.ObjectNode;

/** A change of a test's status in the words of the API. */
@JsonNaming(SnakeCaseStrategy.class)
@JsonInclude(JsonInclude.Include.NON_ABSENT)
record StatusChangeRecord(
    long number,
    String at,
    String before,
    String after,
    String reason,
    Optional<UUID> monitorId,
    Optional<String> monitorName,
    Optional<ObjectNode> evidence) {

  static StatusChangeRecord of(StatusChangeStore.Change change) {
    return new StatusChangeRecord(
        change.number(),
        change.at().toString(),
        change.before(),
        change.after(),
        change.reason(),
        change.monitorId(),
        change.monitorName(),
        change.evidence());
  }
}
