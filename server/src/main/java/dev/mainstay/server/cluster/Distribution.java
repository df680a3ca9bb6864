package dev.mainstay.server.cluster;

import dev.mainstay.server.node.NodeStore;
import dev.mainstay.server.platform.Database;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jdbi.v3.core.JdbiException;

/**
 * Spreads the tables of results over the workers of a cluster, by the repository. Each table is a
 * transaction of its own, and one that is spread is left as it is: what was broken off is finished
 * by doing it again. All other tables stay on the coordinator.
 */
public final class Distribution {
  /** The tables that are spread, in this order; the others follow the first. */
  public static final List<String> TABLES =
      Stream.of(
              Stream.of(
                  "result_feed",
                  "arrival",
                  "upload",
                  "test",
                  "test_settings",
                  "test_day",
                  "repository_day",
                  "commit_failure",
                  "recent_failure"),
              ofClasses("run"),
              ofClasses("failure"),
              ofClasses("test_hour"),
              Stream.of(
                  "monitor",
                  "monitor_mute",
                  "status_change",
                  "judge_cursor",
                  "judge_due",
                  "kept_list"))
          .flatMap(tables -> tables)
          .toList();

  private static final String FIRST = TABLES.getFirst();

  /** The table that stays and is written together with results: both are there, or none is. */
  private static final String JOINED = "fact";

  private Distribution() {}

  /** What keeps the tables from being spread, in a sentence for the operator. */
  public static final class Refused extends RuntimeException {
    Refused(String message) {
      super(message);
    }
  }

  /** Hears which table is next. */
  public interface Progress {
    void at(String table, int number, int tables);
  }

  /** How it is now: the servers, the parts of each table, and the tables that were spread now. */
  public record Done(List<String> workers, int shards, List<String> spread) {
    public Done {
      workers = List.copyOf(workers);
      spread = List.copyOf(spread);
    }
  }

  private static Stream<String> ofClasses(String table) {
    return IntStream.of(30, 90, 365, 1095).mapToObj(days -> table + "_" + days);
  }

  /** True where results are on several servers. */
  public static boolean isDone(Database database) {
    return database.query(
        handle ->
            DistributionStore.extension(handle).isPresent()
                && DistributionStore.distributed(handle).containsAll(TABLES));
  }

  /** Spreads what is not spread yet; throws a {@link Refused}. */
  public static Done distribute(Database database, int shards, Progress progress) {
    List<String> workers = workers(database);
    if (database.query(NodeStore::there) > 0) {
      throw new Refused(
          "The service is running: stop every node first, so that nothing is written meanwhile.");
    }
    Set<String> before = database.query(DistributionStore::distributed);
    var spread = new ArrayList<String>();
    for (String table : TABLES) {
      if (!before.contains(table)) {
        progress.at(table, TABLES.indexOf(table) + 1, TABLES.size());
        Optional<String> like = Optional.of(FIRST).filter(first -> !first.equals(table));
        spread(database, table, like, shards);
        spread.add(table);
      }
      database.useTransaction(handle -> DistributionStore.forgetLocalRows(handle, table));
    }
    database.useTransaction(handle -> DistributionStore.join(handle, JOINED));
    database.useTransaction(DistributionStore::letSettingsThrough);
    return new Done(
        workers, database.query(handle -> DistributionStore.shards(handle, FIRST)), spread);
  }

  private static void spread(Database database, String table, Optional<String> like, int shards) {
    try {
      database.useTransaction(handle -> DistributionStore.distribute(handle, table, like, shards));
    } catch (JdbiException e) {
      Throwable root = e;
      while (root.getCause() != null) {
        root = root.getCause();
      }
      throw new Refused(
          "The database refused to spread %s: %s. What is spread stays so; when this is mended, give the command again."
              .formatted(table, String.valueOf(root.getMessage()).lines().findFirst().orElse("")));
    }
  }

  private static List<String> workers(Database database) {
    if (database.query(DistributionStore::extension).isEmpty()) {
      throw new Refused(
          "This database has no extension citus: it is made by `CREATE EXTENSION citus` here and on every worker, and `SELECT citus_add_node('HOST', 5432)` here names each worker. docs/scaling.md says more.");
    }
    List<String> workers = database.query(DistributionStore::workers);
    if (workers.isEmpty()) {
      throw new Refused(
          "This database knows no worker: `SELECT citus_add_node('HOST', 5432)` names one. docs/scaling.md says more.");
    }
    if (!database.query(DistributionStore::knowsCoordinator)) {
      throw new Refused(
          "This database does not know its own address: `SELECT citus_set_coordinator_host('HOST', 5432)` says by which the workers reach it. docs/scaling.md says more.");
    }
    return workers;
  }
}
