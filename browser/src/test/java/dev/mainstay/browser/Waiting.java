package dev.mainstay.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Patience with what happens elsewhere: looks again, with a pause, until a deadline. */
final class Waiting {
  private static final Duration DEADLINE = Duration.ofMinutes(2);
  private static final Duration PAUSE = Duration.ofMillis(20);

  private Waiting() {}

  /** The first answer that is wanted. */
  static <T> T until(Supplier<T> question, Predicate<T> wanted) {
    long end = System.nanoTime() + DEADLINE.toNanos();
    T answer = question.get();
    while (!wanted.test(answer)) {
      assertThat(System.nanoTime()).as("the last answer was %s", answer).isLessThan(end);
      LockSupport.parkNanos(PAUSE.toNanos());
      answer = question.get();
    }
    return answer;
  }
}
