package dev.mainstay.server.node;

import dev.mainstay.server.platform.Database;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The presence of this node: a session with the database that ends when the node dies. Frees the
 * work of nodes that are gone. A node that hangs or is cut off may still have its session: its work
 * is free when the leases end. A node that lives and lost its session comes back under another
 * number; the work it has in hand may then be done twice, which is harmless.
 */
public final class Presence implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger("queue");

  private final Database database;
  private final Clock clock;
  private final List<Lease> leases;
  private volatile @Nullable Held held;

  /** A kind of work that nodes hold for a while. */
  public interface Lease {
    /** Makes due again whatever is held by nodes that are gone; how much that was. */
    int free(Handle handle, Instant now);
  }

  private record Held(Database.Session session, int node) {}

  public Presence(Database database, Clock clock, List<Lease> leases) {
    this.database = database;
    this.clock = clock;
    this.leases = List.copyOf(leases);
  }

  /** The number to take work under; empty while the node has no session: then it takes nothing. */
  public Optional<Integer> node() {
    return Optional.ofNullable(held).map(Held::node);
  }

  /** Makes sure that the node is there; true where there may be work that was not before. */
  public boolean round() {
    boolean arrived = stay();
    Instant now = clock.instant();
    return database.inTransaction(
        handle -> {
          NodeStore.bury(handle);
          int freed = leases.stream().mapToInt(lease -> lease.free(handle, now)).sum();
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
      return held.session().call(NodeStore::answers);
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
