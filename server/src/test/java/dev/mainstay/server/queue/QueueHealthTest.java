package dev.mainstay.server.queue;

import static dev.mainstay.server.Waiting.until;
import static dev.mainstay.server.queue.QueueCalls.faults;
import static dev.mainstay.server.queue.QueueCalls.refused;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

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
import java.util.Random;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** How queues have done over a time, against what happened in them. */
class QueueHealthTest {
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

  private static JsonNode health(QueueStory story, Instant from) {
    CLOCK.advance(Duration.ofSeconds(1));
    return story.queue.ok("getQueueHealth", "'step':'hour','from':'%s'".formatted(from));
  }

  private static List<JsonNode> runs(QueueStory story) {
    return story
        .queue
        .ok("getMergeQueueTestingDetails")
        .path("testRuns")
        .valueStream()
        .filter(run -> !run.path("testBranchSha").asString().isEmpty())
        .toList();
  }

  private static JsonNode enqueued(QueueStory story) {
    return story.queue.ok("getQueue").path("enqueuedPullRequests");
  }

  private static void allPass(QueueStory story) {
    until(
        () -> {
          runs(story).forEach(run -> story.report(run, "SUCCESS"));
          JsonNode left = enqueued(story);
          if (left.valueStream().anyMatch(QueueHealthTest::isAskedForLater)) {
            CLOCK.advance(Duration.ofMinutes(1));
          }
          return left;
        },
        JsonNode::isEmpty);
  }

  /** Whatever happens to pull requests, the numbers are those of their stories. */
  @Test
  void the_parts_of_the_time_in_queue_add_up_whatever_happens() {
    long seed = System.nanoTime();
    var random = new Random(seed);
    QueueStory story = new QueueStory(node, dir).begin("'concurrency':2");
    Instant began = CLOCK.instant();
    int submitted = 0;
    for (int i = 0; i < 60; i++) {
      if (submitted == 0 || random.nextInt(4) == 0) {
        story.git.open(++submitted, "1");
        story.submit(submitted);
      } else {
        happens(story, random, submitted);
      }
      CLOCK.advance(Duration.ofSeconds(1 + random.nextInt(600)));
    }
    story.queue.ok("updateQueue", "'state':'RUNNING'");
    story.look();
    allPass(story);
    agrees(story, began, submitted, "seed " + seed);
  }

  /** The clock may have run ahead of git: a test branch that was late by it is asked for again. */
  private static boolean isAskedForLater(JsonNode pr) {
    return pr.path("state").asString().equals("PENDING")
        && pr.at("/reason/code").asString().equals("forge_unavailable");
  }

  private static void happens(QueueStory story, Random random, int submitted) {
    int pr = 1 + random.nextInt(submitted);
    List<JsonNode> runs = runs(story);
    switch (random.nextInt(10)) {
      case 0, 1, 2 -> runs.stream().limit(1).forEach(run -> story.report(run, "SUCCESS"));
      case 3 -> runs.forEach(run -> story.report(run, "SUCCESS"));
      case 4 -> runs.stream().skip(1).forEach(run -> story.report(run, "FAILURE"));
      case 5 -> story.queue.call("restartTestsOnPullRequest", pr);
      case 6 -> story.queue.call("cancelPullRequest", pr);
      case 7 -> story.queue.ok("updateQueue", "'state':'PAUSED'");
      case 8 -> story.queue.ok("updateQueue", "'state':'RUNNING'");
      default -> {
        if (story.show(pr).path("isCurrentlySubmittedToQueue").asBoolean()) {
          story.git.open(pr, String.valueOf(random.nextInt()));
          story.look();
        }
      }
    }
  }

