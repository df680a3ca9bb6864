package dev.mainstay.core.queue.rules;

import static dev.mainstay.core.queue.PullRequestState.PENDING;
import static dev.mainstay.core.queue.PullRequestState.PENDING_FAILURE;

import dev.mainstay.core.queue.ImpactedTargets;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.RunId;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

class ConflictsTest extends QueueTest {
  @Test
  void a_conflict_with_one_ahead_is_a_pending_failure() {
    queue.forge.conflict(A.ref(), B.ref());
    queue.submit(A, B);
    assertThat(queue).reads("main <- A (testing) <- B (pending failure)");
    assertThat(B).went(PENDING_FAILURE, "merge_conflict").says("#2 conflicts");
  }

  @Test
  void if_the_one_ahead_merges_the_conflict_is_its_own() {
    queue.forge.conflict(A.ref(), B.ref());
    queue.submit(A, B).finish(A.passes());
    assertThat(B).wasRejected("merge_conflict");
  }

  @Test
  void if_the_one_ahead_fails_it_is_tested_without_it() {
    queue.forge.conflict(A.ref(), B.ref());
    queue.submit(A, B).finish(A.fails());
    assertThat(queue).reads("main <- B (testing)");
  }

  @Test
  void those_behind_a_conflict_are_tested_without_it_at_once() {
    queue.forge.conflict(A.ref(), B.ref());
    queue.submit(A, B, C);
    assertThat(queue).reads("main <- A (testing) <- B (pending failure) <- C (testing)");
    assertThat(C).isTestedOn("m0 A C");
    assertThat(C).neverWent(PENDING_FAILURE);
    queue.submit(D);
    assertThat(D).isTestedOn("m0 A C D");
    assertThat(C).waitsFor(A);

    queue.finish(C.passes(), A.passes());
    assertThat(B).wasRejected("merge_conflict");
    assertThat(C).wasMerged();
    assertThat(queue).reads("main <- D (testing)");
  }

  @Test
  void whoever_finds_out_first_only_the_one_in_conflict_has_failed() {
    queue.holdBuilds().submit(A, B, C);
    queue.tell(new QueueEvent.TestBranchConflicted(queue.runOf(C), B.ref(), false));
    assertThat(B).went(PENDING_FAILURE, "merge_conflict").says("#2 conflicts");
    assertThat(C).isTestedOn("m0 A C");
    assertThat(C).neverWent(PENDING_FAILURE);
  }

  @Test
  void one_that_is_tested_again_comes_back_behind_those_tested_without_it() {
    queue.forge.conflict(A.ref(), B.ref());
    queue.parallel();
    queue.submit(A.touching("x"), B.touching("x", "y"), C.touching("y"));
    assertThat(C).isTestedOn("m0 C");
    RunId run = queue.runOf(C);

    queue.finish(A.fails());
    Assertions.assertThat(queue.runOf(C)).isEqualTo(run);
    assertThat(B).isTestedOn("m0 C B");
  }

  @Test
  void it_keeps_its_place_where_that_costs_nobody_a_test() {
    queue.forge.conflict(A.ref(), B.ref());
    queue.submit(A, B, C).finish(A.fails());
    assertThat(queue).reads("main <- B (testing) <- C (testing)");
    assertThat(C).isTestedOn("m0 B C");
  }

  @Test
  void a_restart_of_one_in_conflict_moves_and_retests_nobody() {
    queue.forge.conflict(A.ref(), B.ref());
    queue.submit(A, B, C);
    RunId run = queue.runOf(C);
    queue.restart(B);
    assertThat(queue).reads("main <- A (testing) <- B (pending failure) <- C (testing)");
    Assertions.assertThat(queue.runOf(C)).isEqualTo(run);
  }

