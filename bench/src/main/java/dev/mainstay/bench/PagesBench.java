package dev.mainstay.bench;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * Each page against the calls of the API that it is made of, both right after the queue has
 * changed, and as it is shared, its bytes, and what a change costs the node with nobody, one and a
 * thousand looking at a queue.
 */
final class PagesBench {
  private static final int PULL_REQUESTS = 100;
  private static final double MOST = 3;
  private static final int WARM_UPS = 1_000;
  private static final int TURNS = 500;

  /** Each viewer holds two connections, and one address gets half of the places. */
  private static final String CONNECTIONS = "6000";

  private static final int CHANGES = 20;

  /** The same with few viewers and many: what the node does anyhow is in all figures. */
  private static final Duration RHYTHM = Duration.ofSeconds(1);

  private static final String REPOSITORY = "/default/bench.local/acme/shop";
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final BenchNode node;
  private final String cookie;
  private int changes;

  private PagesBench(BenchNode node) throws IOException, InterruptedException {
    this.node = node;
    this.cookie = node.cookie();
  }

  /** A page, and the calls it is made of. */
  private record Page(String name, String path, List<String> calls) {}

  static void run() throws Exception {
    try (var node = new BenchNode("--max-connections", CONNECTIONS)) {
      QueueBench.connect(node, "shop", PULL_REQUESTS);
      for (int pr = 1; pr <= PULL_REQUESTS; pr++) {
        change(node, pr, 100);
      }
      var bench = new PagesBench(node);
      for (Page page : bench.pages()) {
        bench.compare(page);
      }
      int priority = 0;
      for (int viewers : new int[] {0, 1, 1000}) {
        bench.follow(viewers, priority);
        priority += CHANGES;
      }
    }
  }

  private static void change(BenchNode node, int pr, int priority) throws Exception {
    node.post(
        "submitPullRequest",
        BenchNode.queue("shop", "pr", Map.of("number", pr), "priority", priority));
  }

  private List<Page> pages() throws IOException, InterruptedException {
    String queue = REPOSITORY + "/queues/main";
    var runs = node.post("getMergeQueueTestingDetails", BenchNode.queue("shop")).path("testRuns");
    String run = runs.path(0).path("testRunId").asString();
    String summary = node.request("repositories/summary", Map.of());
    String queues = node.request("listQueues", Map.of("take", 100));
    String one =
        node.request("getMergeQueueTestingDetails", BenchNode.queue("shop", "testRunId", run));
    return List.of(
        new Page("first page", "/", List.of(summary, queues)),
        new Page("repository", REPOSITORY, List.of(summary, queues)),
        new Page(
            "queue of " + PULL_REQUESTS,
            queue,
            List.of(
                node.request("getQueue", BenchNode.queue("shop")),
                node.request("getMergeQueueTestingDetails", BenchNode.queue("shop")),
                node.request(
                    "listPullRequests", BenchNode.queue("shop", "ended", true, "take", 12)))),
        new Page(
            "pull request",
            queue + "/pulls/1",
            List.of(
                node.request(
                    "getPullRequestHistory", BenchNode.queue("shop", "pr", Map.of("number", 1))),
                one)),
        new Page(
            "run",
            REPOSITORY + "/runs/" + run,
            List.of(
                queues,
                one,
                node.request(
                    "getTestRunLog", BenchNode.queue("shop", "testRunId", run, "lines", 2000)))));
  }

  /** One after the other, so that a noisy moment is not one's alone. */
  private void compare(Page page) throws Exception {
    List<String> own = List.of(request(page.path()));
    var calls = new ArrayList<Double>();
    var drawn = new ArrayList<Double>();
    var shared = new ArrayList<Double>();
    try (var one = new Volley(node.process().port(), 1)) {
      for (int i = 0; i < WARM_UPS + TURNS; i++) {
        changeOne();
        calls.add(millis(one, page.calls()));
        changeOne();
        drawn.add(millis(one, own));
        shared.add(millis(one, own));
      }
    }
    System.out.printf(
        "%s against its calls, after a change: x %.2f (at most %.0f); its %d calls %.2f ms, drawn %.2f ms, shared %.2f ms, %d bytes packed%n",
        page.name(),
        median(drawn) / median(calls),
        MOST,
        page.calls().size(),
        median(calls),
        median(drawn),
        median(shared),
        bytes(page.path()));
  }

  private static double median(List<Double> times) {
    return QueueBench.median(times.subList(WARM_UPS, times.size()));
  }

  private void changeOne() throws Exception {
    changes++;
    change(node, PULL_REQUESTS, 100 + changes % 2);
  }

  /** The time until the last of them is answered, one after the other. */
  private static double millis(Volley volley, List<String> requests) throws Exception {
    return volley.send(requests).toNanos() / 1e6;
  }

  private String request(String path) {
    return PageViewer.request(path, node.process().port(), cookie);
  }

  private int bytes(String path) throws IOException, InterruptedException {
    return page(path, "gzip").length;
  }

  private byte[] page(String path, String encoding) throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:%d%s".formatted(node.process().port(), path)))
            .header("cookie", cookie)
            .header("accept-encoding", encoding)
            .build();
    var answer = HTTP.send(request, BodyHandlers.ofByteArray());
    if (answer.statusCode() != 200) {
      throw new IOException(path + ": " + answer.statusCode());
    }
    return answer.body();
  }

  /** What a change of priority costs the node while so many follow the page of the queue. */
  private void follow(int count, int priority) throws Exception {
    String path = REPOSITORY + "/queues/main";
    try (var viewers = new PageViewers(node.process().port(), cookie, path, count)) {
      // Each reads the page at once, since it has not seen it yet.
      viewers.awaitAll(new int[count]);
      var late = new ArrayList<Double>();
      double before = node.process().cpuSeconds();
      for (int i = 0; i < CHANGES; i++) {
        long begun = System.nanoTime();
        int[] soFar = viewers.soFar();
        change(node, PULL_REQUESTS - i, priority + i);
        viewers.awaitAll(soFar);
        long seen = System.nanoTime() - begun;
        late.add(seen / 1e6);
        LockSupport.parkNanos(RHYTHM.toNanos() - seen);
      }
      double used = (node.process().cpuSeconds() - before) * 1000 / CHANGES;
      System.out.printf(
          "a change with %d viewers: %.1f ms of the node's CPU, seen by all after %.0f ms (median of %d), %d pages read%n",
          count, used, QueueBench.median(late), CHANGES, viewers.reads());
    }
  }
}
