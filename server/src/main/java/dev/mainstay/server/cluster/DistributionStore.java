package dev.mainstay.server.cluster;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/** What the extension Citus knows of tables and servers, and how it is told to spread a table. */
final class DistributionStore {
  private DistributionStore() {}

  /** The version of the extension; empty where this database has none. */
  static Optional<String> extension(Handle handle) {
    return handle
        .select("SELECT extversion FROM pg_extension WHERE extname = 'citus'")
        .mapTo(String.class)
        .findOne();
  }

  /** The servers that rows may be spread over. */
  static List<String> workers(Handle handle) {
    return handle
        .select(
            """
            SELECT nodename || ':' || nodeport FROM pg_dist_node
            WHERE isactive AND shouldhaveshards AND noderole = 'primary' ORDER BY nodeid
            """)
        .mapTo(String.class)
        .list();
  }

  /** True where the extension knows how workers reach the coordinator. */
  static boolean knowsCoordinator(Handle handle) {
    return handle
        .select("SELECT count(*) > 0 FROM pg_dist_node WHERE groupid = 0")
        .mapTo(Boolean.class)
        .one();
  }

  /** Lets the extension know of a table that stays: a change of it and of results is then one. */
  static void join(Handle handle, String table) {
    handle
        .createQuery(
            """
            SELECT citus_add_local_table_to_metadata(CAST(:table AS regclass))
            WHERE CAST(:table AS regclass) NOT IN (SELECT logicalrelid FROM pg_dist_partition)
            """)
        .bind("table", table)
        .map((row, context) -> true)
        .list();
  }

  /** The tables that are spread already. */
  static Set<String> distributed(Handle handle) {
    return handle
        .select(
            """
            SELECT c.relname FROM pg_dist_partition d JOIN pg_class c ON c.oid = d.logicalrelid
            WHERE d.partmethod = 'h' AND c.relnamespace = current_schema()::regnamespace
            """)
        .mapTo(String.class)
        .set();
  }

  /** The number of parts that a table is spread in. */
  static int shards(Handle handle, String table) {
    return handle
        .select(
            "SELECT count(*) FROM pg_dist_shard WHERE logicalrelid = CAST(? AS regclass)", table)
        .mapTo(Integer.class)
        .one();
  }

  /**
   * Spreads a table and its partitions by the repository. With a table to follow, rows of one
   * repository are where its rows are in that table.
   */
  static void distribute(Handle handle, String table, Optional<String> like, int shards) {
    // Nobody else is at work, and a table may be large.
    handle.execute("SET LOCAL lock_timeout = 0");
    handle.execute("SET LOCAL statement_timeout = 0");
    if (like.isPresent()) {
      handle.execute(
          "SELECT create_distributed_table(CAST(? AS regclass), 'repository_id', colocate_with => ?)",
          table,
          like.get());
    } else {
      handle.execute(
          """
          SELECT create_distributed_table(CAST(? AS regclass), 'repository_id', colocate_with => 'none',
            shard_count => ?)
          """,
          table,
          shards);
    }
  }

  /** Gives back the room of rows that are on the workers now. */
  static void forgetLocalRows(Handle handle, String table) {
    handle.execute(
        "SELECT truncate_local_data_after_distributing_table(CAST(? AS regclass))", table);
  }

  /** Lets workers plan as a transaction says, which it does where the planner would guess wrong. */
  static void letSettingsThrough(Handle handle) {
    String statement =
        handle
            .select(
                "SELECT format('ALTER DATABASE %I SET citus.propagate_set_commands = %L', current_database(), 'local')")
            .mapTo(String.class)
            .one();
    handle.execute(statement);
  }
}
