package dev.mainstay.core.queue;

import java.util.Optional;

/**
 * A test that failed in a run. {@code flaky} is there where it is known to be flaky, and says by
 * what: the evidence, in a sentence. {@code onTarget} says how it is known to fail on the target
 * branch, too.
 */
public record FailingTest(
    String id, String name, Optional<String> flaky, Optional<String> onTarget) {
  /** One of which nothing is known of the target branch. */
  public FailingTest(String id, String name, Optional<String> flaky) {
    this(id, name, flaky, Optional.empty());
  }

  public boolean isFlaky() {
    return flaky.isPresent();
  }
}
