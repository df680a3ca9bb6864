package dev.mainstay.core.queue.rules;

import static dev.mainstay.core.queue.PullRequestSnapshot.Status.DRAFT;
import static dev.mainstay.core.queue.PullRequestSnapshot.Status.MERGED;
import static dev.mainstay.core.queue.PullRequestState.NOT_READY;
import static dev.mainstay.core.queue.PullRequestState.TESTING;
import static dev.mainstay.core.queue.QueueLifecycle.DRAINING;

import dev.mainstay.core.queue.LandingProblem;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.ReasonCode;
import dev.mainstay.core.queue.RunId;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

class LeavingTest extends QueueTest {
  @Test
  void everything_that_stood_on_a_leaver_is_retested_without_it() {
    queue.submit(A, B, C);
    RunId first = queue.runOf(A);
    RunId second = queue.runOf(B);
    queue.cancel(B);
    assertThat(B).wasCancelled("cancelled_by_user");
    assertThat(queue).reads("main <- A (testing) <- C (testing)");
    assertThat(C).isTestedOn("m0 A C").went(TESTING, "predecessor_left").says("without #2");
    Assertions.assertThat(queue.runOf(A)).isEqualTo(first);
    Assertions.assertThat(queue.cancelled(second)).isTrue();
  }

  @Test
  void what_did_not_stand_on_it_goes_on() {
    queue.parallel();
    queue.submit(A.touching("app"), B.touching("docs"), C.touching("app"));
    RunId other = queue.runOf(B);
    queue.cancel(A);
    Assertions.assertThat(queue.runOf(B)).isEqualTo(other);
    assertThat(C).isTestedOn("m0 C");
  }

  @Test
  void a_lane_that_only_the_leaver_held_together_falls_apart() {
    queue.parallel();
    queue.submit(A.touching("app"), B.touching("app", "docs"), C.touching("docs"));
    assertThat(C).isTestedOn("m0 B C");
    queue.cancel(B);
    assertThat(queue).reads("main <- A (testing); main <- C (testing)");
    assertThat(C).isTestedOn("m0 C");
  }

  @Test
  void closed_it_is_over() {
    queue.submit(A, B).close(A);
    assertThat(A).wasCancelled("closed");
    assertThat(B).isTestedOn("m0 B");
  }

  @Test
  void pushed_to_it_begins_anew_with_the_new_head() {
    queue.submit(A, B).push(A);
    assertThat(A).went(TESTING, "slot_free").isTestedOn("m0 B A");
    assertThat(B).isTestedOn("m0 B").went(TESTING, "predecessor_left");
    Assertions.assertThat(queue.historyOf(A).stream().map(t -> t.reason().code()))
        .containsSubsequence(ReasonCode.HEAD_MOVED, ReasonCode.READY, ReasonCode.SLOT_FREE);
  }

  @Test
  void pushed_to_while_it_waits_it_keeps_its_place() {
    queue.slots(1).submit(A, B, C).push(B);
    assertThat(queue).reads("main <- A (testing) <- B (pending) <- C (pending)");
  }

  @Test
  void turned_draft_it_is_not_ready() {
    queue.submit(A, B).becomes(A, DRAFT);
    assertThat(A).went(NOT_READY, "converted_to_draft");
    assertThat(queue).reads("main <- B (testing); not ready A");
  }

  @Test
  void without_its_approval_it_is_not_ready_any_more() {
    queue.submit(A, B).asksFor(A, "An approval is missing.");
    assertThat(A).went(NOT_READY, "forge_blocks");
    assertThat(queue).reads("main <- B (testing); not ready A");
  }

  @Test
  void with_another_base_it_is_not_ready() {
    queue.submit(A, B).retarget(A, "develop");
    assertThat(A).went(NOT_READY, "base_changed");
    assertThat(queue).reads("main <- B (testing); not ready A");
  }

  @Test
  void merged_by_hand_it_is_merged() {
    queue.submit(A, B).becomes(A, MERGED);
    assertThat(A).wasMerged("merged_manually");
    assertThat(B).isTestedOn("m0 B");
  }

  @Test
  void cancelled_while_it_waits_or_is_not_ready_it_is_over_too() {
    queue.slots(1).becomes(C, DRAFT).submit(A, B, C).cancel(B).cancel(C);
    assertThat(B).wasCancelled("cancelled_by_user");
    assertThat(C).wasCancelled("cancelled_by_user");
    assertThat(queue).reads("main <- A (testing)");
  }

  @Test
  void cancelled_twice_changes_nothing_more() {
    queue.submit(A).cancel(A).cancel(A);
    assertThat(A).wasCancelled("cancelled_by_user");
  }

  @Test
  void pushed_to_in_a_draining_queue_it_stays_outside() {
    queue.submit(A).becomes(DRAINING).push(A);
    assertThat(A).isNotReady("queue_not_running");
  }

  @Test
  void cancelled_while_it_is_being_merged_it_is_merged_if_the_forge_was_faster() {
    queue.holdLandings().submit(A).finish(A.passes()).cancel(A);
    assertThat(queue).reads("main <- A (tests passed)");

    queue.land();
    assertThat(A).wasMerged();
  }

  @Test
  void cancelled_while_it_is_being_merged_it_is_cancelled_if_the_merge_fails() {
    queue.holdLandings().submit(A).finish(A.passes()).cancel(A);
    queue.land(new LandingProblem.ForgeUnavailable("The forge is away."));
    assertThat(A).wasCancelled("cancelled_by_user");
  }

  @Test
  void merged_by_hand_while_it_is_being_merged_it_is_merged_if_the_merge_fails() {
    queue.holdLandings().submit(A).finish(A.passes()).becomes(A, MERGED);
    queue.land(new LandingProblem.HeadMoved(A.ref()));
    assertThat(A)
        .wasMerged("merged_manually")
        .passedThrough(
            NOT_READY,
            PullRequestState.PENDING,
            TESTING,
            PullRequestState.TESTS_PASSED,
            PullRequestState.MERGED);
  }

  @Test
  void what_ended_does_not_come_in_again_whatever_else_changed() {
    queue.parallel().holdLandings().submit(A.touching("app")).finish(A.passes());
    queue.touches(A, "docs").becomes(A, MERGED);
    queue.land(new LandingProblem.ForgeUnavailable("The forge is away."));
    assertThat(A).wasMerged("merged_manually");
    assertThat(queue).started(1);
  }
}
