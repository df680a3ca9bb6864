package dev.mainstay.core.queue;

/** One submission of a pull request, from its submission to its end. Unique within its queue. */
public record EntryId(long number) {
  @Override
  public String toString() {
    return "entry-" + number;
  }
}
