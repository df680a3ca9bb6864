package dev.mainstay.core.health;

/** The outcome of one attempt of a test. The code is stored. */
public enum Outcome {
  PASSED(0),
  FAILED(1),
  /** It broke before it could tell. Counts as a failure. */
  ERRORED(2),
  /** Neither a pass nor a failure. */
  SKIPPED(3);

  private final int code;

  Outcome(int code) {
    this.code = code;
  }

  public int code() {
    return code;
  }

  public boolean isFailure() {
    return this == FAILED || this == ERRORED;
  }
}
