package dev.mainstay.server.report;

import dev.mainstay.core.health.Outcome;
import dev.mainstay.server.report.ReportedRun.Failure;
import java.util.Optional;

/** How an attempt of a test ended. */
public record Ending(
    Outcome outcome, long startedAtMillis, int durationMillis, Optional<Failure> failure) {

  /** An attempt that a report only counts. */
  static final Ending UNTOLD_FAILURE =
      new Ending(
          Outcome.FAILED,
          ReportedRun.UNKNOWN_TIME,
          ReportedRun.UNKNOWN_DURATION,
          Optional.of(Failure.UNTOLD));

  public static Ending of(
      Outcome outcome, long startedAt, int duration, String type, String message, String stack) {
    return new Ending(
        outcome,
        startedAt,
        duration,
        outcome.isFailure() ? Optional.of(Failure.of(type, message, stack)) : Optional.empty());
  }

  /** An attempt of which only its outcome and words about it are known. */
  public static Ending of(Outcome outcome, String message, String stack) {
    return of(outcome, ReportedRun.UNKNOWN_TIME, ReportedRun.UNKNOWN_DURATION, "", message, stack);
  }

  public int textLength() {
    return failure.isEmpty()
        ? 0
        : failure.get().message().length() + failure.get().stack().length();
  }

  /** The same without the text of its failure. */
  public Ending untold() {
    return new Ending(
        outcome, startedAtMillis, durationMillis, failure.map(f -> Failure.of(f.type(), "", "")));
  }
}
