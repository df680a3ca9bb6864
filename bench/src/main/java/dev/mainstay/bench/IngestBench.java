package dev.mainstay.bench;

import dev.mainstay.cli.Main;
import dev.mainstay.server.embedded.DataDirectory;
import dev.mainstay.server.platform.Database;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.postgresql.PGConnection;

/**
 * Results from the HTTP request to committed and visible, against raw binary COPY of the same rows
 * into the same tables of the same database; memory for a bundle of a million tests; and the cost
 * of an upload as the tests of a repository become many.
 */
final class IngestBench {
  private static final int RESULTS = 50_000;
  private static final int ROUNDS = 7;
  private static final int WARM_UPS = 8;
  private static final double REQUIRED = 0.60;
  private static final double MOST_GROWTH = 1.1;
  private static final int MOST_MEMORY = 400;
  private static final int SMALL_UPLOADS = 181;
  private static final Duration SETTLING = Duration.ofMinutes(5);
  private static final Map<String, String> COLUMNS = columns();
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final ServerProcess server;
  private final String token;
  private int commits;

  private IngestBench(ServerProcess server) {
    this.server = server;
    this.token = server.lines().getLast().replaceAll(".* ", "");
  }

  static void run() throws Exception {
    Path directory = directory();
    try (var server = server(directory, "-Xmx1g")) {
      var bench = new IngestBench(server);
      Database.Address address = DataDirectory.at(directory).runningDatabase().orElseThrow();
      try (var connection =
          DriverManager.getConnection(address.jdbcUrl(), address.user(), address.password())) {
        bench.againstCopy(connection);
        bench.memory("1 GiB");
        bench.growth(connection);
      }
    } finally {
      delete(directory);
    }
    least();
  }

  /** The memory that is needed: what a heap takes because it may is not. */
  private static void least() throws Exception {
    Path directory = directory();
    try (var server = server(directory, "-Xmx224m")) {
      var bench = new IngestBench(server);
      byte[] report = SampleReports.compressed(RESULTS, 0);
      for (int i = 0; i < WARM_UPS; i++) {
        bench.upload("bench/o/copy", report);
      }
      bench.memory("224 MiB");
      System.out.printf("  (required: less than %d MiB)%n", MOST_MEMORY);
    } finally {
      delete(directory);
    }
  }

  private static Path directory() throws IOException {
    Path directory = Files.createTempDirectory("mainstay-bench");
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    return directory;
  }

  private static ServerProcess server(Path directory, String heap) throws IOException {
    return new ServerProcess(
        List.of(heap),
        Main.class,
        "serve",
        "--host",
        "127.0.0.1",
        "--port",
        "0",
        "--data-dir",
        directory.toString());
  }

  private void againstCopy(Connection connection) throws Exception {
    byte[] report = SampleReports.compressed(RESULTS, 0);
    var ours = new ArrayList<Double>();
    var again = new ArrayList<Double>();
    var elsewhere = new ArrayList<Double>();
    for (int i = -WARM_UPS; i < ROUNDS; i++) {
      double seconds = upload("bench/o/copy", report);
      double next = copied(connection, exported(connection, "repository_id"));
      double first = copied(connection, exported(connection, 1_000_000 + i + "::bigint"));
      if (i >= 0) {
        ours.add(RESULTS / seconds);
        again.add(RESULTS / next);
        elsewhere.add(RESULTS / first);
      }
    }
    double own = ParserBench.median(ours);
    double copy = ParserBench.median(again);
    System.out.printf(
        "ingestion: %.0f results/s from request to committed and visible; raw COPY of the same rows %.0f/s: %.0f %% (required: %.0f %%)%n",
        own, copy, 100 * own / copy, 100 * REQUIRED);
    System.out.printf(
        "  against COPY to the end of every index, as the first rows of a repository: %.0f/s, %.0f %%%n",
        ParserBench.median(elsewhere), 100 * own / ParserBench.median(elsewhere));
  }

  /** The rows of the last upload in the format of COPY, as if of another upload a second later. */
  private static Map<String, byte[]> exported(Connection connection, String repository)
      throws SQLException, IOException {
    var rows = new LinkedHashMap<String, byte[]>();
    for (var table : COLUMNS.entrySet()) {
      var bytes = new ByteArrayOutputStream();
      String columns =
          table
              .getValue()
              .replaceFirst("repository_id", repository + " AS repository_id")
              .replaceFirst("ran_at", "ran_at + interval '1 second' AS ran_at")
              .replaceFirst("upload_id", "upload_id + 1000000000 AS upload_id");
      connection
          .unwrap(PGConnection.class)
          .getCopyAPI()
          .copyOut(
              """
              COPY (SELECT %s FROM %s WHERE upload_id = (SELECT max(id) FROM upload)
                AND repository_id = (SELECT id FROM repository WHERE key = 'bench/o/copy')) TO STDOUT (FORMAT binary)
              """
                  .formatted(columns, table.getKey()),
              bytes);
      rows.put(table.getKey(), bytes.toByteArray());
    }
    return rows;
  }

