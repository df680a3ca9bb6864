package dev.mainstay.bench.soak;

import dev.mainstay.bench.BenchRepo;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;

/** Queues on plain git, authors who submit, and a CI that looks at test branches and reports. */
final class SoakQueues {
  private static final Duration TESTS_TAKE = Duration.ofSeconds(4);
  private static final Duration LOOK_EVERY = Duration.ofMillis(500);

  private final SoakNode node;
  private final Tally tally;
  private final int ofEach;
  private final int all;
  private final List<BenchRepo> repositories = new ArrayList<>();
  private final AtomicInteger submitted = new AtomicInteger();

  /** Test branches as they were seen first: when that was, by queue and commit. */
  private final Map<String, Long> seen = new HashMap<>();

  private final Set<String> reported = new TreeSet<>();

  /** The head of main, and how many had landed then, by queue. */
  private final Map<Integer, Map.Entry<String, Integer>> counted = new HashMap<>();

  SoakQueues(SoakNode node, Tally tally, int pullRequests) {
    this.node = node;
    this.tally = tally;
    this.all = pullRequests;
    this.ofEach = (pullRequests + SoakRun.QUEUES - 1) / SoakRun.QUEUES;
  }

  void connect() throws IOException, InterruptedException {
    for (int i = 0; i < SoakRun.QUEUES; i++) {
      var repo = BenchRepo.create(node.directory().resolve(SoakNode.name(i) + ".git"), ofEach);
      repositories.add(repo);
      node.post(
          "connectRepository",
          Map.of("repo", SoakNode.repo(i), "address", repo.directory().toString()));
      node.post(
          "createQueue",
          SoakNode.queue(
              i,
              "requiredStatuses",
              List.of("ci"),
              "concurrency",
              4,
              "batch",
              true,
              "batchingMinSize",
              4,
              "batchingMaxWaitTimeMinutes",
              1));
    }
  }

  void submit(int number) throws IOException, InterruptedException {
    int pullRequest = number / SoakRun.QUEUES + 1;
    node.post(
        "submitPullRequest",
        SoakNode.queue(number % SoakRun.QUEUES, "pr", Map.of("number", pullRequest)));
    submitted.incrementAndGet();
  }

  /**
   * Reports that tests passed, a while after each test branch was pushed, until all have landed.
   */
  void testUntilDone(Duration longest) throws IOException, InterruptedException {
    long end = System.nanoTime() + longest.toNanos();
    while (landed() < all) {
      if (System.nanoTime() > end) {
        tally.fault("%d of %d landed in %s".formatted(landed(), all, longest));
        return;
      }
      for (int i = 0; i < repositories.size(); i++) {
        test(i);
      }
      Thread.sleep(LOOK_EVERY);
    }
  }

  private void test(int queue) throws IOException, InterruptedException {
    for (String commit : testBranches(repositories.get(queue))) {
      // What is made at the same second of the same changes has the same name everywhere.
      String run = queue + "/" + commit;
      long first = seen.computeIfAbsent(run, k -> System.nanoTime());
      if (System.nanoTime() - first > TESTS_TAKE.toNanos() && reported.add(run)) {
        long begun = System.nanoTime();
        try {
          node.post(
              "reportTestStatus",
              SoakNode.queue(queue, "testBranchSha", commit, "name", "ci", "state", "SUCCESS"));
          tally.took("statuses", System.nanoTime() - begun);
        } catch (IOException e) {
          // The run may have ended since, by a change of plan.
          if (testBranches(repositories.get(queue)).contains(commit)) {
            tally.fault("status: " + e);
          }
        }
      }
    }
  }

  private static List<String> testBranches(BenchRepo repo) throws IOException {
    Path branches = repo.directory().resolve("refs/heads/mainstay");
    var commits = new ArrayList<String>();
    if (Files.exists(branches)) {
      for (Path file : files(branches)) {
        try {
          String commit = Files.readString(file).strip();
          if (commit.length() == 40) {
            commits.add(commit);
          }
        } catch (NoSuchFileException e) {
          // Deleted meanwhile.
        }
      }
    }
    return commits;
  }

  private static List<Path> files(Path branches) {
    try (var files = Files.walk(branches)) {
      return files.filter(f -> Files.isRegularFile(f) && !f.toString().endsWith(".lock")).toList();
    } catch (IOException | UncheckedIOException e) {
      return List.of();
    }
  }

  /** Pull requests that are on main; counted anew only where main has moved. */
  int landed() throws IOException {
    int landed = 0;
    for (int i = 0; i < repositories.size(); i++) {
      landed += landed(i);
    }
    return landed;
  }

  private int landed(int queue) throws IOException {
    BenchRepo repo = repositories.get(queue);
    String head = Files.readString(repo.directory().resolve("refs/heads/main")).strip();
    var before = counted.get(queue);
    if (before != null && before.getKey().equals(head)) {
      return before.getValue();
    }
    int now = titles(repo).size() - 1;
    counted.put(queue, Map.entry(head, now));
    return now;
  }

  private static List<String> titles(BenchRepo repo) throws IOException {
    return repo.git("", "log", "--format=%s", "--no-merges", "main").lines().toList();
  }

  /** Each is on main once, and no test branch is left. */
  void check() throws IOException {
    for (BenchRepo repo : repositories) {
      List<String> titles = titles(repo);
      if (Set.copyOf(titles).size() != titles.size()) {
        tally.fault(repo.directory() + " has a change twice");
      }
    }
    node.errors().forEach(tally::fault);
  }
}
