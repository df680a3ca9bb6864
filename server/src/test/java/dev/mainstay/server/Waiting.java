package dev.mainstay.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/** Patience with what happens elsewhere: looks again, with a pause, until a deadline. */
public final class Waiting {
  private static final Duration DEADLINE = Duration.ofMinutes(5);
  private static final long SHORTEST_PAUSE = Duration.ofMillis(5).toNanos();
  private static final long LONGEST_PAUSE = Duration.ofMillis(50).toNanos();

  /** A pause is this part of the time that was waited: asking takes from those who do the work. */
  private static final int PAUSES_OF = 8;

  private Waiting() {}

  /** The first answer that is wanted. */
  public static <T> T until(Callable<T> question, Predicate<T> wanted) {
    long begun = System.nanoTime();
    T answer = asked(question);
    while (!wanted.test(answer)) {
      long waited = System.nanoTime() - begun;
      assertThat(waited).as("the last answer was %s", answer).isLessThan(DEADLINE.toNanos());
      LockSupport.parkNanos(Math.clamp(waited / PAUSES_OF, SHORTEST_PAUSE, LONGEST_PAUSE));
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
