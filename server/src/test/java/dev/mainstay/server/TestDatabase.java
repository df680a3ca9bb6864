package dev.mainstay.server;

import dev.mainstay.server.embedded.DataDirectory;
import dev.mainstay.server.embedded.EmbeddedPostgres;
import dev.mainstay.server.platform.Database;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.concurrent.atomic.AtomicInteger;

/** One real PostgreSQL for all tests of a JVM, and in it as many empty databases as asked for. */
public final class TestDatabase {
  private static final AtomicInteger COUNT = new AtomicInteger();
  private static final EmbeddedPostgres POSTGRES = start();

  /** Made when the first one asks: from then on, tables are copied. */
  private static final class Template {
    static final String NAME = template();
  }

  private TestDatabase() {}

  /** The address of a database of its own, without tables. */
  public static Database.Address empty() {
    return create("");
  }

  /** The address of a database of its own with all tables, as a first start leaves them. */
  public static Database.Address withTables() {
    return create(" TEMPLATE " + Template.NAME);
  }

  private static Database.Address create(String like) {
    String name = "test" + COUNT.incrementAndGet();
    execute(POSTGRES.address(), "CREATE DATABASE " + name + like);
    return addressOf(name);
  }

  private static Database.Address addressOf(String name) {
    var server = POSTGRES.address();
    return new Database.Address(
        server.jdbcUrl().replace("/postgres?", "/" + name + "?"), server.user(), server.password());
  }

  private static String template() {
    execute(POSTGRES.address(), "CREATE DATABASE with_tables");
    try (var database = Database.connect(addressOf("with_tables"), 1)) {
      database.migrate();
    }
    return "with_tables";
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
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  postgres.close();
                  delete(directory);
                }));
    return postgres;
  }
}
