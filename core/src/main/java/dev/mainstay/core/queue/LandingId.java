package dev.mainstay.core.queue;

/** One attempt to merge. Unique within its queue. */
public record LandingId(long number) {
  @Override
  public String toString() {
    return "landing-" + number;
  }
}
