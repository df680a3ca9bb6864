package dev.mainstay.server.health.ingest;

import dev.mainstay.core.health.Outcome;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Attempts that are files of their own, as Bazel writes them: {@code test_attempts/attempt_1.xml}
 * beside {@code test.xml}, which is the last one. They may come in any order; the last attempt that
 * was not skipped decides.
 */
final class NumberedAttempts {
  private static final Pattern PATH =
      Pattern.compile("(.*/|)(?:test_attempts/attempt_(\\d{1,4})\\.xml|test\\.xml)");

  private final Map<Key, Attempt> last = new HashMap<>();
  private final Map<UUID, Integer> inFile = new HashMap<>();

  /**
   * The place of a file among the attempts of its directory.
   *
   * @param number 0 for the last one
   */
  record Place(String directory, int number) {
    static Optional<Place> of(String path) {
      Matcher matcher = PATH.matcher(path.replace('\\', '/'));
      if (!matcher.matches()) {
        return Optional.empty();
      }
      String number = matcher.group(2);
      return Optional.of(
          new Place(matcher.group(1), number == null ? 0 : Math.max(1, Integer.parseInt(number))));
    }

    private int order() {
      return number == 0 ? Integer.MAX_VALUE : number;
    }
  }

  private record Key(UUID test, String directory, int occurrence) {}

  /**
   * An attempt of a test.
   *
   * @param ranAt {@link Tally#NEVER} where it is not kept
   */
  record Attempt(UUID test, Place place, Outcome outcome, long ranAt, int durationMillis) {
    /** The one by which a case ended: the later of two, and of two as late the one that failed. */
    private boolean decidesBefore(Attempt other) {
      if (outcome == Outcome.SKIPPED || other.outcome == Outcome.SKIPPED) {
        return other.outcome == Outcome.SKIPPED && outcome != Outcome.SKIPPED;
      }
      return place.order() == other.place.order()
          ? outcome.isFailure()
          : place.order() > other.place.order();
    }
  }

  /** Cases of one test in one file are different ones, told apart by their order. */
  void nextFile() {
    inFile.clear();
  }

  /** Adds an attempt; returns the one of its case that is now known not to decide. */
  Optional<Attempt> add(Attempt attempt) {
    int occurrence = inFile.merge(attempt.test(), 1, Integer::sum);
    var key = new Key(attempt.test(), attempt.place().directory(), occurrence);
    Attempt before = last.putIfAbsent(key, attempt);
    if (before == null || before.decidesBefore(attempt)) {
      return before == null ? Optional.empty() : Optional.of(attempt);
    }
    last.put(key, attempt);
    return Optional.of(before);
  }

  /** Visits the last attempts. */
  void forEachLast(Consumer<Attempt> visitor) {
    last.values().forEach(visitor);
  }
}
