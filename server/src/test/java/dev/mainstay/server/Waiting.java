package dev.mainstay.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/** Patience with what happens elsewhere: looks again, with a pause, until a deadline. */
public final class Waiting {
  private static final Duration DEADLINE = Duration.ofMinutes(5);
  private static final Duration PAUSE = Duration.ofMillis(10);

  private Waiting() {}

  /** The first answer that is wanted. */
  public static <T> T until(Callable<T> question, Predicate<T> wanted) {
    long end = System.nanoTime() + DEADLINE.toNanos();
    T answer = asked(question);
    while (!wanted.test(answer)) {
      assertThat(System.nanoTime()).as("the last answer was %s", answer).isLessThan(end);
      LockSupport.parkNanos(PAUSE.toNanos());
      answer = asked(question);
    }
    return answer;
  }

  private static <T> T asked(Callable<T> question) {
    try {
      return question.call();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
