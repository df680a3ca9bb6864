package dev.mainstay.server.health.ingest;

import tools.jackson.databind.node.ObjectNode;

/** How the taking in of an upload ended. */
sealed interface Intake {
  /** It is stored, now or since it was sent before; the answer is the same. */
  record Stored(ObjectNode answer) implements Intake {}

  /** Others were being read all the time it waited; nothing is stored. */
  record Busy() implements Intake {}

  /** It unpacks to more than a limit; nothing is stored. */
  record UnpacksTooLarge(String limit) implements Intake {}
}
