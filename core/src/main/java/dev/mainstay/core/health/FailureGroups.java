package dev.mainstay.core.health;

import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;

/** The failures of a test by what went wrong. */
public final class FailureGroups {
  private FailureGroups() {}

  /** One failure, or several alike of which the last was at a time. */
  public record Failure(String type, String message, Instant at, long occurrences) {}

  /**
   * A group, named by its most recent message.
   *
   * @param latest the most recent failure
   */
  public record Group(String key, String title, long occurrences, Failure latest) {
    private Group with(Group other) {
      Group newer = NEWER.compare(this, other) >= 0 ? this : other;
      return new Group(key, newer.title, occurrences + other.occurrences, newer.latest);
    }
  }

  private static final Comparator<Group> NEWER =
      Comparator.<Group, Instant>comparing(group -> group.latest().at())
          .thenComparing(group -> group.latest().message())
          .thenComparing(group -> group.latest().type());

  /** At most {@code most} groups, the most frequent first; ties by the latest, then by the key. */
  public static List<Group> of(Collection<Failure> failures, int most) {
    var groups = new HashMap<String, Group>();
    for (Failure failure : failures) {
      MessageShape shape = MessageShape.of(failure.type(), failure.message());
      var group = new Group(shape.key(), shape.title(), failure.occurrences(), failure);
      groups.merge(shape.key(), group, Group::with);
    }
    return groups.values().stream()
        .sorted(
            Comparator.comparingLong(Group::occurrences)
                .thenComparing(group -> group.latest().at())
                .reversed()
                .thenComparing(Group::key))
        .limit(most)
        .toList();
  }
}
