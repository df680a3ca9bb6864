package dev.mainstay.server.queue;

import static dev.mainstay.server.Waiting.until;

import dev.mainstay.server.TestNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;

/** A repository of its own with a queue for main, told over HTTP as a user would. */
final class QueueStory {
  private static final AtomicInteger REPOS = new AtomicInteger();
  final TestRepository git;
  final QueueCalls queue;
  private final TestNode node;
  private String hook = "";

  QueueStory(TestNode node, Path dir) {
    String name = "story" + REPOS.incrementAndGet();
    this.node = node;
    try {
      git = new TestRepository(Files.createDirectory(dir.resolve(name)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    queue = new QueueCalls(node, node.token(), name, "main");
  }

  /** Connects the repository and makes a queue that requires the status ci. */
  QueueStory begin(String settings) {
    hook =
        queue
            .ok("connectRepository", "'address':'%s'".formatted(git.address()))
            .path("hookToken")
            .asString();
    String more = settings.isEmpty() ? "" : "," + settings;
    queue.ok("createQueue", "'requiredStatuses':['ci']" + more);
    return this;
  }

  /** Somebody pushed, and the hook says so. */
  void look() {
    node.post("/hooks/git?token=" + hook, "", "{}");
  }

  JsonNode submit(int... numbers) {
    JsonNode last = queue.ok("submitPullRequest", numbers[0]);
    for (int i = 1; i < numbers.length; i++) {
      last = queue.ok("submitPullRequest", numbers[i]);
    }
    return last;
  }

  JsonNode show(int pr) {
    return queue.ok("getSubmittedPullRequest", pr);
  }

  JsonNode await(int pr, String state) {
    return until(() -> show(pr), shown -> shown.path("state").asString().equals(state));
  }

  /** The run of a pull request once its test branch is there. */
  JsonNode awaitRun(int pr) {
    return until(
            () -> queue.ok("getMergeQueueTestingDetails", pr),
            runs -> !runs.at("/testRuns/0/testBranchSha").asString("").isEmpty())
        .at("/testRuns/0");
  }

  /** The run of a pull request on this commit of the target branch. */
  JsonNode awaitRunOn(int pr, String base) {
    return until(
            () -> queue.ok("getMergeQueueTestingDetails", pr),
            runs ->
                runs.at("/testRuns/0/baseSha").asString("").equals(base)
                    && !runs.at("/testRuns/0/testBranchSha").asString("").isEmpty())
        .at("/testRuns/0");
  }

  void report(JsonNode run, String state) {
    queue.ok(
        "reportTestStatus",
        "'testRunId':'%s','name':'ci','state':'%s'"
            .formatted(run.path("testRunId").asString(), state));
  }
}
