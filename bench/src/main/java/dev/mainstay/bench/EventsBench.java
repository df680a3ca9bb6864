package dev.mainstay.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * Events to a hundred endpoints, ten of them dead and ten slow: how late the healthy ones hear of a
 * call and what a delivery costs, against bare posts to the same receivers at the same rate; and
 * what a submission costs that is told, against one that is not.
 */
final class EventsBench {
  private static final int ORGANIZATIONS = 10;
  private static final int ENDPOINTS = 10;
  private static final int HEALTHY = ENDPOINTS - 2;
  private static final int PER_MINUTE = 10_000;
  private static final Duration WARM_UP = Duration.ofSeconds(25);
  private static final Duration CALLS_ALONE = Duration.ofSeconds(30);
  private static final Duration MEASURED = Duration.ofSeconds(60);
  private static final Duration LONGEST = Duration.ofMinutes(2);
  private static final double MOST_LAG = 2_000;
  private static final double MOST_CPU = 5;

  private static final int SUBMISSIONS = 200;
  private static final int WARM_UPS = 3;
  private static final int ROUNDS = 9;

  private final BenchNode node;
  private final EventReceivers receivers;
  private final List<String> keys = new ArrayList<>();
  private final AtomicInteger pullRequests = new AtomicInteger();

  private EventsBench(BenchNode node, EventReceivers receivers) {
    this.node = node;
    this.receivers = receivers;
  }

  static void run() throws Exception {
    try (var receivers = new EventReceivers(ORGANIZATIONS, ENDPOINTS);
        var node = new BenchNode("--webhook-networks", "127.0.0.0/8")) {
      var bench = new EventsBench(node, receivers);
      bench.rows();
      bench.deliveries();
    }
  }

  private static void progress(String doing) {
    System.err.printf("  %s ...%n", doing);
  }

  private String organization(String slug) throws Exception {
    String key = node.keyOf(slug);
    node.post(key, "createQueue", BenchNode.queue("shop"));
    return key;
  }

  private Map<String, Object> pullRequest(int number) {
    return BenchNode.queue("shop", "pr", Map.of("number", number));
  }

  /**
   * Submissions one after the other: in an organization without endpoints, in one whose endpoint is
   * paused, so that rows are written and nothing is sent, and in one with all that follows.
   */
  private void rows() throws Exception {
    progress("submissions that are told, and such as are not");
    List<String> organizations =
        List.of(organization("quiet"), organization("paused"), organization("told"));
    for (String key : organizations.subList(1, 3)) {
      node.post(key, "webhooks/create", Map.of("url", receivers.addresses().getLast()));
    }
    var made = node.post(organizations.get(1), "webhooks/list", Map.of()).path("webhooks");
    node.post(
        organizations.get(1),
        "webhooks/set",
        Map.of("id", made.path(0).path("id").asString(), "enabled", false));
    var times = organizations.stream().map(key -> new ArrayList<Double>()).toList();
    try (var volley = new Volley(node.process().port(), 1)) {
      for (int i = 0; i < WARM_UPS + ROUNDS; i++) {
        for (int each = 0; each < organizations.size(); each++) {
          double millis = volley.send(submissions(organizations.get(each))).toNanos() / 1e6;
          times.get(each).add(millis / SUBMISSIONS);
        }
      }
    }
    List<Double> medians =
        times.stream().map(all -> QueueBench.median(all.subList(WARM_UPS, all.size()))).toList();
    System.out.printf(
        "a submission without endpoints: %.2f ms; with the rows for one that is paused %.2f ms: x %.2f; with deliveries on the same machine %.2f ms: x %.2f%n",
        medians.get(0),
        medians.get(1),
        medians.get(1) / medians.get(0),
        medians.get(2),
        medians.get(2) / medians.get(0));
  }

  private List<String> submissions(String key) {
    return IntStream.range(0, SUBMISSIONS)
        .mapToObj(
            i ->
                node.request(key, "submitPullRequest", pullRequest(pullRequests.incrementAndGet())))
        .toList();
  }

  /** The processor time of something, in milliseconds for each delivery that was asked for. */
  private record Cpu(double own, double database) {
    Cpu minus(Cpu other) {
      return new Cpu(own - other.own, database - other.database);
    }

    double both() {
      return own + database;
    }
  }

