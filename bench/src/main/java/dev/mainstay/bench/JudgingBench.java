package dev.mainstay.bench;

import dev.mainstay.cli.Main;
import dev.mainstay.core.health.HistoryNeed;
import dev.mainstay.core.health.Monitor;
import dev.mainstay.core.health.MonitorId;
import dev.mainstay.core.health.MonitorRule;
import dev.mainstay.server.embedded.DataDirectory;
import dev.mainstay.server.health.result.HistoryStore;
import dev.mainstay.server.platform.Database;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;

/**
 * The lag of judging while results come in as fast as they can, and the number of tests judged in a
 * second, against reading the histories of these tests alone: by the monitors that every repository
 * has at first, and by all four.
 */
final class JudgingBench {
  private static final long POLL_NANOS = 20_000_000;
  private static final int UPLOADS = 30;
  private static final int RESULTS = 10_000;
  private static final String REPO =
      "\"repo\":{\"host\":\"bench\",\"owner\":\"o\",\"name\":\"%s\"}";
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final ServerProcess server;
  private final Database database;
  private final String token;

  private JudgingBench(ServerProcess server, Database database) {
    this.server = server;
    this.database = database;
    token = server.lines().getLast().replaceAll(".* ", "");
  }

  static void run() throws Exception {
    Path directory = Files.createTempDirectory("mainstay-bench");
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    try (var server =
            new ServerProcess(
                Main.class,
                "serve",
                "--host",
                "127.0.0.1",
                "--port",
                "0",
                "--data-dir",
                "" + directory);
        var database =
            Database.connect(DataDirectory.at(directory).runningDatabase().orElseThrow(), 4)) {
      var bench = new JudgingBench(server, database);
      bench.judging("first", "as at first", List.of());
      bench.judging("fourfold", "all four", List.of("failure_rate", "failure_count"));
    } finally {
      delete(directory);
    }
  }

  /** Uploads of which a tenth fails and is retried, as fast as they are taken. */
  private void judging(String repo, String name, List<String> monitors) throws Exception {
    upload(repo, SampleReports.retried(10, 0));
    await();
    for (String kind : monitors) {
      post("/v1/monitors/create", "{%s,\"kind\":\"%s\"}".formatted(REPO.formatted(repo), kind));
    }
    long start = System.nanoTime();
    for (int i = 0; i < UPLOADS; i++) {
      upload(repo, SampleReports.retried(RESULTS, i));
    }
    double ingested = seconds(start);
    long waited = number("SELECT count(*) FROM judge_due");
    long behind =
        number(
            "SELECT coalesce(sum(f.stamp - c.stamp), 0) FROM result_feed f JOIN judge_cursor c"
                + " USING (repository_id)");
    await();
    System.out.printf(
        "%s: %,d results in %.1f s (%,.0f/s); %,d tests and %d uploads waited at the end, all"
            + " judged %.1f s later%n",
        name,
        (long) UPLOADS * RESULTS,
        ingested,
        UPLOADS * RESULTS / ingested,
        waited,
        behind,
        seconds(start) - ingested);
    for (int i = 0; i < 3; i++) {
      rejudge(repo, 8 + i);
    }
  }

  /** All of them once more, with nothing else going on. */
  private void rejudge(String repo, int recoveryDays) throws Exception {
    long tests =
        number(
            "SELECT count(*) FROM test t JOIN repository r ON r.id = t.repository_id WHERE t.status"
                + " <> 'healthy' AND r.name = '"
                + repo
                + "'");
    String monitors = post("/v1/monitors/list", "{%s}".formatted(REPO.formatted(repo)));
    // The oldest comes first: pass on retry.
    String id = monitors.replaceAll("(?s).*?\"monitor_id\":\"([^\"]*)\".*", "$1");
    long start = System.nanoTime();
    post(
        "/v1/monitors/set",
        "{%s,\"monitor_id\":\"%s\",\"recovery_days\":%d}"
            .formatted(REPO.formatted(repo), id, recoveryDays));
    await();
    double seconds = seconds(start);
    double read = read(repo);
    System.out.printf(
        "  %,d tests judged again in %.2f s: %,.0f in a second, %.1f times what reading their"
            + " histories takes%n",
        tests, seconds, tests / seconds, seconds / read);
  }

  /** How long it takes to read the same histories, some at once, and do nothing with them. */
  private double read(String repo) {
    Instant now = Instant.now();
    HistoryNeed need = HistoryNeed.of(AT_FIRST, now);
    long repository = number("SELECT id FROM repository WHERE name = '%s'".formatted(repo));
    List<UUID> tests =
        database.query(
            handle ->
                handle
                    .select(
                        "SELECT id FROM test WHERE repository_id = ? AND status <> 'healthy'",
                        repository)
                    .mapTo(UUID.class)
                    .list());
    long start = System.nanoTime();
    for (int from = 0; from < tests.size(); from += AT_ONCE) {
      List<UUID> some = tests.subList(from, Math.min(tests.size(), from + AT_ONCE));
      database.inTransaction(
          handle -> {
            var histories = HistoryStore.read(handle, repository, some, need);
            return some.stream().map(histories).mapToInt(history -> history.runs().size()).sum();
          });
    }
    return seconds(start);
  }

  private static final int AT_ONCE = 2000;

  private static final List<Monitor> AT_FIRST =
      List.of(
          new Monitor(
              new MonitorId(new UUID(0, 1)), "retries", true, MonitorRule.PassOnRetry.DEFAULT),
          new Monitor(
              new MonitorId(new UUID(0, 2)), "bayesian", true, MonitorRule.Bayesian.DEFAULT));

  private void await() {
    while (number("SELECT count(*) FROM judge_due") > 0
        || number(
                "SELECT count(*) FROM result_feed f LEFT JOIN judge_cursor c USING (repository_id)"
                    + " WHERE f.stamp > coalesce(c.stamp, 0)")
            > 0) {
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  private static double seconds(long start) {
    return (System.nanoTime() - start) / 1e9;
  }

  private void upload(String repo, String report) throws Exception {
    post(
        "/v1/test-results?repo=bench/o/%s&branch=main&commit=c%d"
            .formatted(repo, System.nanoTime()),
        report);
  }

  private String post(String path, String body) throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
            .header("x-api-token", token)
            .header("content-type", "application/json")
            .POST(BodyPublishers.ofString(body))
            .build();
    var answer = HTTP.send(request, BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      throw new IllegalStateException(answer.statusCode() + " " + answer.body());
    }
    return answer.body();
  }

  private long number(String sql) {
    return database.query(handle -> handle.select(sql).mapTo(Long.class).one());
  }

  private static void delete(Path directory) throws IOException {
    try (var files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
