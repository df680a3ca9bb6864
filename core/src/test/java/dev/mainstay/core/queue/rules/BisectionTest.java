package dev.mainstay.core.queue.rules;

import static dev.mainstay.core.queue.QueueLifecycle.PAUSED;
import static dev.mainstay.core.queue.QueueSettings.OptimizationMode.BISECTION_SKIP_REDUNDANT_TESTS;

import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.RunId;
import dev.mainstay.core.queue.RunKind;
import java.util.Optional;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

class BisectionTest extends QueueTest {
  private QueueByHand aFailedBatchOfFour() {
    return queue.batches(4).submit(A, B, C, D).finish(A.fails());
  }

  @Test
  void the_halves_of_a_failed_batch_are_tested_apart() {
    aFailedBatchOfFour();
    assertThat(queue).reads("main; bisecting A+B (testing), C+D (testing)");
    assertThat(A).isTestedOn("m0 A B").went(PullRequestState.TESTING, "bisecting");
    assertThat(C).isTestedOn("m0 C D");
  }

  @Test
  void a_half_that_passes_goes_back_to_the_queue_and_merges() {
    aFailedBatchOfFour().finish(A.passes());
    assertThat(queue).reads("main <- A+B (testing); bisecting C+D (testing)");

    queue.finish(A.passes());
    assertThat(A).wasMerged();
    assertThat(B).wasMerged();
  }

  @Test
  void a_half_that_fails_is_halved_again() {
    aFailedBatchOfFour().finish(A.fails());
    assertThat(queue).reads("main; bisecting C+D (testing), A (testing), B (testing)");
  }

  @Test
  void in_the_end_the_guilty_are_rejected_and_the_rest_merges() {
    aFailedBatchOfFour().finish(A.passes(), C.fails()).finish(C.passes(), D.fails());
    assertThat(D).wasRejected("test_failed");
    assertThat(queue).reads("main <- A+B (testing) <- C (testing)");

    queue.finish(A.passes(), C.passes());
    assertThat(A).wasMerged();
    assertThat(B).wasMerged();
    assertThat(C).wasMerged();
  }

  @Test
  void several_guilty_ones_are_all_found() {
    aFailedBatchOfFour().finish(A.fails(), C.fails());
    queue.finish(A.fails(), B.passes(), C.passes(), D.fails());
    assertThat(A).wasRejected("test_failed");
    assertThat(D).wasRejected("test_failed");
    assertThat(queue).reads("main <- B (testing) <- C (testing)");
  }

  @Test
  void two_that_only_fail_together_end_with_the_second_one_rejected() {
    queue.batches(2).submit(A, B).finish(A.fails()).finish(A.passes(), B.passes());
    assertThat(queue).reads("main <- A (testing) <- B (testing)");

    queue.finish(A.passes(), B.fails());
    assertThat(A).wasMerged();
    assertThat(B).wasRejected("test_failed");
  }

  @Test
  void those_cleared_together_are_tested_together_and_with_nobody_else() {
    aFailedBatchOfFour().submit(E).finish(A.passes());
    assertThat(queue).reads("main <- A+B (testing) <- E (pending); bisecting C+D (testing)");
  }

  @Test
  void what_stood_on_the_batch_is_retested_without_it() {
    queue.batches(2).submit(A, B, C, D).finish(A.fails());
    assertThat(queue).reads("main <- C+D (testing); bisecting A (testing), B (testing)");
    assertThat(C).isTestedOn("m0 C D");
  }

  @Test
  void a_batch_is_bisected_only_once_all_it_stands_on_has_merged() {
    queue.batches(2).submit(A, B, C, D).finish(C.fails());
    assertThat(queue).reads("main <- A+B (testing) <- C+D (pending failure)");

    queue.finish(A.passes());
    assertThat(queue).reads("main; bisecting C (testing), D (testing)");
    assertThat(C).isTestedOn("m2 C");
  }

