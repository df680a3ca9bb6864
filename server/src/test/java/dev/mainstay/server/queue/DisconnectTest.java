package dev.mainstay.server.queue;

import static dev.mainstay.server.queue.QueueScene.required;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.core.queue.CheckState;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.server.queue.FaultyForge.Moment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A repository that is disconnected while a merge is under way, by a node that then dies. */
class DisconnectTest {
  @TempDir private Path directory;
  private QueueScene scene;
  private final FaultyForge.Faults faults = new FaultyForge.Faults(1);
  private QueueNode dying;

  @BeforeEach
  void start() {
    scene = new QueueScene(directory);
    scene.connect(Optional.empty());
    scene.create(required("ci"));
    scene.repository.open(1, "one");
    dying = scene.node(forge -> new FaultyForge(forge, faults));
    scene.submit(1);
    scene.node().runUntil(() -> scene.repository.testBranches().size() == 1);
    scene.report(CheckState.SUCCESS);
  }

  @AfterEach
  void stop() {
    scene.close();
  }

  @ParameterizedTest
  @EnumSource(names = {"BEFORE_MERGE", "AFTER_MERGE"})
  void what_was_under_way_is_brought_to_its_end_and_the_connection_forgotten(Moment moment)
      throws Exception {
    dieWhileMerging(moment);
    disconnect();
    assertThat(scene.count("SELECT count(*) FROM repository_connection")).isEqualTo(1);
    assertThat(scene.queues().connections().find(scene.main.organizationId(), QueueScene.REPO))
        .isEmpty();
    scene.node().runUntil(() -> scene.state(1) == PullRequestState.MERGED);
    assertThat(scene.repository.subjects()).containsExactly("Change 1 (#1)", "Begin");
    assertThat(scene.count("SELECT count(*) FROM repository_connection")).isZero();
    scene.checkReplay();
  }

  @Test
  void what_nobody_has_begun_does_not_happen_any_more() {
    disconnect();
    assertThat(scene.count("SELECT count(*) FROM repository_connection")).isZero();
    scene.node().runUntil(() -> scene.count("SELECT count(*) FROM queue_action") == 0);
    assertThat(scene.repository.subjects()).containsExactly("Begin");
    assertThat(scene.state(1)).isNotEqualTo(PullRequestState.MERGED);
    scene.checkReplay();
  }

  @Test
  void what_cannot_be_learned_for_an_hour_is_given_up_and_the_queue_can_be_deleted()
      throws Exception {
    dieWhileMerging(Moment.AFTER_MERGE);
    Files.move(Path.of(scene.repository.address()), directory.resolve("away.git"));
    disconnect();
    scene.node().round();
    assertThat(scene.state(1)).isEqualTo(PullRequestState.TESTS_PASSED);

    scene.clock.advance(Duration.ofMinutes(58));
    scene.node().round();
    assertThat(scene.state(1)).isEqualTo(PullRequestState.TESTS_PASSED);

    scene.clock.advance(Duration.ofMinutes(3));
    scene.node().runUntil(() -> scene.state(1) == PullRequestState.FAILED);
    assertThat(scene.view(1).reason().sentence()).contains("disconnected before it was known");
    assertThat(scene.count("SELECT count(*) FROM repository_connection")).isZero();
    scene.checkReplay();
    assertThat(scene.queues().delete(scene.main)).isInstanceOf(Outcomes.Deleted.class);
  }

  @Test
  void connected_again_the_same_merge_is_found() throws Exception {
    dieWhileMerging(Moment.AFTER_MERGE);
    disconnect();
    scene.connect(Optional.empty());
    scene.node().runUntil(() -> scene.state(1) == PullRequestState.MERGED);
    assertThat(scene.repository.subjects()).containsExactly("Change 1 (#1)", "Begin");
    assertThat(scene.count("SELECT count(*) FROM repository_connection")).isEqualTo(1);
    scene.node().runUntil(() -> scene.repository.testBranches().isEmpty());
  }

  /**
   * Lets the node die in a merge: its thread hangs on for ever, and without its session it is as
   * good as dead.
   */
  private void dieWhileMerging(Moment moment) throws InterruptedException {
    FaultyForge.Hanging hanging = faults.hang(moment);
    List<Thread> begun = dying.begin();
    assertThat(begun).isNotEmpty();
    hanging.there().await();
    dying.endSession();
  }

  private void disconnect() {
    assertThat(
            scene.queues().connections().disconnect(scene.main.organizationId(), QueueScene.REPO))
        .isTrue();
    assertThat(
            scene.queues().connections().disconnect(scene.main.organizationId(), QueueScene.REPO))
        .isFalse();
  }
}
