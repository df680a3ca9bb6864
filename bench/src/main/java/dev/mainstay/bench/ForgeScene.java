package dev.mainstay.bench;

import dev.mainstay.server.forge.github.GitHubDoor;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.JsonNode;

/** A node with a queue at the fake GitHub, whose main requires the check {@code ci}. */
final class ForgeScene implements AutoCloseable {
  static final String CHECK = "ci";
  private static final String NAME = "app";
  private static final String HOOK_SECRET = "bench-bench-bench-bench-bench";
  private static final Duration LOOK_EVERY = Duration.ofMillis(2);
  private static final Duration LONGEST = Duration.ofMinutes(3);

  private final BenchNode node = new BenchNode();
  private final BenchRepo repo;
  private final GitHubDoor github;
  private final GitHubHook hook = new GitHubHook(HOOK_SECRET, GitHubDoor.PATH);

  ForgeScene() throws IOException, InterruptedException {
    Path root = node.directory().resolve("github");
    repo = BenchRepo.create(root.resolve("acme").resolve("app.git"));
    github = new GitHubDoor(root);
    github.require(CHECK);
    var app =
        Map.of("id", GitHubDoor.APP, "privateKey", github.appKey(), "hookSecret", HOOK_SECRET);
    node.post(
        "connectRepository",
        Map.of(
            "repo",
            BenchNode.repo(NAME),
            "address",
            github.address(),
            "kind",
            "github",
            "credentials",
            Map.of("app", app)));
    queue("createQueue", "batch", false);
  }

  BenchNode node() {
    return node;
  }

  BenchRepo repo() {
    return repo;
  }

  GitHubDoor github() {
    return github;
  }

  JsonNode queue(String path, Object... fields) throws IOException, InterruptedException {
    return node.post(path, BenchNode.queue(NAME, fields));
  }

  private JsonNode pr(String path, int number) throws IOException, InterruptedException {
    return queue(path, "pr", Map.of("number", number));
  }

  /** GitHub calls the hook for something that happened. */
  void hook(String event) throws IOException, InterruptedException {
    node.hook(hook, event);
  }

  /** Somebody opens a pull request of a branch of the repository, and submits it. */
  int submitted() throws IOException, InterruptedException {
    int number = github.number();
    String branch = "change-" + number;
    repo.open("refs/heads/" + branch, number, "file-" + number);
    String head = repo.commit(branch);
    github.open(number, Optional.of(branch), BenchRepo.title(number), head);
    hook("pull_request");
    pr("submitPullRequest", number);
    return number;
  }

  /** The commit on which it is tested, once it is pushed; GitHub tells of the push. */
  String tested(int number) throws IOException, InterruptedException {
    String commit =
        await(
            () ->
                runs(number)
                    .map(run -> run.path("testBranchSha").asString(""))
                    .filter(sha -> !sha.isEmpty()));
    hook("push");
    return commit;
  }

  private Optional<JsonNode> runs(int number) throws IOException, InterruptedException {
    return pr("getMergeQueueTestingDetails", number).path("testRuns").valueStream().findFirst();
  }

  /** Waits until the queue shows that a check has begun. */
  void awaitBegun(int number, String check) throws IOException, InterruptedException {
    await(
        () ->
            runs(number)
                .filter(
                    run ->
                        run.path("checks")
                            .valueStream()
                            .anyMatch(c -> c.path("name").asString().equals(check))));
  }

  /** Waits until main is elsewhere. */
  void awaitMoved(String before) throws IOException, InterruptedException {
    await(() -> Optional.of(repo.commit("main")).filter(now -> !now.equals(before)));
  }

  /** Waits until all of them are merged; GitHub tells of what was pushed and closed for them. */
  void awaitMerged(List<Integer> numbers) throws IOException, InterruptedException {
    for (int number : numbers) {
      hook("push");
      hook("pull_request");
      await(
          () ->
              Optional.of(pr("getSubmittedPullRequest", number).path("state").asString())
                  .filter("MERGED"::equals));
    }
    hook("push");
  }

  private interface Look<T> {
    Optional<T> now() throws IOException, InterruptedException;
  }

  private static <T> T await(Look<T> look) throws IOException, InterruptedException {
    long end = System.nanoTime() + LONGEST.toNanos();
    while (System.nanoTime() < end) {
      Optional<T> seen = look.now();
      if (seen.isPresent()) {
        return seen.get();
      }
      LockSupport.parkNanos(LOOK_EVERY.toNanos());
    }
    throw new IOException("waited too long");
  }

  @Override
  public void close() {
    github.close();
    node.close();
  }
}
