package dev.mainstay.core.queue.rules;

import dev.mainstay.core.queue.Entry;
import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.Reason;
import dev.mainstay.core.queue.ReasonCode;
import dev.mainstay.core.queue.Run;
import java.time.Duration;
import java.util.Set;

/**
 * What the queue learns from what it sees. A pull request that merged passed; one that failed its
 * tests, all it stood on having merged, failed by itself or with one of those. Who left otherwise,
 * or was let down by CI, teaches nothing.
 */
final class Lessons {
  private static final Set<ReasonCode> FAILURES =
      Set.of(ReasonCode.TEST_FAILED, ReasonCode.TEST_TIMEOUT);

  private Lessons() {}

  static void passed(NextState next, Entry entry, Group group) {
    if (!group.direct()) {
      next.learned = next.learned.passed(Traits.of(next).of(entry), others(group));
    }
  }

  static void failed(NextState next, Entry entry, Group group, Reason why) {
    if (FAILURES.contains(why.code())) {
      next.learned = next.learned.failed(entry.pr(), Traits.of(next).of(entry), others(group));
    }
  }

  /** A run that passed, or that was given up though it was under way, took so long. */
  static void took(NextState next, Run run) {
    boolean counts =
        run.succeeded()
            || run.failure().filter(f -> f.why().code() == ReasonCode.TEST_TIMEOUT).isPresent();
    if (counts) {
      run.builtAt()
          .ifPresent(at -> next.learned = next.learned.took(Duration.between(at, next.now)));
    }
  }

  private static int others(Group group) {
    return group.run().map(Run::heldAtStart).orElse(0) + group.members().size() - 1;
  }
}
