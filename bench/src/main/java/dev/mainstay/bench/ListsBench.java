package dev.mainstay.bench;

import dev.mainstay.cli.Main;
import dev.mainstay.server.embedded.DataDirectory;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * The first and the last page of the failing tests of a week, against an authenticated request that
 * reads one row by its key, with a tenth of the runs and with all of them.
 */
final class ListsBench {
  private static final double MOST = 10;
  private static final double MOST_GROWTH = 1.5;
  private static final int ROUNDS = 301;
  private static final int PAGE = 100;
  private static final String LIST = "/v1/flaky-tests/list-failing-tests";
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final ServerProcess server;
  private final ServerProcess single;
  private final String token;
  private final Database database;

  private ListsBench(ServerProcess server, ServerProcess single, String token, Database database) {
    this.server = server;
    this.single = single;
    this.token = token;
    this.database = database;
  }

  /** Smaller unless MAINSTAY_BENCH_FULL is set: 30 million runs take their time. */
  static void run() throws Exception {
    boolean full = System.getenv("MAINSTAY_BENCH_FULL") != null;
    Path directory = Files.createTempDirectory("mainstay-bench");
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    try (var server = serve(directory);
        var single = new ServerProcess(NoOpServer.class, directory.toString())) {
      String token = server.lines().getLast().replaceAll(".* ", "");
      var address = DataDirectory.at(directory).runningDatabase().orElseThrow();
      try (var database = Database.connect(address, 4)) {
        var bench = new ListsBench(server, single, token, database);
        if (full) {
          bench.lists(100_000, 1_000_000, 30_000_000);
        } else {
          bench.lists(20_000, 200_000, 4_000_000);
        }
      }
    } finally {
      delete(directory);
    }
  }

  private static ServerProcess serve(Path directory) throws IOException {
    return new ServerProcess(
        Main.class, "serve", "--host", "127.0.0.1", "--port", "0", "--data-dir", "" + directory);
  }

  private void lists(int tests, int failures, int runs) throws Exception {
    List<String> repos = List.of("once", "tenfold");
    for (String repo : repos) {
      week(repo);
    }
    // The one test of the uploads above fills the last page.
    new ListData(database, "once", tests - 1, failures, runs / 10).make();
    double once = measured("once", tests);
    new ListData(database, "tenfold", tests - 1, failures, runs).make();
    double tenfold = measured("tenfold", tests);
    System.out.printf(
        "ten times the runs: %.2f times as long (at most %.1f)%n", tenfold / once, MOST_GROWTH);
  }

  /** Something on each day, so that the tables have their partitions. */
  private void week(String repo) throws Exception {
    var report = new StringBuilder("<testsuites>");
    for (int day = 0; day <= 8; day++) {
      report.append(
          "<testsuite timestamp='%s'><testcase name='a'><failure/></testcase></testsuite>"
              .formatted(Instant.now().minus(Duration.ofDays(day))));
    }
    upload(repo, report.append("</testsuites>").toString());
  }

  /** The slower of the two pages, in milliseconds. */
  private double measured(String repo, int tests) throws Exception {
    var one = new ArrayList<Double>();
    var first = new ArrayList<Double>();
    var last = new ArrayList<Double>();
    String row = row(repo);
    for (int i = 0; i < ROUNDS; i++) {
      Instant now = Instant.now();
      timed(one, single, "/v1/row", row);
      JsonNode page = timed(first, server, LIST, list(repo, now, ""));
      String end = page.at("/page/last_page_token").asString();
      JsonNode lastPage = timed(last, server, LIST, list(repo, now, end));
      if (page.at("/page/total_rows").asInt() < tests || lastPage.path("tests").isEmpty()) {
        throw new IllegalStateException(page.path("page") + " " + lastPage.path("page"));
      }
    }
    double base = median(one);
    System.out.printf(
        "%s: one row by its key %.2f ms; %d of %,d failing tests: first page %.2f ms, last page %.2f ms: %.1f and %.1f times (at most %.0f)%n",
        repo,
        base,
        PAGE,
        tests,
        median(first),
        median(last),
        median(first) / base,
        median(last) / base,
        MOST);
    return Math.max(median(first), median(last));
  }

  private String row(String repo) {
    return database.query(
        h ->
            h.select(
                    """
                    SELECT json_build_object('repository', t.repository_id, 'test', t.id)::text
                    FROM test t JOIN repository r ON r.id = t.repository_id WHERE r.key = ? LIMIT 1
                    """,
                    "bench/o/" + repo)
                .mapTo(String.class)
                .one());
  }

  /** Of what comes after the warm-up. */
  private static double median(List<Double> times) {
    return ParserBench.median(times.subList(ROUNDS / 3, ROUNDS));
  }

  private JsonNode timed(List<Double> times, ServerProcess at, String path, String body)
      throws Exception {
    long start = System.nanoTime();
    byte[] answer = post(at, path, body);
    times.add((System.nanoTime() - start) / 1e6);
    return Json.readObject(answer);
  }

  private static String list(String repo, Instant now, String pageToken) {
    return """
    {"repo":{"host":"bench","owner":"o","name":"%s"},"org_url_slug":"default","start_time":"%s","end_time":"%s",
     "page_query":{"page_size":%d,"page_token":"%s"}}
    """
        .formatted(repo, now.minus(Duration.ofDays(7)), now, PAGE, pageToken);
  }

  private void upload(String repo, String report) throws Exception {
    post(
        server,
        "/v1/test-results?repo=bench/o/%s&branch=main&commit=c%d"
            .formatted(repo, System.nanoTime()),
        report);
  }

  private byte[] post(ServerProcess at, String path, String body) throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + at.port() + path))
            .header("x-api-token", token)
            .header("content-type", "application/json")
            .POST(BodyPublishers.ofString(body))
            .build();
    var answer = HTTP.send(request, BodyHandlers.ofByteArray());
    if (answer.statusCode() != 200) {
      throw new IllegalStateException(
          answer.statusCode() + " " + new String(answer.body(), StandardCharsets.UTF_8));
    }
    return answer.body();
  }

  private static void delete(Path directory) throws IOException {
    try (var files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
