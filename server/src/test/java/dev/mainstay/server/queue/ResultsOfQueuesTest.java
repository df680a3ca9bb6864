package dev.mainstay.server.queue;

import static dev.mainstay.server.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.health.JudgingScene;
import dev.mainstay.server.health.Shop;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Results that are sent for the test branches of queues. */
class ResultsOfQueuesTest extends JudgingScene {
  @TempDir private Path dir;

  private QueueCalls queue;

  /** Submits pull requests to a queue that waits for the status {@code ci}. */
  private void submit(String settings, int... numbers) {
    var git = new TestRepository(dir);
    queue.ok("connectRepository", "'address':'%s'".formatted(git.address()));
    queue.ok("createQueue", "'requiredStatuses':['ci']" + settings);
    for (int number : numbers) {
      git.open(number, "file" + number, "1");
      queue.ok("submitPullRequest", number);
    }
  }

  private JsonNode run(int number) {
    return until(
            () -> queue.ok("getMergeQueueTestingDetails", number),
            details -> !details.at("/testRuns/0/testBranchSha").asString("").isEmpty())
        .at("/testRuns/0");
  }

  /** Sends that the test failed on the test branch of a pull request. */
  private void failsInQueue(int number) {
    JsonNode run = run(number);
    String about =
        "&branch=%s&commit=%s&job=ci"
            .formatted(run.path("testBranch").asString(), run.path("testBranchSha").asString());
    shop.upload(now(), about, "adds failed");
  }

  private String statusInLog(int number) {
    return queue.ok("getTestRunLog", number).at("/failedTests/0/status").asString();
  }

  @BeforeEach
  void shopOfTheQueue() {
    shop = new Shop(node, "shop", "git.example");
    queue = new QueueCalls(node, node.token(), "shop", "main");
    create("\"kind\":\"failure_count\",\"count\":3,\"branches\":[\"*\"]");
  }

  @Test
  void those_that_stand_on_a_pull_request_fail_with_it_and_say_nothing_of_the_test() {
    submit("", 7, 8, 9);
    shop.upload(now(), "&branch=feature&pr=7&commit=head", "adds failed");
    for (int number : new int[] {7, 8, 9}) {
      failsInQueue(number);
    }
    assertThat(status("adds")).as("all of them contain 7").isEqualTo("healthy");
    assertThat(statusInLog(7)).isEqualTo("healthy");
    shop.upload(now(), "&branch=other&pr=9&commit=other", "adds failed");
    assertThat(status("adds")).as("9 alone does not").isEqualTo("broken");
    assertThat(statusInLog(7)).isEqualTo("broken");
  }

  @Test
  void a_batch_contains_each_of_its_members() {
    submit(",'batch':true,'batchingMinSize':2", 7, 8);
    failsInQueue(7);
    shop.upload(now(), "&branch=feature&pr=8&commit=head", "adds failed");
    shop.upload(now(), "&branch=feature&pr=8&commit=head2", "adds failed");
    assertThat(status("adds")).as("all of them contain 8").isEqualTo("healthy");
    shop.upload(now(), "&branch=other&pr=7&commit=head3", "adds failed");
    assertThat(status("adds")).isEqualTo("broken");
  }
}
