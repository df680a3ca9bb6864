package dev.mainstay.core.queue.rules;

import static dev.mainstay.core.queue.PullRequestState.MERGED;
import static dev.mainstay.core.queue.PullRequestState.NOT_READY;
import static dev.mainstay.core.queue.PullRequestState.PENDING;
import static dev.mainstay.core.queue.PullRequestState.TESTING;
import static dev.mainstay.core.queue.PullRequestState.TESTS_PASSED;

import dev.mainstay.core.queue.RunId;
import org.junit.jupiter.api.Test;

class SpeculationTest extends QueueTest {
  @Test
  void a_pull_request_that_passes_is_merged() {
    queue.submit(A);
    assertThat(queue).reads("main <- A (testing)");

    queue.finish(A.passes());
    assertThat(A)
        .wasMerged("merged_by_queue")
        .passedThrough(NOT_READY, PENDING, TESTING, TESTS_PASSED, MERGED);
    assertThat(queue).reads("main");
  }

  @Test
  void the_next_one_is_tested_as_if_the_first_had_merged() {
    queue.submit(A, B);
    assertThat(queue).reads("main <- A (testing) <- B (testing)");
    assertThat(A).isTestedOn("m0 A");
    assertThat(B).isTestedOn("m0 A B");
  }

  @Test
  void what_passed_first_waits_for_those_ahead_and_then_merges_without_another_run() {
    queue.submit(A, B).finish(B.passes());
    assertThat(queue).reads("main <- A (testing) <- B (tests passed)");

    queue.finish(A.passes());
    assertThat(A).wasMerged();
    assertThat(B).wasMerged();
    assertThat(queue).reads("main").started(2);
  }

  @Test
  void only_as_many_are_tested_as_there_are_slots() {
    queue.slots(2).submit(A, B, C);
    assertThat(queue).reads("main <- A (testing) <- B (testing) <- C (pending)");

    queue.finish(A.passes());
    assertThat(queue).reads("main <- B (testing) <- C (testing)");
    assertThat(C).isTestedOn("m0 A B C").went(TESTING, "slot_free");
  }

  @Test
  void one_that_has_passed_leaves_its_slot_to_the_next() {
    queue.slots(2).submit(A, B, C).finish(B.passes());
    assertThat(queue).reads("main <- A (testing) <- B (tests passed) <- C (testing)");
  }

  @Test
  void fewer_slots_stop_nobody_who_is_under_test() {
    queue.slots(3).submit(A, B, C, D).slots(1);
    assertThat(queue).reads("main <- A (testing) <- B (testing) <- C (testing) <- D (pending)");

    queue.finish(A.passes(), B.passes());
    assertThat(queue).reads("main <- C (testing) <- D (pending)");

    queue.finish(C.passes());
    assertThat(queue).reads("main <- D (testing)");
  }

  @Test
  void more_slots_are_used_at_once() {
    queue.slots(1).submit(A, B).slots(2);
    assertThat(queue).reads("main <- A (testing) <- B (testing)");
  }

  @Test
  void when_more_need_a_retest_than_there_are_slots_the_last_ones_are_pending_again() {
    queue.slots(2).submit(A, B, C).finish(B.passes());
    queue.cancel(A);
    assertThat(queue).reads("main <- B (testing) <- C (testing)");

    queue.submit(D, E).finish(C.passes()).cancel(B);
    assertThat(queue).reads("main <- C (testing) <- D (testing) <- E (pending)");
  }

  @Test
  void a_run_that_is_over_has_its_branch_removed() {
    queue.submit(A);
    RunId run = queue.runOf(A);
    queue.finish(A.passes());
    org.assertj.core.api.Assertions.assertThat(queue.cancelled(run)).isTrue();
  }
}
