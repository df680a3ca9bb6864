package dev.mainstay.server.health.ingest;

import dev.mainstay.core.health.Outcome;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
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

  private final Map<Key, Last> last = new HashMap<>();

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

    /** The attempt's number as it is kept. */
    int attempt() {
      return number;
    }

    private int order() {
      return number == 0 ? Integer.MAX_VALUE : number;
    }
  }

  private record Key(UUID test, String directory) {}

  /** The latest attempt that is known, and how it ended; a failure in it wins. */
  private record Last(int order, Outcome outcome) {
    Last or(Last other) {
      if (outcome == Outcome.SKIPPED || other.outcome == Outcome.SKIPPED) {
        return outcome == Outcome.SKIPPED ? other : this;
      }
      if (order != other.order) {
        return order > other.order ? this : other;
      }
      return outcome.isFailure() ? this : other;
    }
  }

  /** Takes a test of a directory, and whether its last attempt failed. */
  interface TestVisitor {
    void test(UUID id, boolean failed);
  }

  void add(UUID test, Place place, Outcome outcome) {
    last.merge(new Key(test, place.directory()), new Last(place.order(), outcome), Last::or);
  }

  void forEachTest(TestVisitor visitor) {
    last.forEach((key, ended) -> visitor.test(key.test(), ended.outcome().isFailure()));
  }
}
