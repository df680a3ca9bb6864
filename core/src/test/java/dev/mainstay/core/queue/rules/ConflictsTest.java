package dev.mainstay.core.queue.rules;

import static dev.mainstay.core.queue.PullRequestState.PENDING_FAILURE;

import dev.mainstay.core.queue.QueueEvent;
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
  void those_behind_a_conflict_are_decided_after_it() {
    queue.forge.conflict(A.ref(), B.ref());
    queue.submit(A, B, C);
    assertThat(queue).reads("main <- A (testing) <- B (pending failure) <- C (pending failure)");

    queue.finish(A.passes());
    assertThat(B).wasRejected("merge_conflict");
    assertThat(queue).reads("main <- C (testing)");
  }

  @Test
  void those_behind_are_retested_if_the_one_in_conflict_got_in_after_all() {
    queue.holdBuilds().submit(A, B);
    queue.tell(new QueueEvent.TestBranchConflicted(queue.runOf(B), A.ref(), false));
    queue.tell(queue.build(queue.started(queue.runOf(A)))).finish(A.passes());
    assertThat(A).wasMerged();
    assertThat(queue).reads("main <- B (testing)");
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
