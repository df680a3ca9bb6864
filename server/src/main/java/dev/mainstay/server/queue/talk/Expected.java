package dev.mainstay.server.queue.talk;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.QueueLifecycle;
import dev.mainstay.core.queue.QueueSettings;
import dev.mainstay.core.queue.Run;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.queue.PullRequestView;
import dev.mainstay.server.queue.store.OpenQueue;
import dev.mainstay.server.queue.store.TestRunStore;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * When a pull request may be merged, if it passes: its tests, and those that need its slot before
 * it, take as long as the last runs of its queue that passed. From few runs nothing is concluded,
 * and nothing is said where it takes longer than it should.
 */
final class Expected {
  private static final int MOST_RUNS = 40;
  private static final int FEWEST_RUNS = 5;

  /** Times between which something happens. */
  record Range(Instant from, Instant to) {}

  private final Database database;
  private final Clock clock;

  Expected(Database database, Clock clock) {
    this.database = database;
    this.clock = clock;
  }

  Optional<Range> of(OpenQueue queue, PullRequestView pr) {
    if (queue.state().lifecycle() != QueueLifecycle.RUNNING) {
      return Optional.empty();
    }
    return switch (pr.state()) {
      case PENDING -> pr.position().flatMap(place -> pending(queue, place));
      case TESTING ->
          queue.state().runOf(new PullRequestRef(pr.number())).flatMap(run -> testing(queue, run));
      case NOT_READY, TESTS_PASSED, PENDING_FAILURE, MERGED, FAILED, CANCELLED -> Optional.empty();
    };
  }

  private Optional<Range> testing(OpenQueue queue, Run run) {
    Instant now = clock.instant();
    return lately(queue)
        .map(t -> new Range(run.requestedAt().plus(t.few()), run.requestedAt().plus(t.many())))
        .filter(range -> range.to().isAfter(now))
        .map(range -> range.from().isAfter(now) ? range : new Range(now, range.to()));
  }

  /** A slot is free now for those that fit into the slots; others wait for one or more turns. */
  private Optional<Range> pending(OpenQueue queue, int place) {
    QueueSettings settings = queue.state().settings();
    int turns = (place - 1) / settings.groupSize() / settings.concurrency();
    Instant now = clock.instant();
    return lately(queue)
        .map(
            t ->
                new Range(
                    now.plus(t.few().multipliedBy(Math.max(turns, 1))),
                    now.plus(t.many().multipliedBy(turns + 1L))));
  }

  /** Most runs took between these. */
  private record Took(Duration few, Duration many) {}

  private Optional<Took> lately(OpenQueue queue) {
    List<Duration> took =
        database.query(handle -> TestRunStore.durations(handle, queue.id(), MOST_RUNS)).stream()
            .sorted()
            .toList();
    return took.size() < FEWEST_RUNS
        ? Optional.empty()
        : Optional.of(new Took(took.get(took.size() / 4), took.get(took.size() * 9 / 10)));
  }
}
