package dev.mainstay.server;

import dev.mainstay.server.embedded.DataDirectory;
import dev.mainstay.server.embedded.EmbeddedPostgres;
import dev.mainstay.server.health.result.PartitionStore;
import dev.mainstay.server.platform.Database;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.LocalDate;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One real PostgreSQL for all tests of a JVM, and in it as many empty databases as asked for; or
 * the cluster that the environment names.
 */
public final class TestDatabase {
  private static final AtomicInteger COUNT = new AtomicInteger();
  private static final Optional<TestCluster> CLUSTER = cluster();

  private static final int RETENTION_DAYS = 90;

  /** Made when the first one asks. */
  private static final class Own {
    static final EmbeddedPostgres POSTGRES = start();
  }

  /** Made when the first one asks: from then on, tables are copied. */
  private static final class Template {
    static final String NAME = template();
  }

  private TestDatabase() {}

  /** The address of a database of its own, without tables. */
  public static Database.Address empty() {
    String name = "test" + COUNT.incrementAndGet();
    return CLUSTER.map(cluster -> cluster.empty(name)).orElseGet(() -> create(name, ""));
  }

  /** The address of a database of its own with all tables, as a first start leaves them. */
  public static Database.Address withTables() {
    String name = "test" + COUNT.incrementAndGet();
    return CLUSTER
        .map(cluster -> cluster.copy(Template.NAME, name))
        .orElseGet(() -> create(name, " TEMPLATE " + Template.NAME));
  }

  /** True where results are on several servers. */
  public static boolean isSpread() {
    return CLUSTER.filter(TestCluster::isSpread).isPresent();
  }

  /** Changes a table, by a statement with a place for its name; each part of one that is spread. */
  public static void change(Database database, String table, String statement) {
    if (isSpread()) {
      database.query(h -> h.execute("SELECT run_command_on_shards(?, ?)", table, statement));
    } else {
      database.query(h -> h.execute(statement.formatted(table)));
    }
  }

  /** The address of an empty database on several servers, where there are some. */
  public static Optional<Database.Address> together() {
    return CLUSTER
        .filter(TestCluster::isSpread)
        .map(cluster -> cluster.together("test" + COUNT.incrementAndGet()));
  }

  private static Database.Address create(String name, String like) {
    execute(Own.POSTGRES.address(), "CREATE DATABASE " + name + like);
    return addressOf(name);
  }

  private static Database.Address addressOf(String name) {
    var server = Own.POSTGRES.address();
    return new Database.Address(
        server.jdbcUrl().replace("/postgres?", "/" + name + "?"), server.user(), server.password());
  }

  private static String template() {
    String name = "with_tables";
    CLUSTER.ifPresentOrElse(
        cluster -> {
          cluster.distributed(name);
          cluster.close(name);
        },
        () -> {
          try (var database = Database.connect(create(name, ""), 1)) {
            database.migrate();
            new PartitionStore(database).ensure(RETENTION_DAYS, firstDays());
          }
        });
    return name;
  }

  /** The days that a node with a clock of tests makes room for when it starts. */
  private static List<Integer> firstDays() {
    int first = Math.toIntExact(LocalDate.now(new MovableClock()).toEpochDay());
    return List.of(first, first + 1, first + 2, first + 3);
  }

  private static Optional<TestCluster> cluster() {
    Optional<TestCluster> named = TestCluster.named();
    named.ifPresent(cluster -> Runtime.getRuntime().addShutdownHook(new Thread(cluster::clear)));
    return named;
  }

  private static void execute(Database.Address server, String statement) {
    try (var database = Database.connect(server, 1)) {
      database.query(handle -> handle.execute(statement));
    }
  }

  /** A directory in which PostgreSQL can work even when the tests run as root. */
  public static Path openDirectory() {
    try {
      Path directory = Files.createTempDirectory("mainstay-test");
      Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
      return directory;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static void delete(Path directory) {
    try (var files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static EmbeddedPostgres start() {
    Path directory = openDirectory();
    var postgres = EmbeddedPostgres.tryStart(DataDirectory.at(directory), () -> {}).orElseThrow();
    // Nothing of it is to outlive this process: no test waits for the disk.
    execute(postgres.address(), "ALTER SYSTEM SET fsync = off");
    execute(postgres.address(), "SELECT pg_reload_conf()");
    // Nothing of it is secret: a login takes one round of hashing instead of 4096.
    execute(
        postgres.address(),
        "SET scram_iterations = 1; ALTER ROLE %s PASSWORD '%s'"
            .formatted(postgres.address().user(), postgres.address().password()));
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  postgres.close();
                  deleteLater(directory);
                }));
    return postgres;
  }

  /** Half a million files, of hundreds of databases: nobody waits until the last one is gone. */
  private static void deleteLater(Path directory) {
    try {
      new ProcessBuilder("rm", "-rf", directory.toString()).start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
