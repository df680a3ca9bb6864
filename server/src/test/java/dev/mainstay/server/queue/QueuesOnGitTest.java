package dev.mainstay.server.queue;

import static dev.mainstay.server.queue.QueueScene.required;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.CheckState;
import dev.mainstay.core.queue.ImpactedTargets;
import dev.mainstay.core.queue.Priority;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.QueueLifecycle;
import dev.mainstay.core.queue.QueueSettings;
import dev.mainstay.core.queue.QueueSettings.Mode;
import dev.mainstay.core.queue.ReasonCode;
import dev.mainstay.server.connection.Connections;
import dev.mainstay.server.queue.store.PullRequestStore;
import dev.mainstay.server.queue.store.QueueName;
import dev.mainstay.server.queue.store.StoredSamples;
import dev.mainstay.server.queue.store.TestRunStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A pull request's way from its submission onto the branch, with real git. */
class QueuesOnGitTest {
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

  @Test
  void what_was_reported_as_tested_lands() {
    scene.connect(Optional.empty());
    scene.create(required("ci"));
    scene.repository.open(1, "one");
    scene.repository.open(2, "two");
    scene.node().round();

    var submitted = (Outcomes.Submitted) scene.submit(1);
    assertThat(submitted.pullRequest().title()).isEqualTo("Change 1");
    assertThat(submitted.pullRequest().author()).contains("Ada");
    assertThat(submitted.pullRequest().state()).isEqualTo(PullRequestState.TESTING);
    scene.submit(2);
    assertThat(scene.view(2).waitsFor()).containsExactly(1);
    scene.node().runUntil(() -> scene.repository.testBranches().size() == 2);
    String tested = scene.runs().getLast().testBranchSha().orElseThrow();
    scene.report(CheckState.SUCCESS);
    scene
        .node()
        .runUntil(() -> scene.queues().find(scene.main).orElseThrow().pullRequests().isEmpty());

    assertThat(scene.state(1)).isEqualTo(PullRequestState.MERGED);
    assertThat(scene.view(2).reason().code()).isEqualTo(ReasonCode.MERGED_BY_QUEUE);
    assertThat(scene.repository.subjects())
        .containsExactly("Change 2 (#2)", "Change 1 (#1)", "Begin");
    assertThat(scene.repository.tree("main")).isEqualTo(scene.repository.tree(tested));
    scene.node().runUntil(() -> scene.repository.testBranches().isEmpty());
    assertThat(scene.count("SELECT count(*) FROM queue_action")).isZero();
    assertThat(scene.count("SELECT count(*) FROM test_run WHERE status = 'SUCCEEDED'"))
        .isEqualTo(2);
    scene.checkReplay();
  }

  @Test
  void the_repositorys_own_command_decides() {
    scene.connect(Optional.of("echo testing; ! grep -q bad file*"));
    scene.create(QueueSettings.defaults());
    scene.repository.open(1, "good");
    scene.repository.open(2, "bad");
    scene.repository.open(3, "fine");
    scene.node().round();
    for (int number = 1; number <= 3; number++) {
      scene.submit(number);
    }
    scene
        .node()
        .runUntil(() -> scene.queues().find(scene.main).orElseThrow().pullRequests().isEmpty());

    assertThat(scene.state(1)).isEqualTo(PullRequestState.MERGED);
    assertThat(scene.state(2)).isEqualTo(PullRequestState.FAILED);
    assertThat(scene.state(3)).isEqualTo(PullRequestState.MERGED);
    assertThat(scene.repository.files("main")).containsExactly("README", "file1", "file3");
    var failed =
        ((Outcomes.RunsFound)
                scene
                    .queues()
                    .testRuns()
                    .testingDetails(
                        scene.main, Optional.empty(), Optional.of(new PullRequestRef(2))))
            .runs()
            .getFirst();
    assertThat(failed.status()).isEqualTo(TestRunStore.Status.FAILED);
    assertThat(failed.checks().getFirst().name()).isEqualTo("mainstay/test");
    assertThat(scene.queues().testRuns().testOutput(scene.main, failed.id()).orElseThrow().output())
        .contains("testing")
        .contains("ended with 1");
    scene.node().runUntil(() -> scene.repository.testBranches().isEmpty());
    scene.checkReplay();
  }

