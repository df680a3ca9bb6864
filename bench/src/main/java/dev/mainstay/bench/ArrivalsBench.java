package dev.mainstay.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Pull requests that are new to a queue, and then cancelled, against an endpoint that asks for one
 * row by its key: with so many open, and with ten times as many.
 */
final class ArrivalsBench {
  private static final int CONNECTIONS = 192;
  private static final int WARM_UPS = 30;
  private static final int ROUNDS = 9;

  /** So many that the beginning and the end of a volley are a small part of it. */
  private static final int AT_ONCE = 2_000;

  private static final Duration LIMIT = Duration.ofSeconds(2);
  private static final double REQUIRED = 0.25;
  private static final double MOST = 2.0;

  private final BenchNode node;
  private final Volley volley;

  private ArrivalsBench(BenchNode node, Volley volley) {
    this.node = node;
    this.volley = volley;
  }

  /** A queue of a steady length, and the rates of what came and what ended, each round. */
  private static final class Line {
    final String name;
    final int open;
    final List<Double> arrivals = new ArrayList<>();
    final List<Double> ends = new ArrayList<>();
    private int last;

    Line(String name, int open) {
      this.name = name;
      this.open = open;
    }

    /** The numbers of so many that were never submitted. */
    List<Integer> next(int count) {
      last += count;
      return IntStream.rangeClosed(last - count + 1, last).boxed().toList();
    }
  }

  static void run(BenchNode node, ServerProcess limit) throws Exception {
    var usual = new Line("thousand", 1_000);
    var tenfold = new Line("ten-thousand", 10_000);
    connect(node, usual);
    connect(node, tenfold);
    try (var volley = new Volley(node.process().port(), CONNECTIONS)) {
      var bench = new ArrivalsBench(node, volley);
      volley.send(bench.submissions(usual, usual.next(usual.open)));
      volley.send(bench.submissions(tenfold, tenfold.next(tenfold.open)));
      List<String> row = List.of(node.request("row", Map.of("id", 1)));
      var rows = new ArrayList<Double>();
      for (int i = 0; i < WARM_UPS + ROUNDS; i++) {
        rows.add(Load.measure(limit.port(), row, CONNECTIONS, LIMIT).perSecond());
        bench.round(usual);
        bench.round(tenfold);
      }
      print(usual, rows);
      print(tenfold, rows);
      System.out.printf(
          "a new pull request with %,d open costs x %.2f of one with %,d (at most x %.1f)%n",
          tenfold.open, median(usual.arrivals) / median(tenfold.arrivals), usual.open, MOST);
    }
  }

  /** A queue on a real repository that has all the pull requests which will ever be submitted. */
  private static void connect(BenchNode node, Line line) throws Exception {
    int all = line.open + (WARM_UPS + ROUNDS) * AT_ONCE;
    QueueBench.connect(node, line.name, all);
  }

  private void round(Line line) throws Exception {
    List<Integer> fresh = line.next(AT_ONCE);
    line.arrivals.add(perSecond(submissions(line, fresh)));
    line.ends.add(perSecond(requests("cancelPullRequest", line, fresh)));
  }

  private double perSecond(List<String> requests) throws Exception {
    return requests.size() * 1e9 / volley.send(requests).toNanos();
  }

  private List<String> submissions(Line line, List<Integer> numbers) {
    return requests("submitPullRequest", line, numbers);
  }

  private List<String> requests(String path, Line line, List<Integer> numbers) {
    return numbers.stream()
        .map(pr -> node.request(path, BenchNode.queue(line.name, "pr", Map.of("number", pr))))
        .toList();
  }

  private static void print(Line line, List<Double> rows) {
    for (int i = WARM_UPS; i < rows.size(); i++) {
      System.out.printf(
          "  %,d open, round %d: one row %.0f/s; new %.0f/s; cancelled %.0f/s%n",
          line.open, i - WARM_UPS + 1, rows.get(i), line.arrivals.get(i), line.ends.get(i));
    }
    System.out.printf(
        "new pull requests with %,d open against one row by its key: %.0f %% (with 1,000 must reach %.0f %%); cancelled: %.0f %%%n",
        line.open,
        100 * median(line.arrivals) / median(rows),
        100 * REQUIRED,
        100 * median(line.ends) / median(rows));
  }

  private static double median(List<Double> values) {
    return QueueBench.median(values.subList(WARM_UPS, values.size()));
  }
}
