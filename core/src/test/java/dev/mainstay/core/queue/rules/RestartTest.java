package dev.mainstay.core.queue.rules;

import static dev.mainstay.core.queue.PullRequestState.TESTING;

import dev.mainstay.core.queue.CheckState;
import dev.mainstay.core.queue.RunId;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

class RestartTest extends QueueTest {
  @Test
  void it_is_restarted_in_place_and_nobody_else_is_retested() {
    queue.submit(A, B, C);
    RunId old = queue.runOf(B);
    RunId behind = queue.runOf(C);
    queue.restart(B);
    assertThat(queue).reads("main <- A (testing) <- B (testing) <- C (testing)").started(4);
    assertThat(B).isTestedOn("m0 A B").went(TESTING, "restarted");
    Assertions.assertThat(queue.cancelled(old)).isTrue();
    Assertions.assertThat(queue.runOf(C)).isEqualTo(behind);
  }

  @Test
  void one_that_failed_is_tested_again() {
    queue.submit(A, B).finish(B.fails()).restart(B);
    assertThat(queue).reads("main <- A (testing) <- B (testing)");

    queue.finish(B.passes(), A.passes());
    assertThat(B).wasMerged();
  }

  @Test
  void one_that_passed_is_tested_again() {
    queue.submit(A, B).finish(B.passes()).restart(B);
    assertThat(queue).reads("main <- A (testing) <- B (testing)");
  }

  @Test
  void without_a_free_slot_it_waits_in_place() {
    queue.slots(1).submit(A, B).finish(A.fails());
    queue.submit(C).slots(1);
    assertThat(queue).reads("main <- B (testing) <- C (pending)");

    queue.slots(2).finish(C.passes()).slots(1).submit(D.high()).restart(C);
    assertThat(queue).reads("main <- B (testing) <- C (pending) <- D (pending)");

    queue.finish(B.passes());
    assertThat(queue).reads("main <- C (testing) <- D (pending)");
    assertThat(C).went(TESTING, "restarted");
  }

  @Test
  void a_batch_is_restarted_as_one() {
    queue.batches(2).submit(A, B).restart(B);
    assertThat(queue).reads("main <- A+B (testing)").started(2);
  }

  @Test
  void one_that_waits_for_a_slot_has_nothing_to_restart() {
    queue.slots(1).submit(A, B).restart(B);
    assertThat(queue).reads("main <- A (testing) <- B (pending)").started(1);
  }

  @Test
  void one_that_is_being_merged_is_not_restarted() {
    queue.holdLandings().submit(A).finish(A.passes()).restart(A);
    assertThat(queue).reads("main <- A (tests passed)").started(1);
  }

  @Test
  void the_results_of_the_old_run_no_longer_count() {
    queue.submit(A);
    RunId old = queue.runOf(A);
    queue.restart(A).report(old, CheckState.FAILURE);
    assertThat(queue).reads("main <- A (testing)");
  }
}