  @Test
  void a_member_in_conflict_stands_aside_and_the_rest_of_its_batch_goes_on() {
    queue.forge.conflict(B.ref(), C.ref());
    queue.batches(3).submit(A.alone(), B, C, D);
    assertThat(queue).reads("main <- A (testing) <- B+D (testing) <- C (pending failure)");
    assertThat(C).went(PENDING_FAILURE, "merge_conflict").says("#3 conflicts");
    assertThat(B).neverWent(PENDING_FAILURE);
    assertThat(D).neverWent(PENDING_FAILURE);

    queue.finish(A.passes(), B.passes());
    assertThat(C).wasRejected("merge_conflict");
    assertThat(D).wasMerged();
  }

  @Test
  void a_member_in_conflict_is_tested_again_when_the_rest_of_its_batch_is_gone() {
    queue.forge.conflict(A.ref(), B.ref());
    queue.batches(2).submit(A, B);
    assertThat(queue).reads("main <- A (testing) <- B (pending failure)");
    queue.cancel(A);
    assertThat(queue).reads("main <- B (testing)");
  }

  @Test
  void the_rest_of_its_batch_keeps_its_place_where_no_slot_is_free() {
    queue.forge.conflict(B.ref(), C.ref());
    queue.slots(1).batches(2).holdBuilds().submit(A.alone());
    queue.tell(new QueueEvent.TestBranchNotBuilt(queue.runOf(A), "The forge is away."));
    queue.submit(B, C).minutesPass(1);
    assertThat(queue).reads("main <- A (pending) <- B+C (testing)");

    queue.tell(new QueueEvent.TestBranchConflicted(queue.runOf(C), C.ref(), false));
    assertThat(queue).reads("main <- A (testing) <- B (pending) <- C (pending failure)");
  }

  @Test
  void one_that_stands_on_two_in_conflict_waits_for_its_own_reason() {
    queue.forge.conflict(A.ref(), B.ref());
    queue.parallel();
    queue.submit(A.touching("x"), B.touching("y"), C.touching("x", "y"));
    assertThat(C).went(PENDING, "predecessors_conflict").says("#2 and another change");
    assertThat(A).neverWent(PENDING_FAILURE);
    assertThat(B).neverWent(PENDING_FAILURE);

    queue.finish(A.fails()).minutesPass(1);
    assertThat(C).isTestedOn("m0 B C");
  }

  @Test
  void one_tested_without_a_batch_is_tested_with_the_member_that_parts_from_it_and_merges() {
    queue.parallel().batches(3).settings(s -> s.hermeticTests(false));
    queue.submit(A.touching("x").alone(), B.touching("x"), E.touching(ImpactedTargets.ALL));
    queue.submit(C.touching("y"), D.touching("y").alone()).cancel(E).finish(B.fails());
    assertThat(D).isTestedOn("m0 D");

    queue.holdBuilds().restart(B);
    queue.tell(new QueueEvent.TestBranchConflicted(queue.runOf(B), C.ref(), false));
    assertThat(queue)
        .reads("main <- A (testing) <- B (testing); main <- C (testing) <- D (testing)");
    queue.tell(queue.build(queue.started(queue.runOf(C))));
    queue.finish(D.passes(), C.passes());
    assertThat(C).wasMerged();
    assertThat(D).isTestedOn("m0 C D");
  }

  @Test
  void a_conflict_with_the_target_branch_itself_makes_it_not_ready_until_pushed() {
    queue.holdBuilds().submit(A, B);
    queue.tell(new QueueEvent.TestBranchConflicted(queue.runOf(B), B.ref(), true));
    assertThat(B).isNotReady("merge_conflict").says("conflicts with main");
    assertThat(queue).reads("main <- A (testing); not ready B");

    queue.show(B);
    assertThat(B).isNotReady("merge_conflict");

    queue.push(B);
    assertThat(queue).reads("main <- A (testing) <- B (testing)");
  }

  @Test
  void what_conflicts_and_stands_on_nothing_conflicts_with_the_target_branch() {
    queue.holdBuilds().submit(A);
    queue.tell(new QueueEvent.TestBranchConflicted(queue.runOf(A), A.ref(), false));
    assertThat(A).isNotReady("merge_conflict");
  }
}
