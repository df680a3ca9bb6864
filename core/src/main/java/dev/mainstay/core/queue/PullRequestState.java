package dev.mainstay.core.queue;

/** The state of a pull request in its queue. */
public enum PullRequestState {
  NOT_READY,
  PENDING,
  TESTING,
  TESTS_PASSED,
  MERGED,
  FAILED,
  CANCELLED,
  PENDING_FAILURE;

  /** Nothing moves after its end. */
  public boolean isEnd() {
    return this == MERGED || this == FAILED || this == CANCELLED;
  }
}