  private void deliveries() throws Exception {
    for (int i = 0; i < ORGANIZATIONS; i++) {
      keys.add(organization("team-" + i));
    }
    progress("bare posts");
    var bareLags = new ConcurrentLinkedQueue<Double>();
    double bareCpu = bare(bareLags);
    print("bare posts", bareLags);
    var heard = new EventsHeard(HEALTHY);
    progress("calls without endpoints");
    Cpu calls = calls(heard, CALLS_ALONE, CALLS_ALONE);
    for (int i = 0; i < ORGANIZATIONS * ENDPOINTS; i++) {
      node.post(
          keys.get(i / ENDPOINTS),
          "webhooks/create",
          Map.of(
              "url",
              receivers.addresses().get(i),
              "kinds",
              List.of("pull_request.submitted", "pull_request.cancelled")));
    }
    receivers.hear(heard::hear);
    progress("calls with endpoints");
    Cpu all = calls(heard, WARM_UP, MEASURED);
    heard.awaitAll(LONGEST);
    print("events", heard.lags());
    Cpu each = all.minus(calls);
    double bareLag = percentile(bareLags, 99);
    double lag = percentile(heard.lags(), 99);
    System.out.printf(
        "%,d deliveries a minute to %d endpoints, %d dead and %d slow: healthy ones hear after %.0f ms at P99 (at most %.0f), a bare post arrives after %.1f ms: x %.0f; %d of %d missing, %d came twice%n",
        PER_MINUTE,
        ORGANIZATIONS * ENDPOINTS,
        ORGANIZATIONS,
        ORGANIZATIONS,
        lag,
        MOST_LAG,
        bareLag,
        lag / bareLag,
        heard.missing(),
        heard.wanted(),
        heard.twice());
    System.out.printf(
        "CPU of a delivery: node %.2f ms and PostgreSQL %.2f ms, a bare post %.2f ms: x %.1f (at most x %.0f); the calls alone: %.2f ms and %.2f ms%n",
        each.own(),
        each.database(),
        bareCpu,
        each.both() / bareCpu,
        MOST_CPU,
        calls.own(),
        calls.database());
  }

  /** The processor time of one, in milliseconds. */
  private double bare(Collection<Double> lags) throws Exception {
    var args = new ArrayList<>(List.of("" + PER_MINUTE, "" + ENDPOINTS));
    args.addAll(receivers.addresses());
    try (var posts = new ServerProcess(BarePosts.class, args.toArray(String[]::new))) {
      Thread.sleep(WARM_UP);
      receivers.hear(
          (endpoint, exchange, body, at) ->
              lags.add(
                  (at - Long.parseLong(exchange.getRequestHeaders().getFirst(BarePosts.SENT)))
                      / 1e6));
      double before = posts.cpuSeconds();
      Thread.sleep(MEASURED);
      return perDelivery(posts.cpuSeconds() - before, MEASURED);
    } finally {
      receivers.hear((endpoint, exchange, body, at) -> {});
    }
  }

  /** Each organization submits a pull request and cancels it, in turns; what the last part took. */
  private Cpu calls(EventsHeard heard, Duration before, Duration measured) throws Exception {
    long begun = System.nanoTime();
    long counts = begun + before.toNanos();
    long end = counts + measured.toNanos();
    var running = new ArrayList<Future<?>>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < ORGANIZATIONS; i++) {
        int organization = i;
        running.add(
            threads.submit(() -> caller(heard, keys.get(organization), organization, begun, end)));
      }
      LockSupport.parkNanos(counts - System.nanoTime());
      heard.begin();
      double own = node.process().cpuSeconds();
      double database = node.process().cpuSecondsBelow();
      for (var one : running) {
        one.get();
      }
      return new Cpu(
          perDelivery(node.process().cpuSeconds() - own, measured),
          perDelivery(node.process().cpuSecondsBelow() - database, measured));
    }
  }

  private static double perDelivery(double seconds, Duration time) {
    return seconds * 1000 * 60 / (time.toSeconds() * PER_MINUTE);
  }

  private Void caller(EventsHeard heard, String key, int organization, long begun, long end)
      throws Exception {
    int number = 0;
    for (int i = 0; ; i++) {
      long events = (long) i * ORGANIZATIONS + organization;
      long due = begun + events * ENDPOINTS * 60_000_000_000L / PER_MINUTE;
      if (due >= end) {
        return null;
      }
      LockSupport.parkNanos(due - System.nanoTime());
      boolean submits = i % 2 == 0;
      number = submits ? pullRequests.incrementAndGet() : number;
      heard.sent("pull_request." + (submits ? "submitted" : "cancelled"), number);
      node.post(key, submits ? "submitPullRequest" : "cancelPullRequest", pullRequest(number));
    }
  }

  private static void print(String what, Collection<Double> lags) {
    System.out.printf(
        "  %s: %,d, after %.1f ms (median), %.1f ms (P99), %.1f ms at most%n",
        what, lags.size(), percentile(lags, 50), percentile(lags, 99), percentile(lags, 100));
  }

  private static double percentile(Collection<Double> values, int percent) {
    long place = Math.min(values.size() * (long) percent / 100, values.size() - 1L);
    return values.stream().sorted().skip(place).findFirst().orElseThrow();
  }
}
