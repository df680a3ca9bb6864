package dev.mainstay.core.queue;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * All that is known of the test results of a run: the number of tests that failed, and some of
 * them, those first that are not known to be flaky. Results that are not there yet may be {@code
 * awaitedUntil} a time.
 */
public record RunResults(Optional<Instant> awaitedUntil, int failed, List<FailingTest> tests) {
  /** A run in which more tests failed than this has not failed by flakes alone. */
  public static final int MOST = 20;

  public RunResults {
    tests = List.copyOf(tests);
    if (tests.size() > Math.min(failed, MOST)) {
      throw new IllegalArgumentException("%d of %d tests".formatted(tests.size(), failed));
    }
  }

  /** Not there yet. */
  public static RunResults awaited(Instant until) {
    return new RunResults(Optional.of(until), 0, List.of());
  }

  /** These many tests failed, some of which are named. */
  public static RunResults of(int failed, List<FailingTest> tests) {
    return new RunResults(Optional.empty(), failed, tests);
  }

  /** Every test that failed is known to be flaky. */
  public boolean hasOnlyFlakes() {
    return failed > 0 && tests.size() == failed && tests.stream().allMatch(FailingTest::isFlaky);
  }
}