  @Test
  void pushes_closings_and_moves_of_the_branch_are_noticed() {
    scene.connect(Optional.empty());
    scene.create(required("ci"));
    for (int number = 1; number <= 3; number++) {
      scene.repository.open(number, "first");
    }
    scene.node().round();
    for (int number = 1; number <= 3; number++) {
      scene.submit(number);
    }
    scene.node().runUntil(() -> scene.repository.testBranches().size() == 3);
    CommitSha pushed = scene.repository.open(1, "second");
    scene.repository.close(2);
    scene.repository.push("other", "by hand");
    assertThat(scene.queues().connections().hook(scene.main.organizationId(), QueueScene.REPO))
        .isTrue();
    scene
        .node()
        .runUntil(
            () ->
                scene.state(2) == PullRequestState.CANCELLED
                    && scene.view(1).sha().equals(Optional.of(pushed.value()))
                    && scene.state(1) == PullRequestState.TESTING
                    && scene.runs().size() == 2
                    && scene.runs().stream().allMatch(r -> r.testBranchSha().isPresent()));
    scene.report(CheckState.SUCCESS);
    scene
        .node()
        .runUntil(() -> scene.queues().find(scene.main).orElseThrow().pullRequests().isEmpty());
    assertThat(scene.repository.files("main")).containsExactly("README", "file1", "file3", "other");
    scene.checkReplay();
  }

  @Test
  void a_conflict_with_the_branch_waits_for_a_push() {
    scene.connect(Optional.empty());
    scene.create(required("ci"));
    scene.repository.open(1, "README", "mine");
    scene.repository.push("README", "yours");
    scene.node().round();
    scene.submit(1);
    assertThat(scene.state(1)).isEqualTo(PullRequestState.NOT_READY);
    assertThat(scene.view(1).readiness().waitingFor())
        .anyMatch(sentence -> sentence.contains("conflicts with main"));
    scene.repository.open(1, "README", "agreed");
    scene.node().runUntil(() -> scene.state(1) == PullRequestState.TESTING);
  }

  @Test
  void without_a_forge_a_submission_waits_and_says_for_what() {
    scene.create(required("ci"));
    var submitted = (Outcomes.Submitted) scene.submit(7);
    assertThat(submitted.pullRequest().state()).isEqualTo(PullRequestState.NOT_READY);
    assertThat(submitted.pullRequest().readiness().waitingFor())
        .contains("Connect a forge to this repository.");
    scene.repository.open(7, "seven");
    scene.connect(Optional.empty());
    scene.node().runUntil(() -> scene.state(7) == PullRequestState.TESTING);
    assertThat(scene.view(7).title()).isEqualTo("Change 7");
    assertThat(
            scene.queues().connections().disconnect(scene.main.organizationId(), QueueScene.REPO))
        .isTrue();
    assertThat(
            scene.queues().connections().disconnect(scene.main.organizationId(), QueueScene.REPO))
        .isFalse();
    scene.checkReplay();
  }

  @Test
  void users_are_told_what_is_not_there() {
    var unknown = new QueueName(scene.main.organizationId(), QueueScene.REPO, "other");
    assertThat(scene.submit(1)).isInstanceOf(Outcomes.NoSuchQueue.class);
    scene.connect(Optional.empty());
    scene.create(required("ci"));
    scene.node().round();
    assertThat(scene.queues().create(scene.main, required("ci")))
        .isInstanceOf(Outcomes.QueueExists.class);
    assertThat(scene.submit(1)).isInstanceOf(Outcomes.NoSuchPullRequest.class);
    assertThat(scene.queues().find(unknown)).isEmpty();
    assertThat(scene.queues().pullRequests().cancel(scene.main, new PullRequestRef(1)))
        .isInstanceOf(Outcomes.NeverSubmitted.class);
    assertThat(scene.queues().pullRequests().restart(scene.main, new PullRequestRef(1)))
        .isInstanceOf(Outcomes.NeverSubmitted.class);
    assertThat(
            scene
                .queues()
                .testRuns()
                .reportTestStatus(
                    scene.main, "nothing", "ci", CheckState.SUCCESS, Optional.empty()))
        .isInstanceOf(Outcomes.NoSuchRun.class);
    assertThat(
            scene
                .queues()
                .connections()
                .connect(
                    scene.main.organizationId(),
                    QueueScene.REPO,
                    "/nowhere/at/all",
                    Optional.empty(),
                    Duration.ofMinutes(1)))
        .isInstanceOf(Connections.NotReachable.class);
  }

