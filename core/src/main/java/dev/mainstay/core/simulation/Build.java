package dev.mainstay.core.simulation;

import java.util.List;

/**
 * One build: main at the time of the request, plus what is assumed to land, plus its own changes.
 */
public final class Build {
  private final List<Integer> own;
  private final List<Integer> assumed;
  private final long duration;
  private final boolean passes;
  private final boolean flaked;
  State state = State.QUEUED;
  long startedAt;

  Build(List<Integer> own, List<Integer> assumed, long duration, boolean passes, boolean flaked) {
    this.own = List.copyOf(own);
    this.assumed = List.copyOf(assumed);
    this.duration = duration;
    this.passes = passes;
    this.flaked = flaked;
  }

  /** The changes this build is to prove. */
  public List<Integer> own() {
    return own;
  }

  /** The changes it takes along, not yet landed when it was asked for. */
  public List<Integer> assumed() {
    return assumed;
  }

  long duration() {
    return duration;
  }

  public boolean passed() {
    if (state != State.FINISHED) {
      throw new IllegalStateException("the outcome of a build is known when it has finished");
    }
    return passes;
  }

  /** It failed, and for no reason. */
  public boolean flaked() {
    return !passed() && flaked;
  }

  public boolean isRunning() {
    return state == State.RUNNING;
  }

  public boolean isFinished() {
    return state == State.FINISHED;
  }

  enum State {
    QUEUED,
    RUNNING,
    FINISHED,
    ABORTED
  }
}
