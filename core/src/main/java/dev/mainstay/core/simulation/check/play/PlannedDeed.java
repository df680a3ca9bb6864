package dev.mainstay.core.simulation.check.play;

import dev.mainstay.core.queue.ReasonCode;

/** A deed and its moment. A scenario is a list of these, and a failure a short one. */
public record PlannedDeed(Moment moment, Deed deed) {

  /** The moment of a deed. */
  public sealed interface Moment {
    /** So many seconds after the beginning. */
    record At(long second) implements Moment {}

    /** The test branch of this pull request is asked for, and not yet built. */
    record BeforeBuild(int pr) implements Moment {}

    /** The merge of this pull request is asked for, and not yet done. */
    record BeforeLanding(int pr) implements Moment {}

    /** This pull request has merged, and the queue does not know yet. */
    record AfterLanding(int pr) implements Moment {}

    /** The queue has just moved this pull request to another state for this reason. */
    record Once(int pr, ReasonCode why) implements Moment {}
  }
}
