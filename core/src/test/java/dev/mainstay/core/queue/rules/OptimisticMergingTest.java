package dev.mainstay.core.queue.rules;

import static dev.mainstay.core.queue.PullRequestState.TESTING;
import static dev.mainstay.core.queue.PullRequestState.TESTS_PASSED;

import dev.mainstay.core.queue.Change;
import dev.mainstay.core.queue.LandingProblem;
import dev.mainstay.core.queue.PullRequestSnapshot.Status;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.QueueAction;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.QueueLifecycle;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OptimisticMergingTest extends QueueTest {
  @BeforeEach
  void optimistic() {
    queue.settings(s -> s.canOptimisticallyMerge(true).pendingFailureDepth(2));
  }

  @Test
  void a_group_that_passes_proves_all_it_stands_on() {
    queue.submit(A, B).finish(B.passes());
    assertThat(A)
        .wasMerged()
        .passedThrough(
            PullRequestState.NOT_READY,
            PullRequestState.PENDING,
            PullRequestState.TESTING,
            TESTS_PASSED,
            PullRequestState.MERGED);
    assertThat(B).wasMerged();
  }

  @Test
  void even_one_that_failed() {
    queue.submit(A, B).finish(A.fails());
    assertThat(queue).reads("main <- A (pending failure) <- B (testing)");

    queue.finish(B.passes());
    assertThat(A).wasMerged();
    assertThat(B).wasMerged();
  }

  @Test
  void it_merges_with_what_proves_it_since_only_together_they_were_tested() {
    queue.holdLandings().submit(A, B, C).finish(A.fails(), B.passes());
    Assertions.assertThat(QueueByHand.names(changes(queue.landing()))).isEqualTo(List.of("A", "B"));
    Assertions.assertThat(queue.landing().exactTree()).isTrue();
    assertThat(A).went(TESTS_PASSED, "proven_by_successor");
    assertThat(queue).reads("main <- A (tests passed) <- B (tests passed) <- C (testing)");

    queue.land();
    assertThat(queue).reads("main <- C (testing)").started(3);
  }

  @Test
  void if_what_proves_it_leaves_it_is_no_longer_proven() {
    queue.becomes(QueueLifecycle.RUNNING).submit(A, B).becomes(QueueLifecycle.PAUSED);
    queue.finish(A.fails(), B.passes());
    assertThat(queue).reads("main <- A (tests passed) <- B (tests passed)");

    queue.cancel(B).becomes(QueueLifecycle.RUNNING);
    assertThat(A).wasRejected("test_failed");
  }

  @Test
  void a_merge_that_nobody_heard_of_rejects_nobody_whichever_is_shown_first() {
    queue.holdLandings().submit(A, B, C).finish(A.fails(), C.passes());
    queue.land(new LandingProblem.ForgeUnavailable("The forge is away"));
    queue.becomes(B, Status.MERGED);
    assertThat(A).went(TESTING, "target_moved");

    queue.becomes(C, Status.MERGED).becomes(A, Status.MERGED);
    assertThat(A).wasMerged();
    assertThat(B).wasMerged();
    assertThat(C).wasMerged();
  }

  @Test
  void switched_off_a_group_waits_for_the_own_result_of_those_ahead() {
    queue.settings(s -> s.canOptimisticallyMerge(false)).submit(A, B).finish(B.passes());
    assertThat(queue).reads("main <- A (testing) <- B (tests passed)");
  }

  @Test
  void it_proves_nothing_in_other_lanes() {
    queue.parallel().submit(A.touching("app"), B.touching("docs")).finish(B.passes());
    assertThat(B).wasMerged();
    assertThat(queue).reads("main <- A (testing)");
  }

  @Test
  void what_does_not_hold_all_that_merged_together_has_another_tree() {
    queue.parallel().submit(A.touching("app", "docs"), B.touching("app"), C.touching("docs"));
    assertThat(C).isTestedOn("m0 A C");

    queue.finish(B.passes()).finish(C.passes());
    assertThat(B).wasMerged();
    assertThat(C).wasMerged();
    Assertions.assertThat(queue.landing().exactTree()).isFalse();
  }

  @Test
  void switched_off_while_it_merges_what_is_being_merged_stays_proven() {
    queue.holdLandings().submit(A, B).finish(B.passes());
    queue.settings(s -> s.canOptimisticallyMerge(false));
    assertThat(queue).reads("main <- A (tests passed) <- B (tests passed)");

    queue.land();
    assertThat(A).wasMerged();
    assertThat(B).wasMerged();
  }

  @Test
  void what_is_being_merged_wants_no_run_of_its_own() {
    queue.holdLandings().submit(A, B).holdBuilds().restart(A);
    queue.tell(new QueueEvent.TestBranchNotBuilt(queue.runOf(A), "The forge is away."));
    queue.finish(B.passes()).minutesPass(1);
    Assertions.assertThat(QueueByHand.names(changes(queue.landing()))).isEqualTo(List.of("A", "B"));

    queue.settings(s -> s.canOptimisticallyMerge(false));
    assertThat(queue).reads("main <- A (tests passed) <- B (tests passed)").started(3);
  }

  private static List<dev.mainstay.core.code.PullRequestRef> changes(QueueAction.Land land) {
    return land.changes().stream().map(Change::pr).toList();
  }
}
