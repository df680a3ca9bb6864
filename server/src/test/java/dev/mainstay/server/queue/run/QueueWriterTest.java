package dev.mainstay.server.queue.run;

import static dev.mainstay.server.queue.QueueScene.required;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.Priority;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.server.queue.QueueNode;
import dev.mainstay.server.queue.QueueScene;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests that are planned while the transaction before them is still written. */
class QueueWriterTest {
  @TempDir private Path directory;
  private QueueScene scene;
  private QueueRunner runner;
  private long queue;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  /** The number of open entries each time a proposal was planned. */
  private final BlockingQueue<Integer> planned = new LinkedBlockingQueue<>();

  private final CountDownLatch isWritten = new CountDownLatch(1);
  private final CountDownLatch mayCommit = new CountDownLatch(1);

  @BeforeEach
  void start() {
    scene = new QueueScene(directory);
    scene.create(required("ci"));
    runner = scene.node().rooms.runner;
    queue = scene.count("SELECT id FROM merge_queue");
    assertThat(runner.accept(queue, submission(1))).isPresent();
    planned.clear();
  }

  @AfterEach
  void stop() {
    threads.close();
    scene.close();
  }

  private Proposal submission(int number) {
    return Proposal.of(
        state -> {
          planned.add(state.entries().size());
          return List.of(submitted(number));
        });
  }

  private static QueueEvent submitted(int number) {
    return new QueueEvent.Submitted(
        new PullRequestRef(number), Priority.DEFAULT, false, Optional.empty(), Optional.empty());
  }

