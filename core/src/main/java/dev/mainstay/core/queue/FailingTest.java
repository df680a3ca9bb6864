package dev.mainstay.core.queue;

import java.util.Optional;

/**
 * A test that failed in a run. {@code flaky} is there where it is known to be flaky, and says by
 * what: the evidence, in a sentence.
 */
public record FailingTest(String id, String name, Optional<String> flaky) {
  public boolean isFlaky() {
    return flaky.isPresent();
  }
}
