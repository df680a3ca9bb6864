package dev.mainstay.server.queue;

import static dev.mainstay.server.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.health.JudgingScene;
import dev.mainstay.server.health.Shop;
import dev.mainstay.server.web.Visitor;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What a queue learns from its own past, as people see it. */
class LearningTest extends JudgingScene {
  private static final String PAGE = "/default/git.example/acme/shop/queues/main/pulls/";

  @TempDir private Path dir;

  private QueueCalls queue;
  private TestRepository git;

  @BeforeEach
  void aQueue() {
    shop = new Shop(node, "shop", "git.example");
    queue = new QueueCalls(node, node.token(), "shop", "main");
    git = new TestRepository(dir);
    queue.ok("connectRepository", "'address':'%s'".formatted(git.address()));
    queue.ok("createQueue", "'requiredStatuses':['ci']");
  }

  private JsonNode pullRequest(int number) {
    return queue.ok("getSubmittedPullRequest", number);
  }

  private void ends(int number, String said, String state) {
    JsonNode details =
        until(
            () -> queue.ok("getMergeQueueTestingDetails", number),
            d -> !d.at("/testRuns/0/testBranchSha").asString("").isEmpty());
    clock.advance(Duration.ofMinutes(10));
    String run = details.at("/testRuns/0/testRunId").asString();
    queue.ok("reportTestStatus", "'testRunId':'%s','name':'ci','state':'%s'".formatted(run, said));
    until(() -> pullRequest(number), pr -> pr.path("state").asString().equals(state));
  }

  private void submit(int number) {
    git.open(number, "file" + number, "1");
    queue.ok("submitPullRequest", number);
  }

  @Test
  void chances_and_times_follow_what_came_before() {
    submit(1);
    assertThat(pullRequest(1).path("chance").toString())
        .isEqualTo("{\"passes\":0.95,\"drivenBy\":[]}");
    assertThat(pullRequest(1).has("expected")).isFalse();
    ends(1, "SUCCESS", "MERGED");
    for (int number = 2; number <= 6; number++) {
      submit(number);
      ends(number, "SUCCESS", "MERGED");
    }
    submit(30);
    JsonNode told = pullRequest(30);
    assertThat(told.at("/chance/passes").asDouble()).isGreaterThan(0.95);
    Instant likely = Instant.parse(told.at("/expected/likelyBy").asString());
    assertThat(likely).isBetween(now().plusSeconds(480), now().plusSeconds(780));
    assertThat(Instant.parse(told.at("/expected/lateBy").asString())).isAfterOrEqualTo(likely);

    for (int attempt = 0; attempt < 4; attempt++) {
      ends(30, "FAILURE", "FAILED");
      queue.ok("submitPullRequest", 30);
    }
    JsonNode warned = pullRequest(30).path("chance");
    assertThat(warned.path("passes").asDouble()).isLessThan(0.8);
    assertThat(warned.at("/drivenBy").valueStream().map(d -> d.path("trait").asString()))
        .contains("earlier_attempt");
    assertThat(warned.at("/drivenBy/0/moves").asDouble()).isNegative();

    String page = Visitor.signedIn(node, node.token()).look(PAGE + 30).body();
    assertThat(page)
        .contains("Chance to pass", "earlier attempt failed: -", "if it takes longer than usual");
    assertThat(pullRequest(1).has("chance")).as("it has merged").isFalse();
  }
}
