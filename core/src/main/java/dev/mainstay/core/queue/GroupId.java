package dev.mainstay.core.queue;

/** A group of pull requests that is tested and merged as one. Unique within its queue. */
public record GroupId(long number) {
  @Override
  public String toString() {
    return "group-" + number;
  }
}
