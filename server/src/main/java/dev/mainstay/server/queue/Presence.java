package dev.mainstay.server.queue;

import dev.mainstay.server.platform.Database;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says that this node is there, by a session with the database that ends when the node dies, and
 * frees what nodes held that are gone. One that hangs or is cut off may still have its session:
 * what it holds is free when the leases end. One that lives and lost its session comes back under
 * another number; what it has in hand may then be done twice, which is harmless.
 */
final class Presence implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger("queue");

  private final Database database;
  private final Clock clock;
  private volatile @Nullable Held held;

  private record Held(Database.Session session, int node) {}

  Presence(Database database, Clock clock) {
    this.database = database;
    this.clock = clock;
  }

  /** The number to take work under. Who is not there takes nothing. */
  Optional<Integer> node() {
    return Optional.ofNullable(held).map(Held::node);
  }

  /** Makes sure to be there; true where there may be work that was not before. */
  boolean round() {
    boolean arrived = stay();
    Instant now = clock.instant();
    return database.inTransaction(
        handle -> {
          NodeStore.bury(handle);
          int freed =
              ActionStore.free(handle, now)
                  + TestCommandStore.free(handle, now)
                  + ConnectionStore.free(handle, now);
          return arrived || freed > 0;
        });
  }

  private synchronized boolean stay() {
    Held before = held;
    if (before != null && isThere(before)) {
      return false;
    }
    if (before != null) {
      log.warn("node {} lost its session with the database", before.node());
      close();
    }
    Database.Session session = database.session();
    try {
      held = new Held(session, session.call(h -> NodeStore.arrive(h, clock.instant())));
      return true;
    } catch (RuntimeException e) {
      session.close();
      throw e;
    }
  }

  private static boolean isThere(Held held) {
    try {
      return held.session().call(h -> h.select("SELECT 1").mapTo(Integer.class).one()) == 1;
    } catch (RuntimeException e) {
      return false;
    }
  }

  /** Leaves; others take what is still in hand. */
  @Override
  public synchronized void close() {
    Held before = held;
    held = null;
    if (before != null) {
      before.session().close();
    }
  }
}
