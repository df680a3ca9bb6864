package dev.mainstay.server.queue;

import static dev.mainstay.server.queue.QueueScene.required;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.CheckState;
import dev.mainstay.core.queue.Priority;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.server.queue.run.Proposal;
import dev.mainstay.server.queue.run.QueueRunner;
import dev.mainstay.server.queue.work.ActionWorker;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Forges that fail, hang and answer twice, nodes that die or are cut off, many at once: nothing is
 * lost, nothing lands twice, no branch is left, and the event log leads to the state there is.
 */
class QueueFaultsTest {
  private static final int PULL_REQUESTS = 6;

  @TempDir private Path directory;
  private QueueScene scene;

  @BeforeEach
  void start() {
    scene = new QueueScene(directory);
    scene.connect(Optional.empty());
    scene.create(required("ci"));
    for (int number = 1; number <= PULL_REQUESTS; number++) {
      scene.repository.open(number, "content");
    }
    scene.node().round();
  }

  @AfterEach
  void stop() {
    scene.close();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void a_forge_that_fails_and_does_things_twice_loses_nothing(long seed) {
    var faults = new FaultyForge.Faults(seed);
    QueueNode node = scene.node(forge -> new FaultyForge(forge, faults));
    faults.fail(4);
    submitAll();
    node.runUntil(this::reportedAndEmpty);
    faults.fail(0);
    checkTheEnd(node);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void a_node_that_dies_in_the_middle_is_replaced_by_another(long seed) {
    var faults = new FaultyForge.Faults(seed);
    QueueNode dying = scene.node(forge -> new FaultyForge(forge, faults));
    faults.kill(true);
    submitAll();
    for (int i = 0; i < 40 && !reportedAndEmpty(); i++) {
      faults.fail(7);
      dying.round();
      faults.fail(0);
      dying.endSession();
      scene.node().round();
    }
    checkTheEnd(scene.node());
  }

  @Test
  void three_nodes_do_everything_once() throws Exception {
    var faults = new FaultyForge.Faults(3);
    faults.fail(2);
    List<QueueNode> nodes =
        IntStream.range(0, 3)
            .mapToObj(i -> scene.node(forge -> new FaultyForge(forge, faults)))
            .toList();
    List<Callable<Boolean>> work = new ArrayList<>();
    for (QueueNode node : nodes) {
      work.add(
          () -> {
            for (int number = 1; number <= PULL_REQUESTS; number++) {
              node.queues
                  .pullRequests()
                  .submit(
                      scene.main, new PullRequestRef(number), Optional.empty(), Optional.empty());
            }
            return true;
          });
    }
    together(work);
    assertThat(scene.count("SELECT count(*) FROM pull_request")).isEqualTo(PULL_REQUESTS);
    together(
        nodes.stream()
            .<Callable<Boolean>>map(
                node ->
                    () -> {
                      node.runUntil(this::reportedAndEmpty);
                      return true;
                    })
            .toList());
    faults.fail(0);
    checkTheEnd(scene.node());
  }

  @Test
  void a_node_that_is_cut_off_after_its_merge_does_no_harm() throws Exception {
    var faults = new FaultyForge.Faults(1);
    QueueNode slow = scene.node(forge -> new FaultyForge(forge, faults));
    scene.submit(1);
    slow.runUntil(() -> scene.repository.testBranches().size() == 1);
    scene.report(CheckState.SUCCESS);
    FaultyForge.Hanging hanging = faults.hang(FaultyForge.Moment.AFTER_MERGE);
    List<Thread> begun = slow.begin();
    hanging.there().await();
    assertThat(scene.repository.subjects()).hasSize(2);
    assertThat(scene.state(1)).isEqualTo(PullRequestState.TESTS_PASSED);

    scene.node().round();
    assertThat(scene.state(1)).isEqualTo(PullRequestState.TESTS_PASSED);
    scene.clock.advance(ActionWorker.LEASE);
    scene.node().runUntil(() -> scene.state(1) == PullRequestState.MERGED);
    hanging.letGo().countDown();
    for (Thread thread : begun) {
      thread.join();
    }
    assertThat(scene.repository.subjects()).containsExactly("Change 1 (#1)", "Begin");
    scene.node().runUntil(() -> scene.repository.testBranches().isEmpty());
    scene.checkReplay();
  }

  @Test
  void a_status_that_is_faster_than_the_news_of_its_branch_counts() throws Exception {
    var faults = new FaultyForge.Faults(1);
    QueueNode slow = scene.node(forge -> new FaultyForge(forge, faults));
    scene.submit(1);
    FaultyForge.Hanging hanging = faults.hang(FaultyForge.Moment.AFTER_BUILD);
    List<Thread> begun = slow.begin();
    hanging.there().await();
    String branch = scene.repository.testBranches().getFirst();
    var tested = new CommitSha(scene.repository.head(branch));
    assertThat(scene.runs().getFirst().testBranchSha()).isEmpty();
    assertThat(report(new CommitSha("0".repeat(40)))).isInstanceOf(Outcomes.NoSuchRun.class);
    assertThat(report(tested)).isInstanceOf(Outcomes.Reported.class);
    assertThat(scene.view(1).state()).isEqualTo(PullRequestState.TESTS_PASSED);
    hanging.letGo().countDown();
    for (Thread thread : begun) {
      thread.join();
    }
    scene.node().runUntil(() -> scene.state(1) == PullRequestState.MERGED);
    assertThat(scene.repository.subjects()).containsExactly("Change 1 (#1)", "Begin");
    scene.checkReplay();
  }

  private Outcomes.Report report(CommitSha commit) {
    return scene
        .queues()
        .testRuns()
        .reportTestStatus(scene.main, commit, "ci", CheckState.SUCCESS, Optional.empty());
  }

  @Test
  void what_fails_while_it_is_saved_has_not_happened() {
    long queue = scene.count("SELECT id FROM merge_queue");
    QueueRunner runner = scene.node().rooms.runner;
    var event =
        new QueueEvent.Submitted(
            new PullRequestRef(1), Priority.DEFAULT, false, Optional.empty(), Optional.empty());
    assertThatThrownBy(
            () ->
                runner.accept(
                    queue,
                    Proposal.of(event)
                        .also(
                            handle -> {
                              throw new FaultyForge.Killed();
                            })))
        .hasRootCauseInstanceOf(FaultyForge.Killed.class);
    assertThatThrownBy(
            () ->
                runner.accept(
                    queue,
                    Proposal.of(
                        state -> {
                          throw new IllegalStateException("broken on purpose");
                        })))
        .hasMessage("broken on purpose");
    assertThat(scene.queues().find(scene.main).orElseThrow().pullRequests()).isEmpty();
    assertThat(runner.accept(queue, event)).isPresent();
    assertThat(scene.queues().find(scene.main).orElseThrow().pullRequests()).hasSize(1);
    scene.checkReplay();
  }

  @Test
  void requests_that_come_together_share_a_transaction_and_none_is_lost() throws Exception {
    int many = 200;
    QueueNode other = scene.node(forge -> forge);
    assertThat(
            scene.queues().connections().disconnect(scene.main.organizationId(), QueueScene.REPO))
        .isTrue();
    List<Callable<Boolean>> work = new ArrayList<>();
    for (int i = 0; i < many; i++) {
      QueueNode node = i % 2 == 0 ? scene.node() : other;
      var pr = new PullRequestRef(100 + i);
      work.add(
          () ->
              node.queues.pullRequests().submit(scene.main, pr, Optional.empty(), Optional.empty())
                  instanceof Outcomes.Submitted);
    }
    assertThat(together(work)).doesNotContain(false);
    assertThat(scene.queues().find(scene.main).orElseThrow().pullRequests())
        .extracting(PullRequestView::number)
        .hasSize(many)
        .doesNotHaveDuplicates();
    assertThat(other.queues.find(scene.main)).isEqualTo(scene.queues().find(scene.main));
    scene.checkReplay();
  }

  private void submitAll() {
    for (int number = 1; number <= PULL_REQUESTS; number++) {
      assertThat(scene.submit(number)).isInstanceOf(Outcomes.Submitted.class);
    }
  }

  private boolean reportedAndEmpty() {
    scene.report(CheckState.SUCCESS);
    return scene.queues().find(scene.main).orElseThrow().pullRequests().isEmpty();
  }

  private void checkTheEnd(QueueNode node) {
    node.runUntil(this::reportedAndEmpty);
    for (int number = 1; number <= PULL_REQUESTS; number++) {
      assertThat(scene.state(number)).isEqualTo(PullRequestState.MERGED);
    }
    List<String> subjects = scene.repository.subjects();
    assertThat(subjects).hasSize(PULL_REQUESTS + 1);
    assertThat(new HashSet<>(subjects)).hasSameSizeAs(subjects);
    scene.clock.advance(ActionWorker.LEASE);
    node.runUntil(() -> scene.repository.testBranches().isEmpty());
    node.runUntil(() -> scene.count("SELECT count(*) FROM queue_action") == 0);
    scene.checkReplay();
  }

  private static <T> List<T> together(List<Callable<T>> work)
      throws InterruptedException, ExecutionException {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var results = new ArrayList<T>();
      for (var future : threads.invokeAll(work)) {
        results.add(future.get());
      }
      return results;
    }
  }
}
