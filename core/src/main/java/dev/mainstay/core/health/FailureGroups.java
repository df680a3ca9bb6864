package dev.mainstay.core.health;

import java.time.Instant;
import java.util.Collection;
import java.util.List;

/** The failures of a test by what went wrong, most frequent first. */
public final class FailureGroups {
  private FailureGroups() {}

  /** One failure, or several alike. */
  public record Failure(String type, String message, Instant at, long occurrences) {}

  /**
   * A group, named by its most recent message.
   *
   * @param latest the most recent failure
   */
  public record Group(String key, String title, long occurrences, Failure latest) {}

  /** At most {@code most} groups; ties by the latest, then by the key. */
  public static List<Group> of(Collection<Failure> failures, int most) {
    return List.of();
  }
}
