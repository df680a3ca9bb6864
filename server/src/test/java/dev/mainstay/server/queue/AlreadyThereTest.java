package dev.mainstay.server.queue;

import static dev.mainstay.server.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.TestNode;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** Pull requests that are on the target branch already, over HTTP, on real git. */
class AlreadyThereTest {
  @TempDir private static Path dir;
  private static TestNode node;

  /** The ways in which people merge by hand. */
  enum ByHand {
    MERGE,
    FAST_FORWARD,
    SQUASH;

    void merge(QueueStory story, int number) {
      switch (this) {
        case MERGE -> story.git.merge(number);
        case FAST_FORWARD -> story.git.fastForward(number);
        case SQUASH -> story.git.squash(number);
      }
    }
  }

  @BeforeAll
  static void start() {
    node = TestNode.start();
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  @ParameterizedTest
  @EnumSource
  void merged_by_hand_while_it_is_tested(ByHand how) {
    QueueStory story = story("");
    story.git.open(7, "cart", "1");
    story.submit(7);
    story.awaitRun(7);
    how.merge(story, 7);
    isThere(story, 7);
    until(() -> story.git.testBranches(), List::isEmpty);
  }

  @ParameterizedTest
  @EnumSource
  void merged_by_hand_before_it_is_submitted(ByHand how) {
    QueueStory story = story("");
    story.git.open(7, "cart", "1");
    how.merge(story, 7);
    story.git.push("other", "1");
    for (int again = 0; again < 2; again++) {
      JsonNode submitted = story.submit(7);
      assertThat(submitted.path("state").asString()).isEqualTo("MERGED");
      assertThat(submitted.at("/landed/how").asString()).isEqualTo("ALREADY_THERE");
    }
    isThere(story, 7);
  }

  @ParameterizedTest
  @EnumSource
  void merged_by_hand_while_it_waits(ByHand how) {
    QueueStory story = story("'concurrency':1");
    story.git.open(1, "shop", "1");
    story.git.open(7, "cart", "1");
    story.submit(1, 7);
    story.awaitRun(1);
    assertThat(story.show(7).path("state").asString()).isEqualTo("PENDING");
    how.merge(story, 7);
    isThere(story, 7);
    story.report(story.awaitRunOn(1, story.git.head("main")), "SUCCESS");
    assertThat(story.await(1, "MERGED").at("/landed/how").asString()).isEqualTo("TESTED_COMMIT");
  }

  @ParameterizedTest
  @EnumSource
  void merged_by_hand_while_it_waits_to_be_ready(ByHand how) {
    QueueStory story = story("'mode':'parallel'");
    story.git.open(7, "cart", "1");
    assertThat(story.submit(7).path("state").asString()).isEqualTo("NOT_READY");
    how.merge(story, 7);
    isThere(story, 7);
  }

  @ParameterizedTest
  @EnumSource
  void the_rest_of_its_batch_goes_on(ByHand how) {
    QueueStory story = story("'batch':true,'batchingMinSize':2");
    story.git.open(7, "cart", "1");
    story.git.open(8, "shop", "1");
    story.submit(7, 8);
    story.awaitRun(8);
    how.merge(story, 7);
    isThere(story, 7);
    story.report(story.awaitRunOn(8, story.git.head("main")), "SUCCESS");
    assertThat(story.await(8, "MERGED").at("/reason/code").asString()).isEqualTo("merged_by_queue");
    assertThat(story.git.subjects()).hasSize(how == ByHand.MERGE ? 4 : 3);
  }

  @Test
  void behind_another_it_is_decided_when_that_has_ended() {
    QueueStory story = story("");
    story.git.open(1, "shop", "1");
    story.git.open(7, "cart", "1");
    story.submit(1, 7);
    story.awaitRun(7);
    story.git.squash(7);
    String main = story.git.head("main");
    story.look();
    JsonNode first = story.awaitRunOn(1, main);
    story.awaitRunOn(7, main);
    assertThat(story.show(7).path("state").asString()).isEqualTo("TESTING");
    story.report(first, "SUCCESS");
    story.await(1, "MERGED");
    isThere(story, 7);
    assertThat(story.git.subjects()).containsExactly("Change 1 (#1)", "By hand", "Begin");
  }

  @ParameterizedTest
  @EnumSource
  void one_in_another_lane_keeps_its_run(ByHand how) {
    QueueStory story = inTwoLanes();
    JsonNode run = story.awaitRun(8);
    how.merge(story, 7);
    isThere(story, 7);
    story.report(run, "SUCCESS");
    JsonNode merged = story.await(8, "MERGED");
    assertThat(merged.path("testRunId")).isEqualTo(run.path("testRunId"));
    assertThat(merged.at("/landed/how").asString()).isEqualTo("REBUILT");
  }

  @Test
  void one_in_another_lane_is_tested_again_where_more_came_than_pull_requests() {
    QueueStory story = inTwoLanes();
    story.git.squash(7);
    story.git.push("other", "1");
    isThere(story, 7);
    story.report(story.awaitRunOn(8, story.git.head("main")), "SUCCESS");
    assertThat(story.await(8, "MERGED").at("/landed/how").asString()).isEqualTo("TESTED_COMMIT");
  }

  private static QueueStory inTwoLanes() {
    QueueStory story = story("'mode':'parallel'");
    for (int number : List.of(7, 8)) {
      story.git.open(number, "file" + number, "1");
      story.submit(number);
      story.queue.ok("setImpactedTargets", number, "'impactedTargets':['t%d']".formatted(number));
      story.awaitRun(number);
    }
    return story;
  }

  @Test
  void landed_by_the_queue_and_submitted_again() {
    QueueStory story = story("'mergeMethod':'SQUASH'");
    story.git.open(7, "cart", "1");
    story.submit(7);
    story.report(story.awaitRun(7), "SUCCESS");
    story.await(7, "MERGED");
    story.git.push("other", "1");
    assertThat(story.submit(7).at("/landed/how").asString()).isEqualTo("ALREADY_THERE");
    assertThat(story.git.subjects()).containsExactly("Push other", "Change 7 (#7)", "Begin");
  }

  @Test
  void of_two_with_the_same_content_one_lands() {
    QueueStory story = story("");
    story.git.open(7, "cart", "1");
    story.git.open(8, "cart", "1");
    story.submit(7, 8);
    story.report(story.awaitRun(7), "SUCCESS");
    JsonNode first = story.await(7, "MERGED");
    assertThat(first.at("/landed/how").asString()).isEqualTo("TESTED_COMMIT");
    isThere(story, 8);
    assertThat(story.git.subjects()).containsExactly("Change 7 (#7)", "Begin");
  }

  @Test
  void in_a_batch_of_two_with_the_same_content_one_lands() {
    QueueStory story = story("'batch':true,'batchingMinSize':2");
    story.git.open(7, "cart", "1");
    story.git.open(8, "cart", "1");
    story.submit(7, 8);
    story.report(story.awaitRun(7), "SUCCESS");
    story.await(7, "MERGED");
    isThere(story, 8);
    assertThat(story.git.subjects()).containsExactly("Change 7 (#7)", "Begin");
  }

  @Test
  void merged_by_hand_and_its_reference_deleted() {
    QueueStory story = story("");
    story.git.open(7, "cart", "1");
    story.submit(7);
    story.awaitRun(7);
    story.git.merge(7);
    story.git.close(7);
    isThere(story, 7);
  }

  @Test
  void one_that_changes_nothing_is_not_ready() {
    QueueStory story = story("");
    story.git.openEmpty(7);
    JsonNode shown = story.submit(7);
    assertThat(shown.path("state").asString()).isEqualTo("NOT_READY");
    assertThat(shown.at("/reason/code").asString()).isEqualTo("nothing_to_merge");
    assertThat(shown.has("landed")).isFalse();
  }

  private static QueueStory story(String settings) {
    return new QueueStory(node, dir).begin(settings);
  }

  private static void isThere(QueueStory story, int number) {
    List<String> before = story.git.subjects();
    story.look();
    JsonNode merged = story.await(number, "MERGED");
    assertThat(merged.at("/reason/code").asString()).isEqualTo("merged_manually");
    assertThat(merged.at("/landed/how").asString()).isEqualTo("ALREADY_THERE");
    assertThat(merged.at("/landed/sha").asString()).isEqualTo(story.git.head("main"));
    assertThat(story.git.subjects()).isEqualTo(before);
  }
}
