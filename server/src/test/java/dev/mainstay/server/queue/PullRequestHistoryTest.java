package dev.mainstay.server.queue;

import static dev.mainstay.server.queue.QueueCalls.faults;
import static dev.mainstay.server.queue.QueueCalls.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.MovableClock;
import dev.mainstay.server.TestDatabase;
import dev.mainstay.server.TestNode;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.http.Scope;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The stories of pull requests, and the list of all submissions, on real git. */
class PullRequestHistoryTest {
  private static final Database.Address ADDRESS = TestDatabase.withTables();
  private static final TestKeys KEYS = new TestKeys(ADDRESS);
  private static final MovableClock CLOCK = new MovableClock();

  @TempDir private static Path dir;
  private static TestNode node;

  @BeforeAll
  static void start() {
    node = TestNode.start(ADDRESS, CLOCK);
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  /** A pull request that is tested, restarted and failed, and then comes again and merges. */
  private static QueueStory failedAndMerged() {
    QueueStory story = new QueueStory(node, dir).begin("");
    story.git.open(7, "cart", "1");
    story.submit(7);
    JsonNode first = story.awaitRun(7);
    CLOCK.advance(Duration.ofMinutes(10));
    story.queue.ok("restartTestsOnPullRequest", 7);
    JsonNode second = otherRun(story, first);
    CLOCK.advance(Duration.ofMinutes(5));
    story.report(second, "FAILURE");
    story.await(7, "FAILED");
    CLOCK.advance(Duration.ofMinutes(30));
    story.submit(7);
    JsonNode third = otherRun(story, second);
    CLOCK.advance(Duration.ofMinutes(20));
    story.report(third, "SUCCESS");
    story.await(7, "MERGED");
    return story;
  }

  private static JsonNode otherRun(QueueStory story, JsonNode run) {
    JsonNode next;
    do {
      next = story.awaitRun(7);
    } while (next.path("testRunId").equals(run.path("testRunId")));
    return next;
  }

  private static List<String> moves(JsonNode submission) {
    var runs = submission.path("testRunIds").valueStream().map(JsonNode::asString).toList();
    var moves = new ArrayList<String>();
    for (JsonNode t : submission.path("transitions")) {
      String run = t.has("testRunId") ? " " + runs.indexOf(t.path("testRunId").asString()) : "";
      moves.add(t.path("state").asString() + " " + t.at("/reason/code").asString() + run);
    }
    return moves;
  }

  @Test
  void a_story_has_every_submission_with_its_moves_their_reasons_and_runs() {
    Instant began = CLOCK.instant();
    QueueStory story = failedAndMerged();
    JsonNode told = story.queue.ok("getPullRequestHistory", 7);
    JsonNode merged = told.at("/submissions/0");
    JsonNode failed = told.at("/submissions/1");
    assertThat(told.path("submissions").size()).isEqualTo(2);
    assertThat(moves(failed))
        .containsExactly(
            "NOT_READY submitted",
            "PENDING ready",
            "TESTING slot_free 0",
            "TESTING restarted 1",
            "FAILED test_failed 1");
    assertThat(failed.path("testRunIds").size()).isEqualTo(2);
    assertThat(moves(merged))
        .containsExactly(
            "NOT_READY submitted",
            "PENDING ready",
            "TESTING slot_free 0",
            "TESTS_PASSED tests_succeeded 0",
            "MERGED merged_by_queue 0");
    assertThat(failed.path("state").asString()).isEqualTo("FAILED");
    assertThat(failed.at("/reason/message").asString()).isEqualTo("The status ci failed.");
    assertThat(failed.path("submittedAt").asString()).isEqualTo(began.toString());
    assertThat(failed.path("endedAt").asString())
        .isEqualTo(began.plus(Duration.ofMinutes(15)).toString())
        .isEqualTo(failed.at("/transitions/4/at").asString());
    JsonNode shown = story.show(7);
    assertThat(told.path("pullRequest")).isEqualTo(shown);
    assertThat(shown.path("submittedAt")).isEqualTo(merged.path("submittedAt"));
    assertThat(shown.path("endedAt")).isEqualTo(merged.path("endedAt"));
    assertThat(shown.has("url")).as("plain git has no pages").isFalse();
    runsAreFoundAfterTheirEnd(story, failed);
  }

  private static void runsAreFoundAfterTheirEnd(QueueStory story, JsonNode failed) {
    JsonNode first = run(story, failed.at("/testRunIds/0").asString());
    assertThat(first.path("status").asString()).isEqualTo("CANCELLED");
    assertThat(first.path("endedAt")).isEqualTo(failed.at("/transitions/3/at"));
    assertThat(first.has("outcome")).isFalse();
    JsonNode second = run(story, failed.at("/testRunIds/1").asString());
    assertThat(second.path("status").asString()).isEqualTo("FAILED");
    assertThat(second.path("outcome").asString()).isEqualTo("The status ci failed.");
    assertThat(second.path("endedAt")).isEqualTo(failed.path("endedAt"));
  }

  private static JsonNode run(QueueStory story, String id) {
    return story
        .queue
        .ok("getMergeQueueTestingDetails", "'testRunId':'%s'".formatted(id))
        .at("/testRuns/0");
  }

  @Test
  void submissions_are_listed_by_reason_and_by_the_time_of_their_last_change() {
    Instant began = CLOCK.instant();
    QueueStory story = failedAndMerged();
    Instant failed = began.plus(Duration.ofMinutes(15));
    Instant merged = began.plus(Duration.ofMinutes(65));
    assertThat(listed(story, "'reasonCode':'TEST_FAILED'")).containsExactly("FAILED");
    assertThat(listed(story, "'reasonCode':'merged_by_queue'")).containsExactly("MERGED");
    assertThat(listed(story, "'reasonCode':'closed'")).isEmpty();
    assertThat(listed(story, "'until':'%s'".formatted(merged))).containsExactly("FAILED");
    assertThat(listed(story, "'until':'%s'".formatted(failed))).isEmpty();
    assertThat(listed(story, "'since':'%s'".formatted(failed))).containsExactly("MERGED", "FAILED");
    assertThat(listed(story, "'since':'%s','until':'%s'".formatted(failed, failed.plusMillis(1))))
        .containsExactly("FAILED");
    assertThat(faults(story.queue.call("listPullRequests", "'reasonCode':'bored','until':'today'")))
        .containsExactlyInAnyOrder("reasonCode", "until");
  }

  private static List<String> listed(QueueStory story, String wanted) {
    return story
        .queue
        .ok("listPullRequests", wanted)
        .path("pullRequests")
        .valueStream()
        .map(pr -> pr.path("state").asString())
        .toList();
  }

  @Test
  void some_of_its_impacted_targets_are_told_where_they_are_known() {
    QueueStory story = new QueueStory(node, dir).begin("'mode':'parallel'");
    story.git.open(7, "cart", "1");
    story.submit(7);
    assertThat(targets(story).isMissingNode()).isTrue();
    var names = new StringBuilder("'//part0'");
    for (int i = 1; i < 101; i++) {
      names.append(",'//part%d'".formatted(i));
    }
    story.queue.ok("setImpactedTargets", 7, "'impactedTargets':[%s]".formatted(names));
    assertThat(targets(story).size()).isEqualTo(100);
    story.queue.ok("setImpactedTargets", 7, "'impactedTargets':'ALL'");
    assertThat(targets(story).asString()).isEqualTo("ALL");
    assertThat(story.show(7).has("impactedTargets")).isFalse();
  }

  private static JsonNode targets(QueueStory story) {
    return story.queue.ok("getPullRequestHistory", 7).at("/pullRequest/impactedTargets");
  }

  @Test
  void who_was_never_submitted_has_no_story_and_others_hear_none() {
    QueueStory story = new QueueStory(node, dir).begin("");
    story.git.open(7, "cart", "1");
    story.submit(7);
    QueueCalls queue = story.queue;
    refused(queue.call("getPullRequestHistory", 8), 404, "pull_request_not_found");
    var reader = new QueueCalls(node, KEYS.with(Scope.READ), queue.repo(), "main");
    assertThat(reader.ok("getPullRequestHistory", 7).path("submissions").size()).isEqualTo(1);
    var foreign = new QueueCalls(node, KEYS.foreign(), queue.repo(), "main");
    refused(foreign.call("getPullRequestHistory", 7), 404, "queue_not_found");
    var uploader = new QueueCalls(node, KEYS.with(Scope.UPLOAD), queue.repo(), "main");
    refused(uploader.call("getPullRequestHistory", 7), 403, "insufficient_scope");
    assertThat(faults(queue.call("getPullRequestHistory", "'pr':{'number':0}")))
        .containsExactly("pr.number");
  }
}
