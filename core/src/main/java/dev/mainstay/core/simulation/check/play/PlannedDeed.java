package dev.mainstay.core.simulation.check.play;

/** A deed and its moment. A scenario is a list of these, and a failure a short one. */
public record PlannedDeed(Moment moment, Deed deed) {

  /** When a deed happens. */
  public sealed interface Moment {
    /** So many seconds after the beginning. */
    record At(long second) implements Moment {}

    /** When the test branch of this pull request is asked for, before it is built. */
    record BeforeBuild(int pr) implements Moment {}

    /** When the merge of this pull request is asked for, before it is done. */
    record BeforeLanding(int pr) implements Moment {}

    /** When this pull request has merged, before the queue knows. */
    record AfterLanding(int pr) implements Moment {}
  }
}
