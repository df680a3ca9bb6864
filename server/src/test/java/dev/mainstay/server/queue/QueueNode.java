package dev.mainstay.server.queue;

import dev.mainstay.server.MovableClock;
import dev.mainstay.server.forge.Forge;
import dev.mainstay.server.forge.Reach;
import dev.mainstay.server.forge.git.GitKind;
import dev.mainstay.server.forge.git.copy.GitLimits;
import dev.mainstay.server.node.NodeStore;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.queue.run.Evidence;
import dev.mainstay.server.queue.talk.Talking;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/** The queues of one node on real PostgreSQL and real git, whose workers move when told to. */
public final class QueueNode implements AutoCloseable {
  private static final int MOST_ROUNDS = 300;

  public final Database database;
  public final MergeQueues rooms;
  final Talking talking;
  final Queues queues;
  private final MovableClock clock;

  QueueNode(
      Database.Address address, MovableClock clock, Path directory, UnaryOperator<Forge> wrapped) {
    this.clock = clock;
    database = Database.connect(address, 4);
    database.migrate();
    rooms =
        new MergeQueues(
            database,
            clock,
            directory.resolve("tests"),
            List.of(
                new WrappedKind(
                    new GitKind(directory.resolve("git"), GitLimits.USUAL, Reach.usual()),
                    wrapped)),
            Reach.usual(),
            (repository, file) -> {},
            (repository, branch, commit) -> List.of(),
            question -> Evidence.Found.NOTHING,
            List.of(Talking::free));
    queues = rooms.queues();
    talking = new Talking(database, clock, rooms, URI.create("https://mainstay.example"));
  }

  /** One round of every worker, to its end. */
  void round() {
    rooms.presence.round();
    rooms.watches.round().forEach(QueueNode::join);
    rooms.wakes.round();
    rooms.actions.round(() -> {}).forEach(QueueNode::join);
    talking.checkHeads();
    talking.talk().forEach(QueueNode::join);
    rooms.commands.round(() -> {});
    clock.advance(Duration.ofSeconds(1));
  }

  /** Begins what is due and does not wait for its end. */
  List<Thread> begin() {
    rooms.presence.round();
    return rooms.actions.round(() -> {});
  }

  /** Ends its session with the database, as the kernel does for a process that is killed. */
  void endSession() {
    int number = rooms.presence.node().orElseThrow();
    database.query(
        h ->
            h.select(
                    """
                    SELECT pg_terminate_backend(pid, 10000) FROM pg_locks
                    WHERE locktype = 'advisory' AND classid = ? AND objid = ? AND granted
                      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
                    """,
                    NodeStore.LOCKS,
                    number)
                .mapTo(Boolean.class)
                .one());
  }

  public void runUntil(BooleanSupplier done) {
    for (int i = 0; i < MOST_ROUNDS; i++) {
      if (done.getAsBoolean()) {
        return;
      }
      round();
    }
    throw new AssertionError("It did not come to that.");
  }

  /** Waits until no test command runs here. */
  void awaitCommands() {
    rooms.commands.awaitEnds();
  }

  static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    talking.close();
    rooms.close();
    database.close();
  }
}
