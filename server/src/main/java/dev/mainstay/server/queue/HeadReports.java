package dev.mainstay.server.queue;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.queue.CheckState;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.queue.run.Proposal;
import dev.mainstay.server.queue.run.QueueRunner;
import dev.mainstay.server.queue.store.HeadStatusStore;
import dev.mainstay.server.queue.store.OpenQueue;
import dev.mainstay.server.queue.store.QueueName;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Statuses that CI systems report for the head commit of a pull request itself, where no forge
 * carries them. They are kept for a while, whether or not the commit is known yet.
 */
public final class HeadReports {
  private static final int MOST_STATUSES = 1000;

  private final Database database;
  private final Clock clock;
  private final QueueRunner runner;

  HeadReports(Database database, Clock clock, QueueRunner runner) {
    this.database = database;
    this.clock = clock;
    this.runner = runner;
  }

  public Outcomes.Report report(QueueName name, CommitSha head, String check, CheckState state) {
    Optional<OpenQueue> queue = runner.find(name);
    if (queue.isEmpty()) {
      return new Outcomes.NoSuchQueue();
    }
    long id = queue.get().id();
    Instant now = clock.instant();
    boolean kept =
        database.inTransaction(
            h -> HeadStatusStore.set(h, id, head, check, state, now, MOST_STATUSES));
    if (!kept) {
      return new Outcomes.TooManyStatuses(MOST_STATUSES);
    }
    boolean passed = state == CheckState.SUCCESS;
    return runner.accept(id, Proposal.of(s -> told(s, head, check, passed))).isPresent()
        ? new Outcomes.Reported()
        : new Outcomes.NoSuchQueue();
  }

  /** Pull requests whose head it is are shown anew, with this status. */
  private static List<QueueEvent> told(
      QueueState state, CommitSha head, String check, boolean passed) {
    return state.entries().values().stream()
        .filter(entry -> entry.head().equals(Optional.of(head)))
        .<QueueEvent>map(
            entry ->
                new QueueEvent.SnapshotTaken(
                    entry.pr(), entry.snapshot().orElseThrow().with(check, passed)))
        .toList();
  }
}
