package dev.mainstay.server.event;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** The bodies that an endpoint understands. */
enum Format {
  STANDARD,
  TRUNK,
  SLACK;

  static final List<Format> ALL = List.of(values());

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** What is sent of an event; empty where this format has no words for it. */
  Optional<ObjectNode> body(Event event) {
    return switch (this) {
      case STANDARD -> Optional.of(StandardBody.of(event));
      case TRUNK -> TrunkBody.of(event);
      case SLACK -> SlackBody.of(event);
    };
  }
}
