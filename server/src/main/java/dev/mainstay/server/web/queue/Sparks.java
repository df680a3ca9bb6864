package dev.mainstay.server.web.queue;

import dev.mainstay.server.web.plot.Sparkline;
import dev.mainstay.server.web.plot.Unit;
import dev.mainstay.server.web.queue.Summaries.Summary;

/** Small lines of numbers beside a name. */
final class Sparks {
  private Sparks() {}

  /** The failures of the last days. */
  static String failures(Summary summary) {
    return new Sparkline(
            "Failures a day, 14 days",
            Unit.COUNT,
            summary.days().stream().map(day -> (double) day.failures()).toList())
        .svg();
  }
}
