package dev.mainstay.bench;

import dev.mainstay.cli.Main;
import dev.mainstay.server.embedded.DataDirectory;
import dev.mainstay.server.platform.Database;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.jdbi.v3.core.Handle;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;

/**
 * The time that a backup of many results takes, against copying the same rows out of the database
 * and packing them, and that of a restore against unpacking them and copying them into tables with
 * the same indexes. Both have a heap of 64 MB, however much there is: {@code bench/run backup
 * [FAILURES]}.
 */
final class BackupBench {
  private static final int USUAL_FAILURES = 200_000;
  private static final int RUNS_OF_A_FAILURE = 5;
  private static final String HEAP = "-Xmx64m";
  private static final int BUFFER = 1 << 16;
  private static final List<String> TABLES = List.of("failure", "run");

  private final Path directory;
  private final Database database;

  private BackupBench(Path directory, Database database) {
    this.directory = directory;
    this.database = database;
  }

  static void run() throws Exception {
    run(USUAL_FAILURES);
  }

  static void run(int failures) throws Exception {
    Path directory = Files.createTempDirectory("mainstay-bench");
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path data = directory.resolve("data");
    try (var server =
            new ServerProcess(
                Main.class,
                "serve",
                "--host",
                "127.0.0.1",
                "--port",
                "0",
                "--data-dir",
                "" + data);
        var database =
            Database.connect(DataDirectory.at(data).runningDatabase().orElseThrow(), 4)) {
      upload(server);
      new BackupBench(directory, database).measure(failures);
    } finally {
      delete(directory);
    }
  }

  private static void upload(ServerProcess server) throws Exception {
    var request =
        HttpRequest.newBuilder(
                URI.create(
                    "http://127.0.0.1:%d/v1/test-results?repo=bench/o/r&branch=main&commit=c"
                        .formatted(server.port())))
            .header("x-api-token", server.lines().getLast().replaceAll(".* ", ""))
            .header("content-type", "application/xml")
            .POST(BodyPublishers.ofString(SampleReports.retried(10, 0)));
    var answer = HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      throw new IllegalStateException(answer.body());
    }
  }

  private void measure(int failures) throws Exception {
    fill(failures);
    double rows = seconds(() -> out(OutputStream.nullOutputStream()));
    double packed = seconds(this::pack);
    Path file = directory.resolve("backup");
    double backup = seconds(() -> command("backup", directory.resolve("data"), file));
    double in = seconds(this::copyIn);
    Path restored = directory.resolve("restored");
    double restore = seconds(() -> command("restore", restored, file));
    System.out.printf(
        Locale.ROOT,
        "%,d MB of rows, %,d MB packed, with a heap of 64 MB:%n"
            + "  backup in %.1f s: %.2f times COPY and gzip (%.1f s), %.2f times COPY alone (%.1f s)%n"
            + "  restore in %.1f s: %.2f times unpacking and COPY into tables (%.1f s)%n",
        bytes >> 20,
        Files.size(file) >> 20,
        backup,
        backup / packed,
        packed,
        backup / rows,
        rows,
        restore,
        restore / in,
        in);
  }

  /** Failures with stacks of a kilobyte, and runs, from the first of each. */
  private void fill(int failures) {
    database.query(
        handle ->
            handle.execute(
                """
                INSERT INTO failure SELECT f.repository_id, f.test_id, f.ran_at, f.upload_id, f.retention_days,
                  f.outcome, f.attempt, f.branch_class, f.pr_number, md5(g::text), f.type, 'expected ' || g,
                  (SELECT string_agg('at com.acme.' || md5((g * 31 + k)::text) || '.run(Cart.java:' || k || ')', E'\\n')
                    FROM generate_series(1, 16) k)
                FROM (SELECT * FROM failure LIMIT 1) f, generate_series(1, ?) g
                """,
                failures));
    database.query(
        handle ->
            handle.execute(
                """
                INSERT INTO run (repository_id, test_id, ran_at, upload_id, duration_ms, retention_days, outcome, attempt, decides)
                SELECT r.repository_id, r.test_id, r.ran_at, r.upload_id, g, r.retention_days, r.outcome, r.attempt, r.decides
                FROM (SELECT * FROM run LIMIT 1) r, generate_series(1, ?) g
                """,
                failures * RUNS_OF_A_FAILURE));
  }

  private long bytes;

  private void out(OutputStream to) throws IOException {
    bytes = 0;
    for (String table : TABLES) {
      out(table, to);
    }
  }

  private void pack() throws IOException {
    bytes = 0;
    for (String table : TABLES) {
      try (var packed = new GZIPOutputStream(Files.newOutputStream(packed(table)), BUFFER)) {
        out(table, packed);
      }
    }
  }

  private Path packed(String table) {
    return directory.resolve(table + ".gz");
  }

  /** The rows of a table as COPY gives them. */
  private void out(String table, OutputStream to) throws IOException {
    database.inTransaction(
        handle -> {
          try {
            var copy = copies(handle).copyOut("COPY (SELECT * FROM %s) TO STDOUT".formatted(table));
            for (byte[] row = copy.readFromCopy(); row != null; row = copy.readFromCopy()) {
              bytes += row.length;
              to.write(row);
            }
            return bytes;
          } catch (SQLException e) {
            throw new IllegalStateException(e);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  /** Puts what was packed into tables like those it is of. */
  private void copyIn() throws IOException {
    for (String table : TABLES) {
      database.query(
          handle ->
              handle.execute(
                  "CREATE TABLE raw_%1$s (LIKE %1$s INCLUDING INDEXES)".formatted(table)));
      try (var rows = new GZIPInputStream(Files.newInputStream(packed(table)), BUFFER)) {
        database.inTransaction(handle -> in(handle, table, rows));
      }
      database.query(handle -> handle.execute("DROP TABLE raw_" + table));
    }
  }

  private static long in(Handle handle, String table, InputStream rows) {
    try {
      return copies(handle).copyIn("COPY raw_%s FROM STDIN".formatted(table), rows, BUFFER);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static CopyManager copies(Handle handle) throws SQLException {
    return handle.getConnection().unwrap(PGConnection.class).getCopyAPI();
  }

  private static void command(String name, Path data, Path file) throws Exception {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(HEAP, "-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(Main.class.getName(), name, "--data-dir", "" + data, "" + file));
    int code = new ProcessBuilder(command).inheritIO().start().waitFor();
    if (code != 0) {
      throw new IllegalStateException(name + " ended with " + code);
    }
  }

  private static double seconds(Bench.Measurement measured) throws Exception {
    long start = System.nanoTime();
    measured.run();
    return (System.nanoTime() - start) / 1e9;
  }

  private static void delete(Path directory) throws IOException {
    try (var files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