  @Test
  void bisection_has_slots_of_its_own() {
    queue.settings(s -> s.concurrency(1).bisectionConcurrency(Optional.of(1)));
    aFailedBatchOfFour().submit(E.alone());
    assertThat(queue).reads("main <- E (testing); bisecting A+B (testing), C+D (pending)");

    queue.finish(A.passes());
    assertThat(queue)
        .reads("main <- E (testing) <- A (pending) <- B (pending); bisecting C+D (testing)");
  }

  @Test
  void without_a_number_it_has_as_many_slots_as_the_queue() {
    queue.slots(1);
    aFailedBatchOfFour();
    assertThat(queue).reads("main; bisecting A+B (testing), C+D (pending)");
  }

  @Test
  void a_paused_queue_starts_no_bisection() {
    queue.batches(2).submit(A, B).becomes(PAUSED).finish(A.fails());
    assertThat(queue).reads("main; bisecting A (pending), B (pending)");
  }

  @Test
  void a_member_that_leaves_its_half_is_left_out() {
    aFailedBatchOfFour().cancel(A);
    assertThat(queue).reads("main; bisecting B (testing), C+D (testing)");
    assertThat(B).isTestedOn("m0 B");
  }

  @Test
  void a_conflict_within_a_batch_needs_no_bisection() {
    queue.batches(2).forge.conflict(A.ref(), B.ref());
    queue.submit(A, B);
    assertThat(queue).reads("main <- A (testing) <- B (pending failure)");

    queue.finish(A.passes());
    assertThat(B).wasRejected("merge_conflict");
  }

  @Test
  void its_tests_can_be_restarted() {
    aFailedBatchOfFour();
    RunId first = queue.runOf(A);
    queue.restart(A);
    Assertions.assertThat(queue.runOf(A)).isNotEqualTo(first);
    assertThat(queue).reads("main; bisecting A+B (testing), C+D (testing)");
  }

  private QueueByHand skippingRedundantTests() {
    return queue.settings(s -> s.optimizationMode(BISECTION_SKIP_REDUNDANT_TESTS));
  }

  @Test
  void skipping_redundant_tests_the_second_half_waits_for_the_first() {
    skippingRedundantTests();
    aFailedBatchOfFour();
    assertThat(queue).reads("main; bisecting A+B (testing), C+D (pending)");
  }

  @Test
  void if_the_first_half_passes_the_second_is_known_to_fail_and_halved_without_a_run() {
    skippingRedundantTests();
    aFailedBatchOfFour().finish(A.passes());
    assertThat(queue).reads("main <- A+B (testing); bisecting C (testing), D (pending)");
    assertThat(C).isTestedOn("m0 A B C");
  }

  @Test
  void a_single_one_left_over_is_rejected_without_a_run_once_the_others_have_merged() {
    skippingRedundantTests();
    aFailedBatchOfFour().finish(A.passes()).finish(C.passes());
    assertThat(queue).reads("main <- A+B (testing) <- C (testing); bisecting D (pending failure)");

    queue.finish(A.passes(), C.passes());
    assertThat(C).wasMerged();
    assertThat(D).wasRejected("test_failed");
    Assertions.assertThat(queue.runsStarted(RunKind.BISECTION)).isEqualTo(2);
  }

  @Test
  void if_one_of_those_others_leaves_the_single_one_is_tested_after_all() {
    skippingRedundantTests();
    queue.batches(2).submit(A, B).finish(A.fails()).finish(A.passes());
    assertThat(queue).reads("main <- A (testing); bisecting B (pending failure)");

    queue.cancel(A);
    assertThat(queue).reads("main; bisecting B (testing)");
    assertThat(B).isTestedOn("m0 B");
    queue.finish(B.passes()).finish(B.passes());
    assertThat(B).wasMerged();
  }

  @Test
  void if_the_first_half_fails_the_second_is_tested() {
    skippingRedundantTests();
    aFailedBatchOfFour().finish(A.fails());
    assertThat(queue).reads("main; bisecting C+D (testing), A (testing), B (pending)");
  }
}
