package dev.mainstay.core.queue;

/** The lifecycle of a queue as a whole. */
public enum QueueLifecycle {
  RUNNING,
  PAUSED,
  DRAINING,
  SWITCHING_MODES;

  /** Only a running queue lets pull requests in. */
  public boolean letsIn() {
    return this == RUNNING;
  }

  /** A paused queue starts nothing and merges nothing. */
  public boolean moves() {
    return this != PAUSED;
  }
}