  private static double copied(Connection connection, Map<String, byte[]> rows)
      throws SQLException, IOException {
    connection.setAutoCommit(false);
    long start = System.nanoTime();
    for (String table : rows.keySet()) {
      connection
          .unwrap(PGConnection.class)
          .getCopyAPI()
          .copyIn(
              "COPY %s_90 (%s) FROM STDIN (FORMAT binary)"
                  .formatted(table, COLUMNS.getOrDefault(table, "")),
              new ByteArrayInputStream(rows.getOrDefault(table, new byte[0])),
              1 << 16);
    }
    connection.commit();
    double seconds = (System.nanoTime() - start) / 1e9;
    connection.setAutoCommit(true);
    return seconds;
  }

  private void memory(String heap) throws Exception {
    byte[] bundle = SampleReports.compressed(1_000_000, 18);
    long before = server.residentMebibytes();
    double seconds = upload("bench/o/large", bundle);
    System.out.printf(
        "a bundle of %.1f MiB with 1,000,000 tests: %.1f s with a heap of at most %s; resident %d MiB before, %d MiB at its peak%n",
        bundle.length / 1048576.0, seconds, heap, before, server.peakMebibytes());
  }

  /** Uploads of a thousand results to repositories that know more and more tests. */
  private void growth(Connection connection) throws Exception {
    byte[] small = SampleReports.compressed(1000, 0);
    upload("bench/o/t1000", small);
    upload("bench/o/t100000", SampleReports.compressed(100_000, 0));
    upload("bench/o/t1000000", SampleReports.compressed(1_000_000, 0));
    // What came of these is judged in the background, which is not a cost of the next ones.
    Waiting.until(() -> isJudged(connection), SETTLING);
    var times = new LinkedHashMap<String, List<Double>>();
    for (int i = 0; i < SMALL_UPLOADS; i++) {
      for (String known : List.of("t1000", "t100000", "t1000000")) {
        double seconds = upload("bench/o/" + known, small);
        if (i >= SMALL_UPLOADS / 3) {
          times.computeIfAbsent(known, k -> new ArrayList<>()).add(seconds * 1000);
        }
      }
    }
    double least = ParserBench.median(times.getOrDefault("t1000", List.of()));
    times.forEach(
        (known, millis) ->
            System.out.printf(
                "an upload of 1,000 results where %s tests are known: %.1f ms, %.2f times that of 1000 (at most %.1f)%n",
                known.substring(1),
                ParserBench.median(millis),
                ParserBench.median(millis) / least,
                MOST_GROWTH));
  }

  private static boolean isJudged(Connection connection) throws SQLException {
    try (var statement = connection.createStatement();
        var left = statement.executeQuery("SELECT 1 FROM judge_due LIMIT 1")) {
      return !left.next();
    }
  }

  private double upload(String repo, byte[] body) throws Exception {
    URI address =
        URI.create(
            "http://127.0.0.1:%d/v1/test-results?repo=%s&branch=main&commit=c%d"
                .formatted(server.port(), repo, ++commits));
    var request =
        HttpRequest.newBuilder(address)
            .header("x-api-token", token)
            .POST(BodyPublishers.ofByteArray(body))
            .build();
    long start = System.nanoTime();
    var answer = HTTP.send(request, BodyHandlers.ofString());
    double seconds = (System.nanoTime() - start) / 1e9;
    if (answer.statusCode() != 200 || answer.body().contains("\"duplicate\":true")) {
      throw new IllegalStateException(answer.statusCode() + " " + answer.body());
    }
    return seconds;
  }

  private static Map<String, String> columns() {
    var columns = new LinkedHashMap<String, String>();
    columns.put(
        "run",
        "repository_id, test_id, ran_at, upload_id, duration_ms, retention_days, outcome, attempt");
    columns.put(
        "failure",
        "repository_id, test_id, ran_at, upload_id, retention_days, outcome, attempt, branch_class,"
            + " pr_number, commit_sha, type, message, stack");
    return columns;
  }

  private static void delete(Path directory) throws IOException {
    try (var files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
