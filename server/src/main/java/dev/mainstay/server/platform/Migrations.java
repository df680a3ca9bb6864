package dev.mainstay.server.platform;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;
import org.jdbi.v3.core.Handle;

/**
 * Numbered scripts, each run once. {@code db/migration/index} names them in order; the line is the
 * number. All that is missing runs in the caller's one transaction together with its record, so a
 * kill leaves all of it or nothing, and whoever comes second waits and finds it done.
 */
public final class Migrations {
  private static final String DIRECTORY = "/db/migration/";
  static final long LOCK = 0x6d61696e73746179L;

  private Migrations() {}

  /** A newer Mainstay has changed the tables. */
  public static final class NewerSchema extends RuntimeException {
    private NewerSchema(int version) {
      super(String.valueOf(version));
    }
  }

  /** The number of the newest script there is. */
  public static int newest() {
    return scripts().size();
  }

  /** The script of this number; empty where there is none. */
  public static String script(int number) {
    List<String> scripts = scripts();
    return number < 1 || number > scripts.size() ? "" : scripts.get(number - 1);
  }

  /** The number of the newest script that was run; 0 where there are no tables. */
  public static int number(Handle handle) {
    try (Statement statement = handle.getConnection().createStatement()) {
      return wereRun(handle.getConnection()) ? applied(statement) : 0;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Brings the tables to an earlier number, as they were before later scripts. */
  public static void run(Handle handle, int upTo) {
    try {
      run(handle.getConnection(), scripts().subList(0, upTo));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<String> scripts() {
    return resource("index").lines().toList();
  }

  static void run(Connection connection) throws SQLException {
    run(connection, scripts());
  }

  private static void run(Connection connection, List<String> scripts) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      if (wereRun(connection) && isDone(statement, scripts)) {
        // Nobody who only looks has to wait for a backup, which holds the lock.
        return;
      }
      // Another node may take long to migrate.
      statement.execute("SET LOCAL lock_timeout = 0");
      statement.execute("SELECT pg_advisory_xact_lock(" + LOCK + ")");
      statement.execute(
          """
          CREATE TABLE IF NOT EXISTS migration (
            number integer PRIMARY KEY,
            script text NOT NULL,
            applied_at timestamptz NOT NULL DEFAULT now()
          )
          """);
      if (isDone(statement, scripts)) {
        return;
      }
      for (int number = applied(statement) + 1; number <= scripts.size(); number++) {
        apply(connection, statement, number, scripts.get(number - 1));
      }
    }
  }

  /** True where some Mainstay has made its tables before. */
  static boolean wereRun(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        var rows = statement.executeQuery("SELECT to_regclass('migration') IS NOT NULL")) {
      return rows.next() && rows.getBoolean(1);
    }
  }

  private static boolean isDone(Statement statement, List<String> scripts) throws SQLException {
    int applied = applied(statement);
    if (applied > scripts.size()) {
      throw new NewerSchema(applied);
    }
    return applied == scripts.size();
  }

  private static int applied(Statement statement) throws SQLException {
    try (var rows = statement.executeQuery("SELECT coalesce(max(number), 0) FROM migration")) {
      rows.next();
      return rows.getInt(1);
    }
  }

  private static void apply(Connection connection, Statement statement, int number, String script)
      throws SQLException {
    statement.execute(resource(script));
    try (var insert =
        connection.prepareStatement("INSERT INTO migration (number, script) VALUES (?, ?)")) {
      insert.setInt(1, number);
      insert.setString(2, script);
      insert.executeUpdate();
    }
  }

  private static String resource(String name) {
    try (InputStream file = Migrations.class.getResourceAsStream(DIRECTORY + name)) {
      return new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
