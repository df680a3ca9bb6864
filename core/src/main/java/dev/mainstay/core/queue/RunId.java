package dev.mainstay.core.queue;

/** A test run. Unique within its queue. */
public record RunId(long number) {
  @Override
  public String toString() {
    return "run-" + number;
  }
}
