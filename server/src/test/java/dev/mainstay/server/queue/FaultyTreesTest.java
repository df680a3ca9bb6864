package dev.mainstay.server.queue;

import static dev.mainstay.server.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.TestNode;
import dev.mainstay.server.forge.git.GitHttpServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Pull requests whose files no disk takes, as a hostile author makes them. */
class FaultyTreesTest {
  @TempDir private Path dir;
  private TestNode node;
  private GitHttpServer server;
  private TestRepository git;
  private QueueCalls queue;

  @BeforeEach
  void start() {
    node = TestNode.start();
    server = new GitHttpServer(dir);
    git = new TestRepository(dir);
    queue = new QueueCalls(node, node.token(), "faulty", "main");
    queue.ok(
        "connectRepository",
        "'address':'%s','testCommand':'true'".formatted(server.address(git.path(), "bot:s3cr3t@")));
    queue.ok("createQueue");
  }

  @AfterEach
  void stop() {
    node.close();
    server.close();
  }

  private JsonNode awaitState(int pr, String state) {
    return until(
        () -> {
          node.clock().advance(Duration.ofMillis(200));
          return queue.ok("getSubmittedPullRequest", pr);
        },
        shown -> shown.path("state").asString().equals(state));
  }

  private String failedOutput(int pr) {
    awaitState(pr, "FAILED");
    return queue.ok("getTestRunLog", pr).path("output").asString();
  }

  @Test
  void they_fail_with_the_reason_and_the_copy_of_the_repository_stays() {
    git.openNamed(1, ".git");
    git.openNamed(2, "..");
    git.openNamed(3, "n".repeat(400));
    git.open(4, "fine");
    for (int pr = 1; pr <= 4; pr++) {
      queue.ok("submitPullRequest", pr);
    }
    awaitState(4, "MERGED");
    assertThat(failedOutput(1)).contains("cannot be checked out", "3 times", "invalid path '.git'");
    assertThat(failedOutput(2)).contains("cannot be checked out", "3 times", "invalid path '..'");
    assertThat(failedOutput(3)).contains("cannot be checked out", "3 times", "too long");
    assertThat(server.clones()).isEqualTo(1);
  }

  @Test
  void one_that_git_cannot_merge_is_in_conflict_and_the_copy_stays() {
    git.open(1, "fine");
    queue.ok("submitPullRequest", 1);
    awaitState(1, "MERGED");
    git.put("gone", Optional.of("1"));
    git.openRaw(2, "a/b");
    git.put("gone", Optional.empty());
    JsonNode shown = queue.ok("submitPullRequest", 2);
    assertThat(shown.path("state").asString()).isEqualTo("NOT_READY");
    assertThat(shown.at("/readiness/mergeability").asString()).isEqualTo("NOT_MERGEABLE");
    assertThat(server.clones()).isEqualTo(1);
  }
}
