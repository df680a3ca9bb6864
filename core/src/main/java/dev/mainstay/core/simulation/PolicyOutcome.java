package dev.mainstay.core.simulation;

import java.util.List;

/**
 * The outcome of one policy in one world.
 *
 * @param decisions in the order they were made
 * @param builds started, aborted ones included
 * @param usefulBuilds builds that a landing or a rejection rested on
 * @param busyMillis time that slots were taken, over all slots
 * @param spanMillis from the first arrival to the last decision
 * @param events how many events the simulation handled
 */
public record PolicyOutcome(
    List<Decision> decisions,
    long builds,
    long usefulBuilds,
    long busyMillis,
    long spanMillis,
    long redMillis,
    long events) {

  public PolicyOutcome {
    decisions = List.copyOf(decisions);
  }
}