  private static void agrees(QueueStory story, Instant began, int submitted, String seed) {
    JsonNode health = health(story, began);
    JsonNode totals = health.path("totals");
    var all = new ArrayList<JsonNode>();
    for (int pr = 1; pr <= submitted; pr++) {
      story.queue.ok("getPullRequestHistory", pr).path("submissions").forEach(all::add);
    }
    assertThat(totals.path("entered").asInt()).as(seed).isEqualTo(submitted).isEqualTo(all.size());
    assertThat(totals.path("restarts").asLong())
        .as(seed)
        .isEqualTo(all.stream().mapToLong(QueueHealthTest::restarts).sum());
    List<TimeInQueue> merged =
        all.stream()
            .filter(s -> s.path("state").asString().equals("MERGED"))
            .map(TimeInQueue::of)
            .toList();
    assertThat(totals.path("merged").asInt()).as(seed).isPositive().isEqualTo(merged.size());
    for (TimeInQueue time : merged) {
      assertThat(time.waiting() + time.testing() + time.blocked())
          .as(seed)
          .isCloseTo(time.seconds(), within(0.001));
    }
    same(seed, totals.path("timeInQueueSeconds"), merged, TimeInQueue::seconds);
    same(seed, totals.path("waitingSeconds"), merged, TimeInQueue::waiting);
    same(seed, totals.path("testingSeconds"), merged, TimeInQueue::testing);
    same(seed, totals.path("blockedSeconds"), merged, TimeInQueue::blocked);
    double inQueue = all.stream().map(TimeInQueue::of).mapToDouble(TimeInQueue::seconds).sum();
    assertThat(seconds(health, "depthMean")).as(seed).isCloseTo(inQueue, within(slack(health)));
    List<JsonNode> tested =
        all.stream()
            .flatMap(s -> s.path("testRunIds").valueStream())
            .map(JsonNode::asString)
            .collect(toSet())
            .stream()
            .map(id -> run(story, id))
            .toList();
    assertThat(seconds(health, "slotsUsedMean"))
        .as(seed)
        .isCloseTo(
            tested.stream().mapToDouble(QueueHealthTest::lasted).sum(), within(slack(health)));
    assertThat(totals.path("builds").asLong())
        .as(seed)
        .isEqualTo(
            tested.stream().filter(r -> !r.path("testBranchSha").asString().isEmpty()).count());
    stepsAddUp(health, seed);
  }

  private static long restarts(JsonNode submission) {
    long tests =
        submission
            .path("transitions")
            .valueStream()
            .filter(t -> t.path("state").asString().equals("TESTING"))
            .count();
    return Math.max(0, tests - 1);
  }

  private static void same(
      String seed, JsonNode told, List<TimeInQueue> merged, ToDoubleFunction<TimeInQueue> part) {
    List<Double> each = merged.stream().map(part::applyAsDouble).toList();
    assertThat(told.path("p50").asDouble())
        .as(seed)
        .isCloseTo(TimeInQueue.percentile(each, 0.5), within(0.001));
    assertThat(told.path("p95").asDouble())
        .as(seed)
        .isCloseTo(TimeInQueue.percentile(each, 0.95), within(0.001));
  }

  private static JsonNode run(QueueStory story, String id) {
    return story
        .queue
        .ok("getMergeQueueTestingDetails", "'testRunId':'%s'".formatted(id))
        .at("/testRuns/0");
  }

  private static double lasted(JsonNode run) {
    return Duration.between(
            Instant.parse(run.path("createdAt").asString()),
            Instant.parse(run.path("endedAt").asString()))
        .toSeconds();
  }

  /** A level times the time it lasted, over all steps. */
  private static double seconds(JsonNode health, String level) {
    Instant end = Instant.parse(health.path("to").asString());
    double sum = 0;
    for (JsonNode step : health.path("steps")) {
      Instant at = Instant.parse(step.path("at").asString());
      long lasts = Math.min(3600, Duration.between(at, end).toSeconds());
      sum += step.path(level).asDouble() * lasts;
    }
    return sum;
  }

  /** Levels are told to the thousandth. */
  private static double slack(JsonNode health) {
    return 2 * (1 + health.path("steps").size());
  }

  private static void stepsAddUp(JsonNode health, String seed) {
    for (String number :
        new String[] {"entered", "merged", "failed", "cancelled", "restarts", "builds"}) {
      assertThat(health.path("steps").valueStream().mapToInt(s -> s.path(number).asInt()).sum())
          .as(number + ", " + seed)
          .isEqualTo(health.path("totals").path(number).asInt());
    }
    int left =
        health
            .path("steps")
            .valueStream()
            .flatMap(s -> s.path("left").valueStream())
            .mapToInt(l -> l.path("count").asInt())
            .sum();
    assertThat(health.path("reasons").valueStream().mapToInt(l -> l.path("count").asInt()).sum())
        .as(seed)
        .isEqualTo(left)
        .isEqualTo(
            health.at("/totals/merged").asInt()
                + health.at("/totals/failed").asInt()
                + health.at("/totals/cancelled").asInt());
  }

