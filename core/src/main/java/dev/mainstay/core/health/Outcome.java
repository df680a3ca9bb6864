package dev.mainstay.core.health;

/** What one attempt of a test came to. */
public enum Outcome {
  PASSED,
  FAILED,
  /** It broke before it could tell. Counts as a failure. */
  ERRORED,
  /** Neither a pass nor a failure. */
  SKIPPED;

  public boolean isFailure() {
    return this == FAILED || this == ERRORED;
  }
}
