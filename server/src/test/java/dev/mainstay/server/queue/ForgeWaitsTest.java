package dev.mainstay.server.queue;

import static dev.mainstay.server.queue.QueueScene.required;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.QueueSettings;
import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.queue.FaultyForge.Act;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A forge that says when to ask again is not asked before, and nothing is given up for it. */
class ForgeWaitsTest {
  @TempDir private Path directory;
  private QueueScene scene;
  private final FaultyForge.Faults faults = new FaultyForge.Faults(1);
  private QueueNode node;

  @BeforeEach
  void start() {
    scene = new QueueScene(directory);
    node = scene.node(forge -> new FaultyForge(forge, faults));
    scene.repository.open(1, "one");
  }

  @AfterEach
  void stop() {
    scene.close();
  }

  private void begin(QueueSettings settings, Optional<String> command) {
    scene.connect(command);
    scene.create(settings);
    node.round();
  }

  private void askFor(Duration wait) {
    for (Act act : Act.values()) {
      faults.refuse(act, () -> limit(wait));
    }
  }

  private static ForgeUnavailable limit(Duration wait) {
    return ForgeUnavailable.untilAfter("The limit is reached.", wait);
  }

  /** Rounds every minute; returns how many calls came to the forge. */
  private int callsIn(Duration time) {
    int before = faults.calls();
    for (long minute = 0; minute < time.toMinutes(); minute++) {
      node.round();
      scene.clock.advance(Duration.ofSeconds(59));
    }
    return faults.calls() - before;
  }

  @Test
  void neither_looks_nor_actions_come_before_the_time() {
    begin(required("ci"), Optional.empty());
    scene.submit(1);
    scene.clock.advance(Duration.ofSeconds(10));
    askFor(Duration.ofMinutes(20));
    assertThat(callsIn(Duration.ofMinutes(1))).as("the look").isEqualTo(1);
    assertThat(callsIn(Duration.ofMinutes(18))).isZero();
    scene.queues().connections().hook(scene.main.organizationId(), QueueScene.REPO);
    assertThat(node.rooms.watches.round()).as("not even when asked for").isEmpty();
    assertThat(callsIn(Duration.ofMinutes(1))).isZero();
    faults.refuseNothing();
    assertThat(callsIn(Duration.ofMinutes(2))).isPositive();
    assertThat(scene.repository.testBranches()).hasSize(1);
  }

  @Test
  void a_test_branch_is_not_given_up_however_often_it_has_to_wait() {
    begin(required("ci"), Optional.empty());
    scene.submit(1);
    String run = scene.runs().getFirst().id();
    faults.refuse(Act.WRITE, () -> limit(Duration.ofMinutes(2)));
    assertThat(callsIn(Duration.ofMinutes(25))).isGreaterThan(10);
    assertThat(scene.runs().getFirst().id()).isEqualTo(run);
    faults.refuseNothing();
    callsIn(Duration.ofMinutes(3));
    assertThat(scene.repository.testBranches().getFirst()).endsWith(run);
  }

  @Test
  void no_wait_is_longer_than_an_hour() {
    begin(required("ci"), Optional.empty());
    scene.clock.advance(Duration.ofSeconds(10));
    askFor(Duration.ofDays(3));
    assertThat(callsIn(Duration.ofHours(10))).isBetween(9, 10);
  }

  @Test
  void a_test_command_waits_as_long() {
    begin(QueueSettings.defaults(), Optional.of("true"));
    scene.submit(1);
    node.rooms.actions.round(() -> {}).forEach(QueueNode::join);
    faults.refuse(Act.READ, () -> limit(Duration.ofHours(2)));
    node.rooms.commands.round(() -> {});
    node.awaitCommands();
    int before = faults.calls();
    scene.clock.advance(Duration.ofMinutes(59));
    node.rooms.commands.round(() -> {});
    node.awaitCommands();
    assertThat(faults.calls()).isEqualTo(before);
    faults.refuseNothing();
    scene.clock.advance(Duration.ofMinutes(2));
    node.runUntil(() -> scene.state(1) == PullRequestState.MERGED);
  }
}
