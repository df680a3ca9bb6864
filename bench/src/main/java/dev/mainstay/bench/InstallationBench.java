package dev.mainstay.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Many repositories of one installation of an App, each with a queue, in which nothing happens: the
 * requests by which one node looks at them, counted for as long as each is looked at once.
 */
final class InstallationBench {
  private static final int REPOSITORIES = 1_000;
  private static final int AT_ONCE = 4;
  private static final String HOOK_SECRET = "bench-bench-bench-bench-bench";
  private static final int LIMIT = 5_000;

  /** The rest of a repository at a host between two looks, when its queues are empty. */
  private static final Duration REST = Duration.ofMinutes(5);

  private static final Duration LONGEST = Duration.ofMinutes(10);

  private final BenchNode node;
  private final StubGitHub github;
  private final String key = StubGitHub.appKey();

  private InstallationBench(BenchNode node, StubGitHub github) {
    this.node = node;
    this.github = github;
  }

  static void run() throws Exception {
    try (var node = new BenchNode()) {
      Path root = node.directory().resolve("github");
      BenchRepo repo = BenchRepo.create(root.resolve("only.git"));
      Path owner = Files.createDirectories(root.resolve("acme"));
      for (int i = 0; i < REPOSITORIES; i++) {
        Files.createSymbolicLink(owner.resolve(name(i) + ".git"), repo.directory());
      }
      try (var github = new StubGitHub(root, repo.commit("main"))) {
        new InstallationBench(node, github).measure();
      }
    }
  }

  private static String name(int i) {
    return "repo-" + i;
  }

  private void measure() throws Exception {
    try (var threads = Executors.newFixedThreadPool(AT_ONCE)) {
      var running = new ArrayList<Future<?>>();
      for (int i = 0; i < REPOSITORIES; i++) {
        String name = name(i);
        running.add(threads.submit(() -> connect(name)));
      }
      for (var one : running) {
        one.get();
      }
    }
    int before = github.looks.get();
    for (int i = 0; i < REPOSITORIES; i++) {
      node.hook(new GitHubHook(HOOK_SECRET, "acme/" + name(i)), "push");
    }
    Waiting.until(() -> github.looks.get() - before >= REPOSITORIES, LONGEST);
    count();
  }

  private Void connect(String name) throws IOException, InterruptedException {
    var app = Map.of("id", StubGitHub.APP, "privateKey", key, "hookSecret", HOOK_SECRET);
    node.post(
        "connectRepository",
        Map.of(
            "repo",
            BenchNode.repo(name),
            "address",
            github.address() + "/acme/" + name,
            "kind",
            "github",
            "credentials",
            Map.of("app", app)));
    node.post("createQueue", BenchNode.queue(name));
    return null;
  }

  /** For as long as each repository is looked at once. */
  private void count() throws InterruptedException, IOException {
    int looks = github.looks.get();
    int all = github.all.get();
    int counting = github.counting.get();
    double cpu = node.process().cpuSeconds();
    Thread.sleep(REST);
    long anHour = Duration.ofHours(1).dividedBy(REST);
    System.out.printf(
        "%,d repositories of one installation, nothing happens: %,d looks, %,d requests an hour, %,d of them count (limit %,d)%n",
        REPOSITORIES,
        (github.looks.get() - looks) * anHour,
        (github.all.get() - all) * anHour,
        (github.counting.get() - counting) * anHour,
        LIMIT);
    System.out.printf(
        "  meanwhile %.1f %% of a processor, %d MiB resident%n",
        100 * (node.process().cpuSeconds() - cpu) / REST.toSeconds(),
        node.process().residentMebibytes());
  }
}
