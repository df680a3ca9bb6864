package dev.mainstay.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.JsonNode;

/**
 * {@code getQueue} and changes of priority against an endpoint that asks for one row by its key,
 * new pull requests against the same, and a hundred busy queues on one node.
 */
final class QueueBench {
  private static final Duration ROUND = Duration.ofSeconds(4);
  private static final Duration WARM_UP = Duration.ofSeconds(10);
  private static final int ROUNDS = 5;
  private static final int CONNECTIONS = 96;
  private static final int OPEN = 1_000;
  private static final double REQUIRED = 0.50;

  private static final int QUEUES = 100;
  private static final int OPEN_EACH = 100;
  private static final int EVENTS_PER_SECOND = 50;
  private static final int SECONDS = 60;

  private QueueBench() {}

  static void run() throws Exception {
    try (var node = new BenchNode();
        var limit = new ServerProcess(KeyQueryServer.class, node.data().toString())) {
      throughput(node, limit);
    }
    try (var node = new BenchNode();
        var limit = new ServerProcess(KeyQueryServer.class, node.data().toString())) {
      ArrivalsBench.run(node, limit);
    }
    try (var node = new BenchNode()) {
      keepsUp(node);
    }
  }

  private static void throughput(BenchNode node, ServerProcess limit) throws Exception {
    node.post("createQueue", BenchNode.queue("few"));
    open(node, "many", OPEN);
    for (int pr = 1; pr <= 10; pr++) {
      node.post("submitPullRequest", submission("few", pr, 100));
    }
    var submissions = new ArrayList<String>();
    for (int pr = 1; pr <= OPEN; pr++) {
      for (int priority = 1; priority <= 2; priority++) {
        submissions.add(node.request("submitPullRequest", submission("many", pr, priority)));
      }
    }
    List<String> row = List.of(node.request("row", Map.of("id", 1)));
    compare(
        "getQueue with 10 open",
        node,
        List.of(node.request("getQueue", BenchNode.queue("few"))),
        limit,
        row);
    compare("another priority with 1,000 open", node, submissions, limit, row);
  }

  /** A queue on a real repository with so many open pull requests, two of them under test. */
  private static void open(BenchNode node, String name, int open) throws Exception {
    connect(node, name, open);
    for (int pr = 1; pr <= open; pr++) {
      node.post("submitPullRequest", submission(name, pr, 100));
    }
  }

  /**
   * An empty queue with two slots, on a real repository with so many pull requests, whose
   * references are packed, as git does with many.
   */
  static void connect(BenchNode node, String name, int pullRequests) throws Exception {
    var repo = BenchRepo.create(node.directory().resolve(name + ".git"), pullRequests);
    repo.git("", "pack-refs", "--all");
    node.post(
        "connectRepository",
        Map.of("repo", BenchNode.repo(name), "address", repo.directory().toString()));
    node.post(
        "createQueue", BenchNode.queue(name, "requiredStatuses", List.of("ci"), "concurrency", 2));
  }

  private static Map<String, Object> submission(String repo, int pr, int priority) {
    return BenchNode.queue(repo, "pr", Map.of("number", pr), "priority", priority);
  }

  private static void compare(
      String what, BenchNode node, List<String> requests, ServerProcess limit, List<String> row)
      throws Exception {
    Load.measure(limit.port(), row, CONNECTIONS, WARM_UP);
    Load.measure(node.process().port(), requests, CONNECTIONS, WARM_UP);
    var ratios = new ArrayList<Double>();
    for (int i = 0; i < ROUNDS; i++) {
      Load.Rates one = Load.measure(limit.port(), row, CONNECTIONS, ROUND);
      Load.Rates own = Load.measure(node.process().port(), requests, CONNECTIONS, ROUND);
      ratios.add(own.perSecond() / one.perSecond());
      System.out.printf(
          "  round %d: one row %.0f/s, P99 %d us; %s %.0f/s, P99 %d us%n",
          i + 1,
          one.perSecond(),
          one.p99().toNanos() / 1000,
          what,
          own.perSecond(),
          own.p99().toNanos() / 1000);
    }
    System.out.printf(
        "%s against one row by its key: %.0f %% (must reach %.0f %%)%n",
        what, 100 * median(ratios), 100 * REQUIRED);
  }

  /** Submissions with another priority, targets and statuses, at a steady rate. */
  private static void keepsUp(BenchNode node) throws Exception {
    for (int q = 0; q < QUEUES; q++) {
      open(node, "r" + q, OPEN_EACH);
    }
    var random = new Random(1);
    double cpu = node.process().cpuSeconds();
    long begun = System.nanoTime();
    var events = new ArrayList<Future<Double>>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < EVENTS_PER_SECOND * SECONDS; i++) {
        long due = begun + i * 1_000_000_000L / EVENTS_PER_SECOND;
        LockSupport.parkNanos(due - System.nanoTime());
        String repo = "r" + random.nextInt(QUEUES);
        int pr = 1 + random.nextInt(OPEN_EACH);
        int roll = random.nextInt(10);
        events.add(
            threads.submit(
                () -> {
                  event(node, repo, pr, roll);
                  return (System.nanoTime() - due) / 1e6;
                }));
      }
    }
    var late = new ArrayList<Double>();
    for (var event : events) {
      late.add(event.get());
    }
    System.out.printf(
        "%d queues with %d open each, %d events/s for %d s: an event is done after %.1f ms (median), %.1f ms (P99), %.1f ms at the end; %.0f %% of a core, %d MiB%n",
        QUEUES,
        OPEN_EACH,
        EVENTS_PER_SECOND,
        SECONDS,
        median(late),
        late.stream().sorted().skip(late.size() * 99L / 100).findFirst().orElseThrow(),
        median(late.subList(late.size() - 100, late.size())),
        100 * (node.process().cpuSeconds() - cpu) / ((System.nanoTime() - begun) / 1e9),
        node.process().residentMebibytes());
  }

  /** One in ten is a status that lets something land. */
  private static void event(BenchNode node, String repo, int pr, int roll) throws Exception {
    if (roll < 6) {
      node.post("submitPullRequest", submission(repo, pr, 100 + roll));
    } else if (roll < 9) {
      node.post(
          "setImpactedTargets",
          BenchNode.queue(
              repo, "pr", Map.of("number", pr), "impactedTargets", List.of("t" + roll)));
    } else {
      JsonNode runs =
          node.post("getMergeQueueTestingDetails", BenchNode.queue(repo)).path("testRuns");
      if (!runs.isEmpty()) {
        node.post(
            "reportTestStatus",
            BenchNode.queue(
                repo,
                "testRunId",
                runs.path(0).path("testRunId").asString(),
                "name",
                "ci",
                "state",
                "SUCCESS"));
      }
    }
  }

  static double median(List<Double> values) {
    return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
  }
}
