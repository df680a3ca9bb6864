package dev.mainstay.server.queue;

import static dev.mainstay.server.queue.QueueScene.required;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.CheckState;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.QueueLifecycle;
import dev.mainstay.core.queue.QueueSettings;
import dev.mainstay.core.queue.Stall;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Why queues stall, and after how long. */
class StallTest {
  @TempDir private Path directory;
  private QueueScene scene;

  @BeforeEach
  void start() {
    scene = new QueueScene(directory);
  }

  @AfterEach
  void stop() {
    scene.close();
  }

  private Optional<Stall> after(Duration more) {
    scene.clock.advance(more);
    scene.node().rooms.stalls.round();
    return scene.queues().find(scene.main).orElseThrow().stall();
  }

  private void tested(int number) {
    scene.repository.open(number, "change " + number);
    scene.submit(number);
    scene.node().runUntil(() -> scene.runs().stream().anyMatch(r -> r.testBranchSha().isPresent()));
  }

  private void becomes(QueueLifecycle lifecycle) {
    scene.queues().update(scene.main, settings -> settings, false, Optional.of(lifecycle));
  }

  @Test
  void a_silent_check_is_named_and_a_paused_queue_says_so() {
    scene.connect(Optional.empty());
    scene.create(required("ci"));
    tested(1);
    assertThat(after(Duration.ofMinutes(29))).isEmpty();
    Stall stall = after(Duration.ofMinutes(2)).orElseThrow();
    assertThat(stall.cause()).isEqualTo(Stall.Cause.CHECK_MISSING);
    assertThat(stall.sentence()).contains("ci").contains("#1");

    becomes(QueueLifecycle.PAUSED);
    assertThat(after(Duration.ZERO)).isEmpty();
    assertThat(after(Duration.ofMinutes(31)).orElseThrow().sentence())
        .isEqualTo("The queue is paused, and 1 pull request waits.");
    scene.queues().pullRequests().cancel(scene.main, new PullRequestRef(1));
    assertThat(after(Duration.ofMinutes(31))).isEmpty();
    scene.checkReplay();
  }

  @Test
  void a_queue_with_a_history_is_measured_by_it() {
    scene.connect(Optional.empty());
    scene.create(required("ci"));
    for (int number = 1; number <= 5; number++) {
      int pr = number;
      tested(pr);
      scene.clock.advance(Duration.ofMinutes(20));
      scene.report(CheckState.SUCCESS);
      scene.node().runUntil(() -> scene.state(pr) == PullRequestState.MERGED);
    }
    tested(6);
    scene.report(CheckState.PENDING);
    assertThat(after(Duration.ofMinutes(39))).isEmpty();
    Stall stall = after(Duration.ofMinutes(3)).orElseThrow();
    assertThat(stall.cause()).isEqualTo(Stall.Cause.TESTS_RUNNING);
    assertThat(stall.sentence()).contains("#6").contains("95 of 100 end within 21 minutes");
  }

  @Test
  void a_batch_may_be_waited_for_as_long_as_its_setting_says() {
    scene.connect(Optional.empty());
    QueueSettings.Builder batches = required("ci").edit().batch(true).batchingMinSize(3);
    scene.create(batches.batchingMaxWaitTimeMinutes(60).build());
    scene.repository.open(1, "change 1");
    scene.submit(1);
    scene.node().runUntil(() -> scene.state(1) == PullRequestState.PENDING);
    assertThat(after(Duration.ofMinutes(59))).isEmpty();
  }

  @Test
  void a_forge_that_does_not_answer_is_named() throws Exception {
    scene.connect(Optional.empty());
    scene.create(required("ci"));
    tested(1);
    Path there = Path.of(scene.repository.address());
    Files.move(there, directory.resolve("elsewhere"));
    scene.node().runUntil(() -> scene.fault().isPresent());
    Stall stall = after(Duration.ofMinutes(31)).orElseThrow();
    assertThat(stall.cause()).isEqualTo(Stall.Cause.FORGE_UNREACHABLE);
    assertThat(stall.sentence()).contains("There is no git repository");
  }

  @Test
  void a_test_command_that_no_node_takes_waits_for_a_place() throws Exception {
    Path go = directory.resolve("go");
    scene.connect(Optional.of("until [ -e " + go + " ]; do sleep 0.1; done"));
    scene.create(QueueSettings.defaults());
    scene.repository.open(1, "change 1");
    scene.submit(1);
    while (scene.count("SELECT count(*) FROM test_command_run") == 0) {
      scene.node().rooms.watches.round().forEach(QueueNode::join);
      scene.node().begin().forEach(QueueNode::join);
      scene.clock.advance(Duration.ofSeconds(1));
    }
    Stall stall = after(Duration.ofMinutes(31)).orElseThrow();
    assertThat(stall.sentence()).isEqualTo("No node has a place free for the test command of #1.");

    becomes(QueueLifecycle.RUNNING);
    scene.node().round();
    assertThat(after(Duration.ofMinutes(31)).orElseThrow().cause())
        .isEqualTo(Stall.Cause.TESTS_RUNNING);
    Files.createFile(go);
    scene.node().awaitCommands();
  }
}
