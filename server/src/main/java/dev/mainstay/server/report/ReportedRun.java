package dev.mainstay.server.report;

import dev.mainstay.core.health.Outcome;
import dev.mainstay.core.health.text.BoundedText;
import java.util.Optional;

/**
 * An attempt of a test, as its report tells it. Names are whole; missing ones are empty.
 *
 * @param attempt from 1, among those that the report tells of this case
 * @param decides false for the attempts of a case beside the one that decides how it ended
 */
public record ReportedRun(
    String file,
    String className,
    String parent,
    String name,
    Outcome outcome,
    int attempt,
    boolean decides,
    long startedAtMillis,
    int durationMillis,
    Optional<Failure> failure) {

  /** Stands for a time the report does not tell, or not believably. */
  public static final long UNKNOWN_TIME = Long.MIN_VALUE;

  public static final int UNKNOWN_DURATION = -1;

  /** The failure of an attempt; texts are bounded. */
  public record Failure(String type, String message, String stack) {
    public static final Failure UNTOLD = new Failure("", "", "");

    /** A failure of texts of any length; without a message the first line of the stack is it. */
    public static Failure of(String type, String message, String stack) {
      String said = message.isBlank() ? Texts.firstLine(stack) : message.strip();
      return new Failure(
          BoundedText.name(type, Limits.NAME_LENGTH),
          BoundedText.head(said, Limits.MESSAGE_LENGTH),
          BoundedText.middleCut(stack.strip(), Limits.STACK_LENGTH));
    }
  }
}
