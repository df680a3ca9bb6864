package dev.mainstay.bench;

import dev.mainstay.server.Config;
import dev.mainstay.server.Config.Setting;
import dev.mainstay.server.Storage;
import dev.mainstay.server.cluster.Distribution;
import dev.mainstay.server.platform.Database;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.JsonNode;

/**
 * What an upload, a list, a judgement and an event of a queue cost where there is 1, 10 and 100
 * times as much: in turns on one node, so that the machine's moods are shared. On its own
 * PostgreSQL, or on the cluster whose coordinator MAINSTAY_BENCH_DATABASE_URL names, with an empty
 * database.
 */
final class GrowthBench {
  private static final String URL = "MAINSTAY_BENCH_DATABASE_URL";
  private static final List<Integer> TIMES = List.of(1, 10, 100);
  private static final int TESTS = 1_000;
  private static final int UPLOADS = 10;
  private static final int OPEN = 10;
  private static final int SHARDS = 8;
  private static final int ROUNDS = 91;
  private static final int WARM_UPS = 30;
  private static final int LOOKS_AGAIN = 5;
  private static final int PAGE = 100;
  private static final long POLL_NANOS = 10_000_000;
  private static final Duration PATIENCE = Duration.ofMinutes(20);

  private final BenchNode node;
  private final Database database;
  private final Map<String, Map<Integer, List<Double>>> millis = new LinkedHashMap<>();

  private GrowthBench(BenchNode node, Database database) {
    this.node = node;
    this.database = database;
  }

  static void run() throws Exception {
    Optional<String> url = Optional.ofNullable(System.getenv(URL));
    List<String> options = url.map(u -> List.of("--database-url", u)).orElse(List.of());
    try (var node = new BenchNode(url.map(u -> prepared(u, options)), options);
        var storage = Storage.ofCommand(config(url, node))) {
      var bench = new GrowthBench(node, storage.database());
      for (int times : TIMES) {
        bench.prepare(times);
      }
      bench.measure();
      bench.judge();
      bench.tell();
    }
  }

  private static Config config(Optional<String> url, BenchNode node) {
    return Config.read(
        url.map(u -> Map.of(Setting.DATABASE_URL, u))
            .orElseGet(() -> Map.of(Setting.DATA_DIR, node.data().toString())),
        Map.of());
  }

