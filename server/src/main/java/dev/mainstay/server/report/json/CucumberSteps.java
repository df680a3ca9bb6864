package dev.mainstay.server.report.json;

import dev.mainstay.core.health.Outcome;
import dev.mainstay.server.report.Ending;
import dev.mainstay.server.report.ReportTimes;
import java.util.Locale;

/**
 * The steps of a scenario so far. One that failed, or that is ambiguous or not defined, as Cucumber
 * fails for it too, makes it fail; one that is pending or skipped makes it skipped.
 */
final class CucumberSteps {
  private Outcome outcome = Outcome.PASSED;
  private double millis;
  private String message = "";
  private String step = "";

  void add(String status, double duration, String error, String text) {
    millis += Math.max(0, duration);
    // One of the two forms of Cucumber has capital letters.
    String word = status.equals("PASSED") ? "passed" : status.toLowerCase(Locale.ROOT);
    Outcome of =
        switch (word) {
          case "passed", "" -> Outcome.PASSED;
          case "failed" -> Outcome.FAILED;
          case "undefined", "ambiguous" -> Outcome.ERRORED;
          default -> Outcome.SKIPPED;
        };
    if (of.isFailure() && !outcome.isFailure()) {
      outcome = of;
      step = text;
      message = error.isEmpty() ? "A step is %s. %s".formatted(word, text).strip() : error;
    } else if (of == Outcome.SKIPPED && outcome == Outcome.PASSED) {
      outcome = of;
    }
  }

  Outcome outcome() {
    return outcome;
  }

  Ending ending(long startedAt) {
    int stack = message.indexOf("\n    at ");
    return Ending.of(
        outcome,
        startedAt,
        ReportTimes.duration(millis, 1),
        "",
        stack < 0 ? message : message.substring(0, stack),
        step.isEmpty() ? message : message + "\n  in step: " + step);
  }
}
