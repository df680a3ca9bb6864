package dev.mainstay.server.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.TestNode;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Reasons that are a pull request's own, over HTTP, on real git. */
class OwnReasonsTest {
  @TempDir private static Path dir;
  private static TestNode node;

  @BeforeAll
  static void start() {
    node = TestNode.start();
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  @Test
  void a_conflict_holds_nobody_up() {
    var story = new QueueStory(node, dir).begin("");
    story.git.open(1, "cart", "1");
    story.git.open(2, "cart", "2");
    story.git.open(3, "shop", "1");
    story.submit(1, 2, 3);
    JsonNode second = story.await(2, "PENDING_FAILURE");
    assertThat(second.at("/reason/code").asString()).isEqualTo("merge_conflict");
    assertThat(second.path("waitsFor").toString()).isEqualTo("[1]");
    JsonNode third = story.awaitRun(3);
    assertThat(third.at("/dependentPrs").size()).isEqualTo(1);
    assertThat(story.show(3).path("state").asString()).isEqualTo("TESTING");
    assertThat(story.show(3).path("waitsFor").toString()).isEqualTo("[1]");
    story.report(story.awaitRun(1), "SUCCESS");
    story.await(1, "MERGED");
    assertThat(story.await(2, "FAILED").at("/reason/code").asString()).isEqualTo("merge_conflict");
    story.report(third, "SUCCESS");
    assertThat(story.await(3, "MERGED").at("/landed/how").asString()).isEqualTo("TESTED_COMMIT");
  }

  @Test
  void a_conflict_within_a_batch_is_the_later_ones() {
    var story = new QueueStory(node, dir).begin("'batch':true,'batchingMinSize':3");
    story.git.open(1, "cart", "1");
    story.git.open(2, "cart", "2");
    story.git.open(3, "shop", "1");
    story.submit(1, 2, 3);
    assertThat(story.await(2, "PENDING_FAILURE").at("/reason/code").asString())
        .isEqualTo("merge_conflict");
    JsonNode rest = story.awaitRun(3);
    assertThat(rest.path("testedPullRequests").size()).isEqualTo(2);
    story.report(rest, "SUCCESS");
    story.await(1, "MERGED");
    story.await(3, "MERGED");
    story.await(2, "FAILED");
  }

  @Test
  void one_in_conflict_is_tested_again_when_the_other_leaves() {
    var story = new QueueStory(node, dir).begin("");
    story.git.open(1, "cart", "1");
    story.git.open(2, "cart", "2");
    story.submit(1, 2);
    story.await(2, "PENDING_FAILURE");
    story.queue.ok("cancelPullRequest", 1);
    story.report(story.awaitRun(2), "SUCCESS");
    story.await(2, "MERGED");
  }

  @Test
  void a_batch_that_is_not_full_says_how_full_it_is() {
    var story =
        new QueueStory(node, dir)
            .begin("'batch':true,'batchingMinSize':4,'batchingMaxWaitTimeMinutes':60");
    story.git.open(1, "cart", "1");
    story.git.open(2, "shop", "1");
    story.submit(1);
    JsonNode first = story.await(1, "PENDING");
    assertThat(first.at("/reason/code").asString()).isEqualTo("batch_filling");
    assertThat(first.at("/reason/message").asString())
        .startsWith("It waits for its batch to fill: 1 of 4, until 20")
        .endsWith("Z at the latest.");
    story.submit(2);
    story.await(2, "PENDING");
    assertThat(story.show(1).at("/reason/message").asString()).contains("2 of 4");
    assertThat(story.queue.ok("getQueue").at("/enqueuedPullRequests/0/reason/code").asString())
        .isEqualTo("batch_filling");
  }
}