  /** Makes the tables, spreads them over the workers, and gives the first key. */
  private static String prepared(String url, List<String> options) {
    try (var first = new BenchNode(Optional.empty(), options);
        var storage = Storage.ofCommand(config(Optional.of(url), first))) {
      first.process().close();
      var spread = Distribution.distribute(storage.database(), SHARDS, (table, n, all) -> {});
      System.out.printf("spread over %s%n", String.join(", ", spread.workers()));
      return first.key();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String name(int times) {
    return "times" + times;
  }

  /** Tests, a tenth of which failed each time and passed at their second attempt, and a queue. */
  private void prepare(int times) throws Exception {
    long begun = System.nanoTime();
    String all = SampleReports.retried(times * TESTS, 0);
    for (int i = 0; i < UPLOADS; i++) {
      upload(times, all, i);
    }
    awaitJudged();
    int open = times * OPEN;
    QueueBench.connect(node, name(times), open);
    for (int pr = 1; pr <= open; pr++) {
      event(times, pr, 100);
    }
    System.out.printf(
        "  made %,d tests, %,d results, %,d pull requests in a queue in %.0f s%n",
        times * TESTS, UPLOADS * times * TESTS, open, (System.nanoTime() - begun) / 1e9);
  }

  private void measure() throws Exception {
    String few = SampleReports.retried(TESTS, 0);
    for (int i = 0; i < ROUNDS; i++) {
      for (int times : TIMES) {
        int round = i;
        timed("an upload of 1,000 results", times, i, () -> upload(times, few, UPLOADS + round));
        timed("the first page of those that failed", times, i, () -> failing(times));
        timed("the first page of those that are flaky", times, i, () -> flaky(times));
        timed("an event of a queue", times, i, () -> event(times, 1 + round % OPEN, round % 2));
      }
    }
    awaitJudged();
  }

  /** All that are flaky once more; told is the time for each. */
  private void judge() throws Exception {
    for (int i = 0; i < LOOKS_AGAIN; i++) {
      for (int times : TIMES) {
        Map<String, Object> monitor = monitor(times, i);
        int tests = flaky(times).at("/page/total_rows").asInt();
        long begun = System.nanoTime();
        node.post("monitors/set", monitor);
        awaitJudged();
        add("a judgement, of all that are flaky", times, (System.nanoTime() - begun) / 1e6 / tests);
      }
    }
  }

  private Map<String, Object> monitor(int times, int round) throws Exception {
    var body = new LinkedHashMap<String, Object>();
    body.put("repo", BenchNode.repo(name(times)));
    // The oldest comes first: pass on retry.
    JsonNode first = node.post("monitors/list", body).at("/monitors/0");
    body.put("monitor_id", first.path("monitor_id").asString());
    body.put("recovery_days", 8 + round % 2);
    return body;
  }

  private void tell() {
    millis.forEach(
        (what, byTimes) -> {
          double least = ParserBench.median(byTimes.getOrDefault(1, List.of()));
          byTimes.forEach(
              (times, each) ->
                  System.out.printf(
                      "%s with %d times as much: %.2f ms, x %.2f%n",
                      what, times, ParserBench.median(each), ParserBench.median(each) / least));
        });
  }

  private interface Call {
    JsonNode answered() throws Exception;
  }

  private void timed(String what, int times, int round, Call call) throws Exception {
    long begun = System.nanoTime();
    call.answered();
    if (round >= WARM_UPS) {
      add(what, times, (System.nanoTime() - begun) / 1e6);
    }
  }

  private void add(String what, int times, double time) {
    millis
        .computeIfAbsent(what, w -> new LinkedHashMap<>())
        .computeIfAbsent(times, t -> new ArrayList<>())
        .add(time);
  }

  private JsonNode upload(int times, String report, int commit) throws Exception {
    String what = "repo=bench.local/acme/%s&branch=main&commit=c%d".formatted(name(times), commit);
    return node.upload(what, report);
  }

  private JsonNode failing(int times) throws Exception {
    Instant now = Instant.now();
    Map<String, Object> body = page(times);
    body.put("start_time", now.minus(Duration.ofDays(7)).toString());
    body.put("end_time", now.toString());
    return node.post("flaky-tests/list-failing-tests", body);
  }

  private JsonNode flaky(int times) throws Exception {
    Map<String, Object> body = page(times);
    body.put("status", "FLAKY");
    return node.post("flaky-tests/list-unhealthy-tests", body);
  }

  private static Map<String, Object> page(int times) {
    var body = new LinkedHashMap<String, Object>();
    body.put("repo", BenchNode.repo(name(times)));
    body.put("org_url_slug", "default");
    body.put("page_query", Map.of("page_size", PAGE, "page_token", ""));
    return body;
  }

  private JsonNode event(int times, int pr, int priority) throws Exception {
    return node.post(
        "submitPullRequest",
        BenchNode.queue(name(times), "pr", Map.of("number", pr), "priority", priority));
  }

  private void awaitJudged() {
    long begun = System.nanoTime();
    while (!isJudged()) {
      if (System.nanoTime() - begun > PATIENCE.toNanos()) {
        throw new IllegalStateException("not judged after " + PATIENCE);
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  private boolean isJudged() {
    return database.query(
        h ->
            h.select(
                    """
                    SELECT NOT EXISTS (SELECT 1 FROM judge_due)
                      AND NOT EXISTS (SELECT 1 FROM result_feed f LEFT JOIN judge_cursor c USING (repository_id)
                        WHERE f.stamp > coalesce(c.stamp, 0))
                    """)
                .mapTo(Boolean.class)
                .one());
  }
}
