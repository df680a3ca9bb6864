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
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/** The commits that land, and how they came to be, over HTTP, on real git. */
class LandedHowTest {
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

  @ParameterizedTest
  @ValueSource(strings = {"SQUASH", "MERGE_COMMIT", "REBASE"})
  void the_tested_commit_lands_one_after_the_other(String method) {
    var story = new QueueStory(node, dir).begin("'mergeMethod':'%s'".formatted(method));
    for (int number = 1; number <= 3; number++) {
      story.git.open(number, "file" + number, "1");
    }
    story.submit(1, 2, 3);
    for (int number = 1; number <= 3; number++) {
      JsonNode run = story.awaitRun(number);
      story.report(run, "SUCCESS");
      JsonNode merged = story.await(number, "MERGED");
      assertThat(merged.at("/landed/how").asString()).isEqualTo("TESTED_COMMIT");
      assertThat(merged.at("/landed/sha").asString())
          .isEqualTo(run.path("testBranchSha").asString());
    }
    assertThat(story.git.head("main")).isEqualTo(story.show(3).at("/landed/sha").asString());
  }

  @Test
  void a_batch_lands_as_its_tested_commits() {
    var story = new QueueStory(node, dir).begin("'batch':true,'batchingMinSize':2");
    story.git.open(1, "file1", "1");
    story.git.open(2, "file2", "1");
    story.submit(1, 2);
    JsonNode run = story.awaitRun(1);
    story.report(run, "SUCCESS");
    assertThat(story.await(1, "MERGED").at("/landed/how").asString()).isEqualTo("TESTED_COMMIT");
    assertThat(story.await(2, "MERGED").at("/landed/sha").asString())
        .isEqualTo(run.path("testBranchSha").asString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"SQUASH", "MERGE_COMMIT", "REBASE"})
  void what_is_disjoint_lands_rebuilt_after_another(String method) {
    var story =
        new QueueStory(node, dir).begin("'mode':'parallel','mergeMethod':'%s'".formatted(method));
    for (int number : List.of(1, 2)) {
      story.git.open(number, "file" + number, "1");
      story.submit(number);
      story.queue.ok("setImpactedTargets", number, "'impactedTargets':['t%d']".formatted(number));
    }
    JsonNode first = story.awaitRun(1);
    JsonNode second = story.awaitRun(2);
    story.report(first, "SUCCESS");
    assertThat(story.await(1, "MERGED").at("/landed/how").asString()).isEqualTo("TESTED_COMMIT");
    story.report(second, "SUCCESS");
    JsonNode merged = story.await(2, "MERGED");
    assertThat(merged.at("/landed/how").asString()).isEqualTo("REBUILT");
    assertThat(merged.at("/landed/sha").asString()).isEqualTo(story.git.head("main"));
    assertThat(story.git.files("main")).containsExactly("README", "file1", "file2");
  }

  @ParameterizedTest
  @ValueSource(strings = {"SQUASH", "MERGE_COMMIT", "REBASE"})
  void the_quick_lands_before_the_slow_which_lands_as_they_passed_together(String method) {
    var story =
        new QueueStory(node, dir)
            .begin("'speculationBudget':1,'mergeMethod':'%s'".formatted(method));
    for (int number = 1; number <= 3; number++) {
      story.git.open(number, "file" + number, "1");
    }
    story.submit(1, 2, 3);
    JsonNode slow = story.awaitRun(1);
    JsonNode together = story.awaitRun(2);
    JsonNode behind = story.awaitRun(3);
    JsonNode alone = until(() -> without(story), LandedHowTest::isBuilt);
    String tree = story.git.tree(together.path("testBranchSha").asString());
    String treeOfAll = story.git.tree(behind.path("testBranchSha").asString());
    story.report(behind, "SUCCESS");
    story.report(together, "SUCCESS");
    story.report(alone, "SUCCESS");
    JsonNode quick = story.await(2, "MERGED");
    assertThat(quick.at("/landed/how").asString()).isEqualTo("TESTED_COMMIT");
    assertThat(quick.at("/landed/sha").asString())
        .isEqualTo(alone.path("testBranchSha").asString());
    assertThat(quick.at("/reason/message").asString())
        .isEqualTo("It passed with and without #1, and merged before it.");
    JsonNode overtaken = story.await(1, "MERGED");
    assertThat(overtaken.at("/landed/how").asString()).isEqualTo("REBUILT");
    assertThat(story.git.tree(overtaken.at("/landed/sha").asString())).isEqualTo(tree);
    assertThat(slow.path("testRunId").asString())
        .isNotEqualTo(overtaken.path("testRunId").asString());
    JsonNode last = story.await(3, "MERGED");
    assertThat(story.git.tree(last.at("/landed/sha").asString())).isEqualTo(treeOfAll);
    assertThat(story.git.head("main")).isEqualTo(last.at("/landed/sha").asString());
    until(story.git::testBranches, List::isEmpty);
  }

  /** The run of the second without the first. */
  private static JsonNode without(QueueStory story) {
    return story
        .queue
        .ok("getMergeQueueTestingDetails", 2)
        .path("testRuns")
        .valueStream()
        .filter(run -> run.path("assumes").toString().equals("{\"lands\":[],\"leaves\":[1]}"))
        .findFirst()
        .orElse(MissingNode.getInstance());
  }

  private static boolean isBuilt(JsonNode run) {
    return !run.path("testBranchSha").asString("").isEmpty();
  }
}
