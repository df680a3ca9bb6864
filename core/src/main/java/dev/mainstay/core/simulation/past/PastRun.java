package dev.mainstay.core.simulation.past;

import dev.mainstay.core.queue.Change;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * One test run that has ended.
 *
 * @param tested what it was to prove
 * @param standsOn what its test branch held below that, open at the time
 * @param built false where its test branch could not be made
 */
public record PastRun(
    List<Change> tested,
    List<Change> standsOn,
    Outcome outcome,
    boolean built,
    Instant began,
    Instant ended) {

  /** The end of a run; one that was cancelled says nothing about its changes. */
  public enum Outcome {
    PASSED,
    FAILED,
    CANCELLED
  }

  public PastRun {
    tested = List.copyOf(tested);
    standsOn = List.copyOf(standsOn);
  }

  /** The clocks of nodes may differ a little: it is never less than nothing. */
  long millis() {
    return Math.max(0, Duration.between(began, ended).toMillis());
  }

  boolean isFinished() {
    return outcome != Outcome.CANCELLED;
  }
}