  @Test
  void a_queue_is_deleted_when_it_is_empty_and_leaves_no_branch() {
    scene.connect(Optional.empty());
    scene.create(required("ci"));
    scene.repository.open(1, "one");
    scene.node().round();
    scene.submit(1);
    scene.node().runUntil(() -> scene.repository.testBranches().size() == 1);
    assertThat(((Outcomes.NotEmpty) scene.queues().delete(scene.main)).pullRequests())
        .extracting(PullRequestView::number)
        .containsExactly(1);
    var cancelled =
        (Outcomes.Cancelled)
            scene.queues().pullRequests().cancel(scene.main, new PullRequestRef(1));
    assertThat(cancelled.pullRequest().state()).isEqualTo(PullRequestState.CANCELLED);
    assertThat(scene.queues().pullRequests().cancel(scene.main, new PullRequestRef(1)))
        .isInstanceOf(Outcomes.Cancelled.class);
    assertThat(scene.queues().delete(scene.main)).isInstanceOf(Outcomes.Deleted.class);
    scene.queues().connections().hook(scene.main.organizationId(), QueueScene.REPO);
    scene.node().runUntil(() -> scene.repository.testBranches().isEmpty());
  }

  @Test
  void one_that_is_in_the_queue_gets_its_new_priority_without_the_forge() {
    scene.connect(Optional.empty());
    scene.create(required("ci"));
    scene.repository.open(1, "one");
    scene.node().round();
    scene.submit(1);
    scene.node().runUntil(() -> scene.state(1) == PullRequestState.TESTING);
    scene.repository.close(1);
    var again =
        scene
            .queues()
            .pullRequests()
            .submit(
                scene.main, new PullRequestRef(1), Optional.of(Priority.HIGH), Optional.of(true));
    assertThat(((Outcomes.Submitted) again).pullRequest())
        .returns(Priority.HIGH, PullRequestView::priority)
        .returns(true, PullRequestView::noBatch)
        .returns(Optional.of(1), PullRequestView::position);
    assertThat(scene.submit(2)).isInstanceOf(Outcomes.NoSuchPullRequest.class);
  }

  @Test
  void a_queue_that_another_node_made_anew_is_found_under_its_name() {
    scene.create(required("ci"));
    QueueNode other = scene.node(forge -> forge);
    scene.submit(1);
    scene.queues().pullRequests().cancel(scene.main, new PullRequestRef(1));
    assertThat(other.queues.delete(scene.main)).isInstanceOf(Outcomes.Deleted.class);
    assertThat(scene.submit(1)).isInstanceOf(Outcomes.NoSuchQueue.class);
    assertThat(other.queues.create(scene.main, required("ci")))
        .isInstanceOf(Outcomes.Created.class);
    assertThat(scene.submit(2)).isInstanceOf(Outcomes.Submitted.class);
    assertThat(other.queues.delete(scene.main)).isInstanceOf(Outcomes.NotEmpty.class);
  }

  @Test
  void targets_set_before_the_submission_are_there_with_it() {
    scene.connect(Optional.empty());
    scene.create(required("ci").edit().mode(Mode.PARALLEL).build());
    scene.repository.open(1, "one");
    scene.repository.open(2, "two");
    scene.node().round();
    ImpactedTargets many = StoredSamples.targets(100_000);
    assertThat(
            scene
                .queues()
                .pullRequests()
                .setImpactedTargets(scene.main, new PullRequestRef(1), Optional.empty(), many))
        .isInstanceOf(Outcomes.TargetsSet.class);
    scene.submit(1);
    scene.submit(2);
    assertThat(scene.state(1)).isEqualTo(PullRequestState.TESTING);
    assertThat(scene.view(2).reason().code()).isEqualTo(ReasonCode.IMPACTED_TARGETS_MISSING);
    scene
        .queues()
        .pullRequests()
        .setImpactedTargets(
            scene.main, new PullRequestRef(2), Optional.empty(), ImpactedTargets.of("mine"));
    assertThat(scene.state(2)).isEqualTo(PullRequestState.TESTING);
    assertThat(scene.runs().getFirst().impactedTargets()).isEqualTo(many);
    assertThat(scene.count("SELECT max(length(content::text)) FROM pull_request"))
        .isLessThan(3_000);
    assertThat(scene.count("SELECT max(length(event::text)) FROM queue_event")).isLessThan(3_000);
    scene.checkReplay();
  }