  @Test
  void batches_save_builds_and_bisections_cost_some() {
    QueueStory story =
        new QueueStory(node, dir)
            .begin("'batch':true,'batchingMinSize':3,'batchingMaxWaitTimeMinutes':60");
    Instant began = CLOCK.instant();
    batch(story, 1);
    allPass(story);
    JsonNode totals = health(story, began).path("totals");
    assertThat(totals.path("merged").asInt()).isEqualTo(3);
    assertThat(totals.path("builds").asInt()).isEqualTo(1);
    assertThat(totals.path("buildsSaved").asInt()).isEqualTo(2);
    assertThat(totals.path("buildsPerChange").asDouble()).isEqualTo(0.333);
    assertThat(totals.path("bisections").asInt()).isZero();
    CLOCK.advance(Duration.ofHours(1));
    batch(story, 4);
    until(() -> runs(story), runs -> !runs.isEmpty()).forEach(run -> story.report(run, "FAILURE"));
    until(() -> runs(story), runs -> runs.size() == 2);
    allPass(story);
    JsonNode health = health(story, began);
    JsonNode first = health.path("steps").get(0);
    JsonNode last = health.path("steps").get(health.path("steps").size() - 1);
    assertThat(first.path("buildsSaved").asInt()).isEqualTo(2);
    assertThat(first.path("bisections").asInt()).isZero();
    assertThat(last.path("merged").asInt()).isEqualTo(3);
    assertThat(last.path("bisections").asInt()).isEqualTo(1);
    assertThat(last.path("builds").asInt())
        .as("the batch, its two halves, and those once more, together or each alone")
        .isIn(4, 5);
    assertThat(last.path("buildsSaved").asInt()).as("they cost more than they saved").isZero();
    assertThat(health.at("/totals/bisections").asInt()).isEqualTo(1);
    assertThat(first.path("left").toString())
        .isEqualTo("[{\"code\":\"merged_by_queue\",\"count\":3}]");
    assertThat(first.path("depthMax").asInt()).isEqualTo(3);
    assertThat(first.path("slots").asInt()).isEqualTo(5);
  }

  private static void batch(QueueStory story, int first) {
    for (int pr = first; pr < first + 3; pr++) {
      story.git.open(pr, "1");
      story.submit(pr);
    }
    // Where the queue has not yet looked at its branch, they are let in a moment later.
    until(() -> runs(story), runs -> !runs.isEmpty());
    CLOCK.advance(Duration.ofMinutes(1));
  }

  @Test
  void a_quiet_queue_is_healthy_and_others_hear_nothing_of_it() {
    QueueStory story = new QueueStory(node, dir).begin("");
    QueueCalls queue = story.queue;
    JsonNode quiet = queue.ok("getQueueHealth");
    assertThat(quiet.path("steps").size()).isEqualTo(7);
    assertThat(quiet.path("step").asString()).isEqualTo("DAY");
    assertThat(quiet.path("reasons").isEmpty()).isTrue();
    assertThat(quiet.path("totals").has("timeInQueueSeconds")).isFalse();
    assertThat(quiet.path("totals").has("buildsPerChange")).isFalse();
    assertThat(faults(queue.call("getQueueHealth", "'from':'x','to':7,'step':'WEEK'")))
        .containsExactlyInAnyOrder("from", "to", "step");
    assertThat(faults(queue.call("getQueueHealth", "'from':'2024-01-01T00:00:00Z'")))
        .containsExactly("from");
    assertThat(faults(queue.call("getQueueHealth", "'from':'9999-12-31T23:59:59Z'")))
        .containsExactly("from");
    String ancient = "'from':'0000-01-01T00:00:00Z','to':'0000-01-01T05:00:00Z','step':'hour'";
    assertThat(queue.ok("getQueueHealth", ancient).path("steps").size()).isEqualTo(5);
    var foreign = new QueueCalls(node, KEYS.foreign(), queue.repo(), "main");
    refused(foreign.call("getQueueHealth"), 404, "queue_not_found");
    var uploader = new QueueCalls(node, KEYS.with(Scope.UPLOAD), queue.repo(), "main");
    refused(uploader.call("getQueueHealth"), 403, "insufficient_scope");
  }
}
