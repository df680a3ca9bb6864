package dev.mainstay.bench;

import dev.mainstay.server.forge.github.GitHubDoor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A queue at the fake GitHub, with hooks for all that GitHub would tell: the requests that a landed
 * pull request costs, the time from a hook to the news in the queue against a call that does
 * nothing, and from the last check to the landed change against a bare push to the same GitHub.
 */
final class ForgeBench {
  private static final int SINGLES = 20;
  private static final int WARM_UPS = 3;
  private static final int BATCHES = 6;
  private static final int BATCH = 5;
  private static final int HOOKS = 90;
  private static final int MOST_REQUESTS = 25;

  /** Of the 80 that GitHub takes in a minute: nobody is to wait for those here. */
  private static final int WRITES_A_MINUTE = 55;

  private interface Work {
    void run() throws IOException, InterruptedException;
  }

  private final ForgeScene scene;
  private final BenchRepo author;
  private final List<Double> toNews = new ArrayList<>();
  private final List<Double> toLanded = new ArrayList<>();
  private final List<Double> pushes = new ArrayList<>();
  private final long begun = System.nanoTime();

  private ForgeBench(ForgeScene scene) throws IOException {
    this.scene = scene;
    this.author = BenchRepo.create(scene.node().directory().resolve("author.git"));
  }

  static void run() throws Exception {
    try (var scene = new ForgeScene()) {
      var bench = new ForgeBench(scene);
      bench.singles(WARM_UPS);
      bench.toLanded.clear();
      bench.pushes.clear();
      bench.counted("one by one", SINGLES, () -> bench.singles(SINGLES));
      scene.queue("updateQueue", "batch", true, "batchingMinSize", BATCH);
      bench.counted("in batches of " + BATCH, BATCHES * BATCH, bench::batches);
      bench.printLanded();
      bench.hooks();
    }
    InstallationBench.run();
  }

  private void counted(String how, int landed, Work work) throws Exception {
    Map<String, Integer> before = scene.github().requests();
    work.run();
    Map<String, Integer> spent = new TreeMap<>(scene.github().requests());
    before.forEach((kind, count) -> spent.merge(kind, -count, Integer::sum));
    spent.values().removeIf(count -> count == 0);
    int all = ForgeRequests.ofApi(spent);
    int unchanged = spent.getOrDefault(ForgeRequests.UNCHANGED, 0);
    System.out.printf(
        "requests for each pull request, %d %s: %.1f that count (at most %d), %.1f with those that changed nothing; %.1f writes%n",
        landed,
        how,
        (all - unchanged) / (double) landed,
        MOST_REQUESTS,
        all / (double) landed,
        ForgeRequests.writes(spent) / (double) landed);
    System.out.printf("  %s%n", spent);
  }

  private void singles(int count) throws IOException, InterruptedException {
    for (int i = 0; i < count; i++) {
      pace();
      push();
      land(List.of(scene.submitted()));
    }
  }

  private void batches() throws IOException, InterruptedException {
    for (int i = 0; i < BATCHES; i++) {
      pace();
      var numbers = new ArrayList<Integer>();
      for (int one = 0; one < BATCH; one++) {
        numbers.add(scene.submitted());
      }
      land(numbers);
    }
  }

  /** CI begins and passes, on what is tested of these together. */
  private void land(List<Integer> numbers) throws IOException, InterruptedException {
    String commit = scene.tested(numbers.getLast());
    report(commit, ForgeScene.CHECK, Optional.empty());
    scene.awaitBegun(numbers.getLast(), ForgeScene.CHECK);
    String before = scene.repo().commit("main");
    long reported = System.nanoTime();
    report(commit, ForgeScene.CHECK, Optional.of("success"));
    scene.awaitMoved(before);
    if (numbers.size() == 1) {
      toLanded.add(millisSince(reported));
    }
    scene.awaitMerged(numbers);
  }

  private void report(String commit, String check, Optional<String> conclusion)
      throws IOException, InterruptedException {
    scene.github().report(commit, check, conclusion);
    scene.hook("check_run");
  }

  /** The push of git alone: one commit that GitHub does not have, to a branch of its own. */
  private void push() throws IOException {
    int number = scene.github().number();
    String branch = "refs/heads/bare-" + number;
    author.open(branch, number, "bare");
    String to =
        scene.github().address().replace("://", "://x-access-token:" + GitHubDoor.TOKEN + "@");
    long begins = System.nanoTime();
    author.git("", "push", "--quiet", to, branch + ":" + branch);
    pushes.add(millisSince(begins));
    scene.repo().git("", "update-ref", "-d", branch);
  }

  private void printLanded() {
    double ours = QueueBench.median(toLanded);
    double push = QueueBench.median(pushes);
    System.out.printf(
        "from the last check's hook to the landed change: median %.0f ms, the longest %.0f ms; a bare push %.0f ms: x %.2f%n",
        ours, toLanded.stream().max(Double::compare).orElseThrow(), push, ours / push);
  }

  /** One pull request is under test, and many checks begin, one after the other. */
  private void hooks() throws IOException, InterruptedException {
    pace();
    for (int i = 0; i < HOOKS; i++) {
      scene.github().require("check-" + i);
    }
    scene.queue("updateQueue", "batch", false);
    int number = scene.submitted();
    String commit = scene.tested(number);
    var calls = new ArrayList<Double>();
    for (int i = 0; i < HOOKS; i++) {
      long called = System.nanoTime();
      scene.node().health();
      calls.add(millisSince(called));
      long reported = System.nanoTime();
      report(commit, "check-" + i, Optional.empty());
      scene.awaitBegun(number, "check-" + i);
      toNews.add(millisSince(reported));
    }
    System.out.printf(
        "from a hook to its news in the queue: median %.0f ms, P99 %.0f ms; a call that does nothing %.1f ms, P99 %.1f ms: x %.1f, P99 x %.1f%n",
        QueueBench.median(toNews),
        p99(toNews),
        QueueBench.median(calls),
        p99(calls),
        QueueBench.median(toNews) / QueueBench.median(calls),
        p99(toNews) / p99(calls));
  }

  private static double p99(List<Double> values) {
    return values.stream().sorted().skip(values.size() * 99L / 100).findFirst().orElseThrow();
  }

  /** Waits until so much has been written as GitHub would take in this time. */
  private void pace() throws InterruptedException {
    double minutes = ForgeRequests.writes(scene.github().requests()) / (double) WRITES_A_MINUTE;
    long wait = (long) (minutes * 60_000 - millisSince(begun));
    if (wait > 0) {
      Thread.sleep(wait);
    }
  }

  private static double millisSince(long begun) {
    return (System.nanoTime() - begun) / 1e6;
  }
}
