package dev.mainstay.server.node;

import java.time.Instant;
import org.jdbi.v3.core.Handle;

/** The table {@code node}, and the locks that go with its rows. */
public final class NodeStore {
  /** The first half of the locks' names; the second is the node's number. */
  public static final int LOCKS = 0x6d6e6f64;

  private NodeStore() {}

  /** A new node, there as long as this session: nobody sees the row before its lock is held. */
  static int arrive(Handle session, Instant now) {
    return session.inTransaction(
        handle -> {
          int node =
              handle
                  .createQuery("INSERT INTO node (arrived_at) VALUES (:now) RETURNING id")
                  .bind("now", now)
                  .mapTo(Integer.class)
                  .one();
          handle.execute("SELECT pg_advisory_lock(?, ?)", LOCKS, node);
          return node;
        });
  }

  /** How many nodes are there. */
  public static int there(Handle handle) {
    return handle
        .select(
            """
            SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 2
              AND classid = CAST(? AS bigint)
              AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
            """,
            LOCKS)
        .mapTo(Integer.class)
        .one();
  }

  /** Forgets nodes whose session has ended. */
  static int bury(Handle handle) {
    return handle.execute("DELETE FROM node WHERE pg_try_advisory_xact_lock(?, id)", LOCKS);
  }

  /** True where the session still is one. */
  static boolean answers(Handle session) {
    return session.select("SELECT 1").mapTo(Integer.class).one() == 1;
  }
}
