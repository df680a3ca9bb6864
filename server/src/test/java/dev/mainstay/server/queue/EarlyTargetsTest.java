package dev.mainstay.server.queue;

import static dev.mainstay.server.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.TestNode;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Impacted targets of a commit that was pushed a moment ago, over HTTP. */
class EarlyTargetsTest {
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
  void targets_told_before_the_push_was_seen_count_when_it_is() {
    var story = new QueueStory(node, dir).begin("'mode':'parallel'");
    story.git.open(7, "cart", "1");
    story.submit(7);
    story.queue.ok("setImpactedTargets", 7, "'impactedTargets':['//cart']");
    story.awaitRun(7);
    String pushed = story.git.open(7, "cart", "2").value();
    story.queue.ok(
        "setImpactedTargets",
        "'pr':{'number':7,'sha':'%s'},'impactedTargets':['//cart','//shop']".formatted(pushed));
    story.look();
    JsonNode anew = until(() -> story.show(7), p -> p.path("prSha").asString().equals(pushed));
    assertThat(anew.at("/readiness/hasImpactedTargets").asBoolean()).isTrue();
    assertThat(story.awaitRun(7).path("impactedTargets").toString())
        .isEqualTo("[\"//cart\",\"//shop\"]");
  }
}
