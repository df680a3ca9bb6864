package dev.mainstay.server.queue;

import static dev.mainstay.server.queue.QueueScene.required;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.core.queue.CheckState;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.QueueSettings;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.queue.FaultyForge.Moment;
import dev.mainstay.server.queue.store.ActionStore;
import dev.mainstay.server.queue.work.ActionWorker;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The work that a node has in hand is free as soon as its session with the database ends, without
 * waiting for a lease; and a node that lives on without its session does no harm. The clock stands
 * still.
 */
class PresenceTest {
  @TempDir private Path directory;
  private QueueScene scene;
  private final FaultyForge.Faults faults = new FaultyForge.Faults(1);
  private QueueNode lost;

  @BeforeEach
  void start() {
    scene = new QueueScene(directory);
    scene.connect(Optional.empty());
    scene.create(required("ci"));
    scene.repository.open(1, "one");
    scene.repository.open(2, "two");
    lost = scene.node(forge -> new FaultyForge(forge, faults));
  }

  @AfterEach
  void stop() {
    scene.close();
  }

  @Test
  void a_merge_is_taken_over_when_the_session_ends_and_a_late_push_changes_nothing()
      throws Exception {
    scene.submit(1);
    scene.node().runUntil(() -> scene.repository.testBranches().size() == 1);
    scene.report(CheckState.SUCCESS);
    FaultyForge.Hanging hanging = faults.hang(Moment.BEFORE_MERGE);
    List<Thread> begun = lost.begin();
    hanging.there().await();
    standStill(scene.node());
    assertThat(scene.state(1)).isEqualTo(PullRequestState.TESTS_PASSED);

    lost.endSession();
    standStill(scene.node());
    assertThat(scene.state(1)).isEqualTo(PullRequestState.MERGED);
    scene.submit(2);
    scene.node().runUntil(reported(2));

    hanging.letGo().countDown();
    join(begun);
    assertThat(scene.repository.subjects())
        .containsExactly("Change 2 (#2)", "Change 1 (#1)", "Begin");
    scene.node().runUntil(this::nothingIsLeft);
    scene.checkReplay();
  }

  @Test
  void a_branch_that_two_nodes_built_is_tested_once() throws Exception {
    scene.connect(Optional.of("true"));
    scene.queues().update(scene.main, PresenceTest::byCommand, false, Optional.empty());
    lost.round();
    FaultyForge.Hanging hanging = faults.hang(Moment.AFTER_BUILD);
    scene.submit(1);
    List<Thread> begun = lost.begin();
    hanging.there().await();
    lost.endSession();
    scene.node().runUntil(() -> scene.state(1) == PullRequestState.MERGED);

    hanging.letGo().countDown();
    join(begun);
    assertThat(scene.count("SELECT count(*) FROM test_command_run")).isZero();
    scene.node().runUntil(this::nothingIsLeft);
    scene.checkReplay();
  }

  @Test
  void who_lost_its_session_comes_back_under_another_number_and_works_on() throws Exception {
    scene.submit(1);
    scene.node().runUntil(() -> scene.repository.testBranches().size() == 1);
    scene.report(CheckState.SUCCESS);
    FaultyForge.Hanging hanging = faults.hang(Moment.BEFORE_MERGE);
    List<Thread> begun = lost.begin();
    hanging.there().await();
    Optional<Integer> before = lost.rooms.presence.node();
    lost.endSession();

    assertThat(lost.begin()).as("it has this one in hand").isEmpty();
    assertThat(lost.rooms.presence.node()).isPresent().isNotEqualTo(before);
    scene.clock.advance(ActionWorker.LEASE.minusSeconds(1));
    lost.begin();
    scene.clock.advance(Duration.ofSeconds(2));
    standStill(scene.node());
    assertThat(scene.state(1)).as("it renews").isEqualTo(PullRequestState.TESTS_PASSED);
    hanging.letGo().countDown();
    join(begun);
    assertThat(scene.state(1)).isEqualTo(PullRequestState.MERGED);
    assertThat(scene.count("SELECT count(*) FROM node")).isEqualTo(2);
  }

  @Test
  void who_is_not_there_takes_nothing() {
    scene.submit(1);
    QueueNode absent = scene.node(forge -> forge);
    assertThat(absent.rooms.watches.round()).isEmpty();
    assertThat(absent.rooms.actions.round(() -> {})).isEmpty();
    absent.rooms.presence.round();
    List<Thread> begun = absent.rooms.watches.round();
    assertThat(begun).hasSize(1);
    join(begun);
  }

  @Test
  void what_a_dead_node_looked_at_or_tested_is_due_at_once() {
    scene.connect(Optional.of("true"));
    scene.queues().update(scene.main, PresenceTest::byCommand, false, Optional.empty());
    scene.submit(1);
    scene.node().runUntil(() -> scene.count("SELECT count(*) FROM test_command_run") == 1);
    for (String lease :
        List.of("test_command_run SET due_at", "repository_connection SET look_at")) {
      scene
          .node()
          .database
          .useTransaction(
              h ->
                  h.execute(
                      "UPDATE " + lease + " = ?, node = -1",
                      scene.clock.instant().plus(Duration.ofDays(1))));
    }
    scene.repository.push("new", "content");
    QueueNode other = scene.node(forge -> forge);
    other.runUntil(() -> scene.state(1) == PullRequestState.MERGED);
    assertThat(scene.repository.subjects()).containsExactly("Change 1 (#1)", "Push new", "Begin");
    scene.checkReplay();
  }

  /** Two that wait for each other's rows would be a deadlock. */
  @Test
  void renewing_waits_for_nobody_who_is_about_to_end_an_action() {
    scene.node().round();
    scene.submit(1);
    scene.submit(2);
    Database database = scene.node().database;
    Instant now = scene.clock.instant();
    List<ActionStore.Taken> taken =
        database.inTransaction(
            h -> ActionStore.take(h, 1, now, ActionWorker.LEASE, Set.of(), 9, 9));
    assertThat(taken).hasSize(2);
    Instant until = now.plus(ActionWorker.LEASE).plusSeconds(1);
    database.useTransaction(
        ending -> {
          ActionStore.done(ending, taken.getFirst().queueId(), taken.getFirst().action().id());
          elsewhere(
              () ->
                  database.useTransaction(
                      renewing -> {
                        renewing.execute("SET LOCAL lock_timeout = '1s'");
                        ActionStore.renew(renewing, taken, until);
                      }));
        });
    List<Instant> due =
        database.query(
            h -> h.select("SELECT due_at FROM queue_action").mapTo(Instant.class).list());
    assertThat(due).containsExactly(until);
  }

  /** A thread has one transaction at a time. */
  private static void elsewhere(Runnable work) {
    CompletableFuture.runAsync(work, task -> Thread.ofVirtual().start(task)).join();
  }

  /** A round in no time, so that no lease ends. */
  private static void standStill(QueueNode node) {
    node.rooms.presence.round();
    join(node.rooms.actions.round(() -> {}));
  }

  private BooleanSupplier reported(int number) {
    return () -> {
      scene.report(CheckState.SUCCESS);
      return scene.state(number) == PullRequestState.MERGED;
    };
  }

  private boolean nothingIsLeft() {
    return scene.repository.testBranches().isEmpty()
        && scene.count("SELECT count(*) FROM queue_action") == 0;
  }

  private static QueueSettings byCommand(QueueSettings settings) {
    return settings.edit().requiredStatuses(Optional.empty()).build();
  }

  private static void join(List<Thread> threads) {
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
