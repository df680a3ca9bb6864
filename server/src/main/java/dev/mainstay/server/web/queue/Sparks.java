package dev.mainstay.server.web.queue;

import dev.mainstay.server.web.queue.Summaries.Summary;

/** Small lines of numbers beside a name. */
final class Sparks {
  private Sparks() {}

  /** The failures of the last days. */
  static String failures(Summary summary) {
    return "";
  }
}
