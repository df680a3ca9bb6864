package dev.mainstay.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.JsonNode;

/**
 * From a submission to the pushed test branch, and from the last status to the landed change, seen
 * in the repository itself, against bare pushes of one commit to the same repository, with several
 * queues busy at the same time.
 */
final class LandingBench {
  private static final int QUEUES = 10;
  private static final int PULL_REQUESTS = 100;
  private static final int WARM_UPS = 60;
  private static final double MOST = 1.5;

  /** Ten that look every millisecond would take a good part of the machine that they measure. */
  private static final Duration LOOK_EVERY = Duration.ofMillis(5);

  private static final Duration ASK_EVERY = Duration.ofMillis(20);
  private static final Duration LONGEST = Duration.ofMinutes(2);

  private final List<Double> pushes = Collections.synchronizedList(new ArrayList<>());
  private final List<Double> toAnswer = Collections.synchronizedList(new ArrayList<>());
  private final List<Double> toTestBranch = Collections.synchronizedList(new ArrayList<>());
  private final List<Double> toLanded = Collections.synchronizedList(new ArrayList<>());
  private final BenchNode node;

  private LandingBench(BenchNode node) {
    this.node = node;
  }

  static void run() throws Exception {
    try (var node = new BenchNode()) {
      var bench = new LandingBench(node);
      try (var threads = Executors.newFixedThreadPool(QUEUES)) {
        var running = new ArrayList<Future<?>>();
        for (int q = 0; q < QUEUES; q++) {
          String name = "r" + q;
          running.add(threads.submit(() -> bench.busyQueue(name)));
        }
        for (var one : running) {
          one.get();
        }
      }
      bench.print("from the submission to the pushed test branch", bench.toTestBranch);
      System.out.printf("  of that until the answer: %.0f ms%n", QueueBench.median(bench.toAnswer));
      bench.print("from the last status to the landed change", bench.toLanded);
    }
  }

  private void print(String what, List<Double> times) {
    double push = QueueBench.median(pushes);
    double ours = QueueBench.median(times);
    System.out.printf(
        "%s: %.0f ms, a bare push %.0f ms: x %.2f (at most x %.1f), %d queues busy%n",
        what, ours, push, ours / push, MOST, QUEUES);
  }

  private Void busyQueue(String name) throws Exception {
    Path directory = node.directory();
    BenchRepo repo = BenchRepo.create(directory.resolve(name + ".git"), PULL_REQUESTS);
    BenchRepo author = BenchRepo.create(directory.resolve(name + "-author.git"), PULL_REQUESTS);
    node.post(
        "connectRepository",
        Map.of("repo", BenchNode.repo(name), "address", repo.directory().toString()));
    node.post("createQueue", BenchNode.queue(name, "requiredStatuses", List.of("ci")));
    Set<String> known = new HashSet<>();
    for (int pr = 1; pr <= PULL_REQUESTS; pr++) {
      boolean counts = pr > WARM_UPS;
      push(author, repo, pr, counts);
      long submitted = System.nanoTime();
      node.post("submitPullRequest", BenchNode.queue(name, "pr", Map.of("number", pr)));
      record(toAnswer, submitted, counts);
      Path branch = await(LOOK_EVERY, () -> newBranch(repo, known));
      record(toTestBranch, submitted, counts);
      known.add(branch.toString());
      String before = read(repo.directory().resolve("refs/heads/main")).orElseThrow();
      String commit = read(branch).orElseThrow();
      await(ASK_EVERY, () -> runOn(name, commit));
      long reported = System.nanoTime();
      node.post(
          "reportTestStatus",
          BenchNode.queue(name, "testBranchSha", commit, "name", "ci", "state", "SUCCESS"));
      await(
          LOOK_EVERY,
          () ->
              read(repo.directory().resolve("refs/heads/main"))
                  .filter(head -> !head.equals(before)));
      record(toLanded, reported, counts);
    }
    return null;
  }

  /**
   * A push is seen in the repository before it has ended; tests take longer than the rest of it.
   */
  private Optional<String> runOn(String name, String commit) throws IOException {
    try {
      JsonNode runs = node.post("getMergeQueueTestingDetails", BenchNode.queue(name));
      return runs.path("testRuns")
          .valueStream()
          .map(run -> run.path("testBranchSha").asString(""))
          .filter(commit::equals)
          .findFirst();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  /**
   * The push of git alone: one commit that the other side does not have, to a branch of its own.
   */
  private void push(BenchRepo author, BenchRepo repo, int pr, boolean counts) throws IOException {
    String tree = author.git("", "rev-parse", "refs/pull/" + pr + "/head^{tree}").strip();
    String commit =
        author
            .git(
                "push " + pr,
                "-c",
                "user.name=Author",
                "-c",
                "user.email=author@example.org",
                "commit-tree",
                tree)
            .strip();
    long begun = System.nanoTime();
    author.git(
        "", "push", "--quiet", repo.directory().toString(), commit + ":refs/heads/bare-" + pr);
    record(pushes, begun, counts);
  }

  private static void record(List<Double> times, long begun, boolean counts) {
    if (counts) {
      times.add((System.nanoTime() - begun) / 1e6);
    }
  }

  private interface Look<T> {
    Optional<T> now() throws IOException;
  }

  private static <T> T await(Duration every, Look<T> look) throws IOException {
    long end = System.nanoTime() + LONGEST.toNanos();
    while (System.nanoTime() < end) {
      Optional<T> seen = look.now();
      if (seen.isPresent()) {
        return seen.get();
      }
      LockSupport.parkNanos(every.toNanos());
    }
    throw new IOException("waited too long");
  }

  private static Optional<Path> newBranch(BenchRepo repo, Set<String> known) throws IOException {
    Path branches = repo.directory().resolve("refs/heads/mainstay");
    if (!Files.exists(branches)) {
      return Optional.empty();
    }
    try (var files = Files.walk(branches)) {
      return files
          .filter(Files::isRegularFile)
          .filter(f -> !f.toString().endsWith(".lock") && !known.contains(f.toString()))
          .findFirst();
    } catch (UncheckedIOException | NoSuchFileException e) {
      return Optional.empty();
    }
  }

  private static Optional<String> read(Path ref) throws IOException {
    try {
      return Optional.of(Files.readString(ref).strip()).filter(text -> !text.isEmpty());
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }
}