  @Test
  void history_is_read_page_by_page_and_counted() {
    scene.connect(Optional.of("true"));
    scene.create(QueueSettings.defaults());
    for (int number = 1; number <= 5; number++) {
      scene.repository.open(number, "x");
    }
    scene.node().round();
    for (int number = 1; number <= 5; number++) {
      scene.submit(number);
    }
    scene
        .node()
        .runUntil(() -> scene.queues().find(scene.main).orElseThrow().pullRequests().isEmpty());
    var first = page(Optional.empty(), 3);
    assertThat(first.pullRequests()).extracting(PullRequestView::number).containsExactly(5, 4, 3);
    var second = page(first.nextCursor(), 3);
    assertThat(second.pullRequests()).extracting(PullRequestView::number).containsExactly(2, 1);
    assertThat(second.nextCursor()).isEmpty();
    assertThat(
            scene
                .queues()
                .pullRequests()
                .history(scene.main, wanted(Optional.empty()), Optional.of("x"), 3))
        .isInstanceOf(Outcomes.BadCursor.class);
    assertThat(scene.queues().numbers(scene.main.organizationId(), Optional.of(QueueScene.REPO)))
        .hasValueSatisfying(
            numbers -> {
              var main = numbers.getFirst().main();
              assertThat(main.conclusions()).containsEntry(QueueNumbers.Conclusion.MERGED, 5);
              assertThat(main.timeInQueue().count()).isEqualTo(5);
              assertThat(main.timeInQueue().sum()).isPositive();
              assertThat(main.depth()).isZero();
            });
    scene.clock.advance(Duration.ofHours(2));
    assertThat(
            scene
                .queues()
                .numbers(scene.main.organizationId(), Optional.empty())
                .orElseThrow()
                .getFirst()
                .main()
                .conclusions())
        .containsEntry(QueueNumbers.Conclusion.MERGED, 0);
  }

  private Outcomes.Page page(Optional<String> cursor, int take) {
    return (Outcomes.Page)
        scene
            .queues()
            .pullRequests()
            .history(scene.main, wanted(Optional.of(PullRequestState.MERGED)), cursor, take);
  }

  private static PullRequestStore.Wanted wanted(Optional<PullRequestState> state) {
    return new PullRequestStore.Wanted(
        state, Optional.empty(), Optional.of(Instant.EPOCH), Optional.empty(), false);
  }

  @Test
  void who_left_lately_is_listed_by_the_end_however_many_are_open() {
    scene.connect(Optional.empty());
    scene.create(required("ci"));
    for (int number = 1; number <= 4; number++) {
      scene.repository.open(number, "change " + number);
      scene.submit(number);
    }
    for (int number : new int[] {3, 1, 2}) {
      scene.clock.advance(Duration.ofSeconds(1));
      scene.queues().pullRequests().cancel(scene.main, new PullRequestRef(number));
    }
    Outcomes.Page first = ended(Optional.empty());
    assertThat(first.pullRequests()).extracting(PullRequestView::number).containsExactly(2, 1);
    Outcomes.Page second = ended(first.nextCursor());
    assertThat(second.pullRequests()).extracting(PullRequestView::number).containsExactly(3);
    assertThat(second.nextCursor()).isEmpty();
  }

  private Outcomes.Page ended(Optional<String> cursor) {
    var wanted =
        new PullRequestStore.Wanted(
            Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), true);
    return (Outcomes.Page) scene.queues().pullRequests().history(scene.main, wanted, cursor, 2);
  }

  @Test
  void settings_change_as_a_whole_or_not_at_all() {
    scene.create(required("ci"));
    assertThat(
            scene
                .queues()
                .update(
                    scene.main,
                    s -> s.edit().concurrency(9).build(),
                    false,
                    Optional.of(QueueLifecycle.PAUSED)))
        .isInstanceOfSatisfying(
            Outcomes.Updated.class,
            u -> {
              assertThat(u.queue().settings().concurrency()).isEqualTo(9);
              assertThat(u.queue().state()).isEqualTo(QueueLifecycle.PAUSED);
            });
    assertThatThrownBy(
            () ->
                scene
                    .queues()
                    .update(
                        scene.main, s -> s.edit().concurrency(0).build(), false, Optional.empty()))
        .isInstanceOf(QueueSettings.InvalidSettings.class);
    assertThat(scene.queues().find(scene.main).orElseThrow().settings().concurrency()).isEqualTo(9);
    scene
        .queues()
        .pullRequests()
        .submit(scene.main, new PullRequestRef(1), Optional.of(Priority.URGENT), Optional.of(true));
    assertThat(scene.view(1).priority()).isEqualTo(Priority.URGENT);
    assertThat(scene.view(1).usedDefaultPriority()).isFalse();
    scene.submit(1);
    assertThat(scene.view(1).priority()).isEqualTo(Priority.URGENT);
    assertThat(scene.view(1).noBatch()).isTrue();
    assertThat(List.of(scene.view(1).usedDefaultPriority())).containsExactly(false);
  }
}
