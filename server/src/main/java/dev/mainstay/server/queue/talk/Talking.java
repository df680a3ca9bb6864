package dev.mainstay.server.queue.talk;

import dev.mainstay.server.node.Ending;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.Loop;
import dev.mainstay.server.queue.History;
import dev.mainstay.server.queue.MergeQueues;
import dev.mainstay.server.queue.store.ConversationStore;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.jdbi.v3.core.Handle;

/** The wiring of the talk with people at hosts. A node {@link #start}s its workers. */
public final class Talking implements AutoCloseable {
  private static final Duration POLL = Duration.ofSeconds(1);

  private final HeadChecks checks;
  private final TalkWorker talks;
  private final Deque<AutoCloseable> closings = new ArrayDeque<>();

  /** People find our pages below {@code publicUrl}. */
  public Talking(Database database, Clock clock, MergeQueues queues, URI publicUrl) {
    var history = new History(database);
    var standings = new Standings(database, clock, queues.queues().testRuns(), publicUrl);
    checks =
        new HeadChecks(
            database, clock, queues.runner, queues.forges, queues.pace, history, standings);
    talks =
        new TalkWorker(
            database,
            clock,
            queues::node,
            queues.runner,
            queues.forges,
            queues.pace,
            new Listening(database, clock),
            new Signs(database, clock),
            new Acting(database, clock, queues.runner, queues.queues().pullRequests(), history),
            new Commenting(database, clock, history, standings),
            new StateLabels(database, history));
  }

  /** Makes due what nodes had begun that are gone. */
  public static int free(Handle handle, Instant now) {
    return ConversationStore.free(handle, now);
  }

  /** Starts the workers, which work until {@link #close}. */
  public void start() {
    closings.push(() -> Ending.await(talks::threads));
    work("queue-checks", rounds -> checks.round());
    work("queue-talks", rounds -> talks.round());
  }

  private void work(String name, Consumer<Loop> round) {
    var rounds = new Loop(name, POLL, round);
    closings.push(rounds);
    rounds.start();
  }

  /** One round of the checks on heads. */
  public void checkHeads() {
    checks.round();
  }

  /** Begins one round of talks, each in a thread of its own. */
  public List<Thread> talk() {
    return talks.round();
  }

  @Override
  public void close() {
    while (!closings.isEmpty()) {
      try {
        closings.pop().close();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
