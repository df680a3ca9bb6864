package dev.mainstay.core.queue;

import java.util.Optional;

/** A pull request's priority: smaller values go first. */
public record Priority(int value) implements Comparable<Priority> {
  public static final Priority URGENT = new Priority(0);
  public static final Priority HIGH = new Priority(10);
  public static final Priority MEDIUM = new Priority(100);
  public static final Priority LOW = new Priority(200);
  public static final Priority DEFAULT = MEDIUM;

  public Priority {
    if (value < 0 || value > 255) {
      throw new IllegalArgumentException("A priority lies between 0 and 255, not " + value);
    }
  }

  /** Urgent is the only priority that interrupts what is under test. */
  public boolean isUrgent() {
    return value == 0;
  }

  /** The name of this priority, where it has one. */
  public Optional<String> name() {
    return switch (value) {
      case 0 -> Optional.of("urgent");
      case 10 -> Optional.of("high");
      case 100 -> Optional.of("medium");
      case 200 -> Optional.of("low");
      default -> Optional.empty();
    };
  }

  @Override
  public int compareTo(Priority other) {
    return Integer.compare(value, other.value);
  }
}