  /** A proposal whose transaction stays open until {@code mayCommit}. */
  private Proposal slow(int number) {
    return submission(number)
        .also(
            handle -> {
              isWritten.countDown();
              await(mayCommit);
            });
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(5, TimeUnit.MINUTES)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private Integer nextPlanned() throws InterruptedException {
    return Optional.ofNullable(planned.poll(5, TimeUnit.MINUTES)).orElseThrow();
  }

  private Future<Optional<Proposal.Accepted>> accept(Proposal request) {
    return threads.submit(() -> runner.accept(queue, request));
  }

  private List<Integer> numbers() {
    QueueState state = runner.find(scene.main).orElseThrow().state();
    return state.entries().values().stream().map(e -> e.pr().number()).toList();
  }

  @Test
  void who_comes_while_another_is_written_is_planned_on_top_and_shares_the_next_transaction()
      throws Exception {
    Future<Optional<Proposal.Accepted>> first = accept(slow(2));
    await(isWritten);
    Future<Optional<Proposal.Accepted>> second = accept(submission(3));
    assertThat(List.of(nextPlanned(), nextPlanned())).containsExactly(1, 2);
    Future<Optional<Proposal.Accepted>> third = accept(submission(4));
    assertThat(nextPlanned()).isEqualTo(3);
    assertThat(List.of(first, second, third)).noneMatch(Future::isDone);
    mayCommit.countDown();
    assertThat(first.get().orElseThrow().after().state().entries().size()).isEqualTo(2);
    assertThat(second.get().orElseThrow().committed()).isEqualTo(third.get().orElseThrow().after());
    assertThat(numbers()).containsExactly(1, 2, 3, 4);
    assertThat(planned).isEmpty();
    assertThat(scene.count("SELECT count(*) FROM queue_event WHERE NOT whole")).isEqualTo(3);
    scene.checkReplay();
  }

  @Test
  void one_whose_listener_fails_is_written_once_and_all_callers_hear_of_it() throws Exception {
    Future<Optional<Proposal.Accepted>> first = accept(slow(2));
    await(isWritten);
    Future<Optional<Proposal.Accepted>> second =
        accept(
            submission(3)
                .then(
                    () -> {
                      throw new IllegalStateException("broken on purpose");
                    }));
    assertThat(List.of(nextPlanned(), nextPlanned())).containsExactly(1, 2);
    Future<Optional<Proposal.Accepted>> third = accept(submission(4));
    assertThat(nextPlanned()).isEqualTo(3);
    mayCommit.countDown();
    assertThat(first.get()).isPresent();
    assertThat(second.get().orElseThrow().after().state().entries().size()).isEqualTo(3);
    assertThat(third.get()).isPresent();
    assertThat(planned).as("nothing was planned again").isEmpty();
    assertThat(scene.count("SELECT count(*) FROM queue_event WHERE NOT whole")).isEqualTo(3);
    scene.checkReplay();
  }

  @Test
  void what_was_planned_on_top_of_one_that_failed_is_planned_again() throws Exception {
    Future<Optional<Proposal.Accepted>> first =
        accept(
            slow(2)
                .also(
                    handle -> {
                      throw new IllegalStateException("broken on purpose");
                    }));
    await(isWritten);
    Future<Optional<Proposal.Accepted>> second = accept(submission(3));
    assertThat(List.of(nextPlanned(), nextPlanned())).containsExactly(1, 2);
    mayCommit.countDown();
    assertThatThrownBy(first::get)
        .isInstanceOf(ExecutionException.class)
        .hasMessageContaining("broken on purpose");
    assertThat(second.get()).isPresent();
    assertThat(nextPlanned()).isEqualTo(1);
    assertThat(numbers()).containsExactly(1, 3);
    scene.checkReplay();
  }

  @Test
  void what_another_node_did_meanwhile_is_planned_again() throws Exception {
    QueueNode other = scene.node(forge -> forge);
    assertThat(other.rooms.runner.accept(queue, submission(2))).isPresent();
    assertThat(nextPlanned()).isEqualTo(1);
    assertThat(runner.accept(queue, submission(3))).isPresent();
    assertThat(List.of(nextPlanned(), nextPlanned())).containsExactly(1, 2);
    assertThat(numbers()).containsExactly(1, 2, 3);
    scene.checkReplay();
  }

  /** Two states of one version: the one that was expected, and the one that another node made. */
  @Test
  void a_plan_is_not_written_onto_another_state_of_the_same_version() throws Exception {
    QueueNode other = scene.node(forge -> forge);
    var othersTurn = new CountDownLatch(1);
    var othersDone = new CountDownLatch(1);
    Future<Optional<Proposal.Accepted>> first =
        accept(
            Proposal.of(
                    state -> {
                      othersTurn.countDown();
                      await(othersDone);
                      boolean free = state.entry(new PullRequestRef(3)).isEmpty();
                      return free ? List.of(submitted(2)) : List.of();
                    })
                .also(
                    handle -> {
                      isWritten.countDown();
                      await(mayCommit);
                    }));
    await(othersTurn);
    assertThat(other.rooms.runner.accept(queue, submission(3))).isPresent();
    planned.clear();
    othersDone.countDown();
    await(isWritten);
    Future<Optional<Proposal.Accepted>> second = accept(submission(4));
    assertThat(nextPlanned()).isEqualTo(2);
    mayCommit.countDown();
    assertThat(first.get()).isPresent();
    assertThat(second.get()).isPresent();
    assertThat(numbers()).containsExactly(1, 3, 4);
    scene.checkReplay();
  }

  @Test
  void what_changes_nothing_is_true_of_the_queue_as_it_is() throws Exception {
    QueueNode other = scene.node(forge -> forge);
    assertThat(other.rooms.runner.accept(queue, submission(2))).isPresent();
    Optional<Proposal.Accepted> nothing = runner.accept(queue, Proposal.of(state -> List.of()));
    assertThat(nothing.orElseThrow().before().state().entries().size()).isEqualTo(2);
  }

  @Test
  void an_error_strikes_only_who_causes_it() throws Exception {
    Future<Optional<Proposal.Accepted>> first = accept(slow(2));
    await(isWritten);
    Future<Optional<Proposal.Accepted>> bad =
        accept(
            Proposal.of(
                state -> {
                  planned.add(-1);
                  throw new StackOverflowError("broken on purpose");
                }));
    Future<Optional<Proposal.Accepted>> good = accept(submission(3));
    mayCommit.countDown();
    assertThat(first.get()).isPresent();
    assertThat(good.get()).isPresent();
    assertThatThrownBy(bad::get).hasStackTraceContaining("broken on purpose");
    assertThat(planned).contains(-1);
    assertThat(numbers()).containsExactly(1, 2, 3);
    assertThat(runner.accept(queue, submission(4))).isPresent();
    scene.checkReplay();
  }
}
