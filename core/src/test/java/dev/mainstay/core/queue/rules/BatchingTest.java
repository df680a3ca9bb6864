package dev.mainstay.core.queue.rules;

import static dev.mainstay.core.queue.QueueLifecycle.PAUSED;
import static dev.mainstay.core.queue.QueueLifecycle.RUNNING;

import dev.mainstay.core.queue.ImpactedTargets;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.Reason;
import dev.mainstay.core.queue.ReasonCode;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

class BatchingTest extends QueueTest {
  @Test
  void without_batching_one_pull_request_is_a_group() {
    queue.submit(A, B);
    assertThat(queue).reads("main <- A (testing) <- B (testing)");
  }

  @Test
  void a_group_is_closed_when_it_is_full() {
    queue.batches(2).submit(A);
    assertThat(queue).reads("main <- A (pending)");

    queue.submit(B);
    assertThat(queue).reads("main <- A+B (testing)");
    assertThat(A).isTestedOn("m0 A B");
  }

  @Test
  void a_group_is_closed_when_its_oldest_member_has_waited_the_longest_wait() {
    queue.batches(4).submit(A).minutesPass(3).submit(B).minutesPass(1);
    assertThat(queue).reads("main <- A (pending) <- B (pending)");

    queue.minutesPass(1);
    assertThat(queue).reads("main <- A+B (testing)");
  }

  @Test
  void a_longest_wait_of_nothing_closes_at_once() {
    queue.batches(4).settings(s -> s.batchingMaxWaitTimeMinutes(0)).submit(A);
    assertThat(queue).reads("main <- A (testing)");
  }

  @Test
  void groups_go_on_growing_while_no_slot_is_free() {
    queue.batches(3).settings(s -> s.batchingMaxWaitTimeMinutes(0)).slots(1);
    queue.submit(A, B, C, D, E);
    assertThat(queue)
        .reads("main <- A (testing) <- B (pending) <- C (pending) <- D (pending) <- E (pending)");

    queue.finish(A.passes());
    assertThat(queue).reads("main <- B+C+D (testing) <- E (pending)");
  }

  @Test
  void noBatch_is_a_group_of_its_own_and_waits_for_nobody_to_join() {
    queue.batches(2).submit(A, B.alone());
    assertThat(queue).reads("main <- B (testing) <- A (pending)");

    queue.submit(C);
    assertThat(queue).reads("main <- B (testing) <- A+C (testing)");
  }

  @Test
  void a_batch_merges_as_one() {
    queue.batches(2).submit(A, B).finish(A.passes());
    assertThat(A).wasMerged();
    assertThat(B).wasMerged();
    assertThat(queue).started(1);
  }

  @Test
  void a_member_that_leaves_is_left_out_and_the_rest_is_retested() {
    queue.batches(3).submit(A, B, C).cancel(B);
    assertThat(queue).reads("main <- A+C (testing)");
    assertThat(A).isTestedOn("m0 A C").went(PullRequestState.TESTING, "predecessor_left");
  }

  @Test
  void in_parallel_mode_only_those_whose_targets_meet_are_grouped() {
    queue.parallel().batches(2);
    queue.submit(A.touching("app"), B.touching("docs"), C.touching("app", "lib"));
    assertThat(queue).reads("main <- A+C (testing); main <- B (pending)");
  }

  @Test
  void in_parallel_mode_one_joins_the_next_group_that_it_meets_when_the_first_is_full() {
    queue.parallel().batches(3).becomes(PAUSED);
    queue.submit(A.touching("docs"), B.touching("app"), C.touching("docs", "app"));
    queue.submit(D.touching("app"), E.touching("app"), F.touching("app"));
    queue.becomes(RUNNING);
    assertThat(F).isTestedOn("m0 A C F");
    assertThat(D).isTestedOn("m0 A C F B D E");
  }

  @Test
  void in_parallel_mode_one_that_touches_nothing_goes_alone_and_at_once() {
    queue.parallel().batches(2).submit(A.touching("app"), B.touching());
    assertThat(queue).reads("main <- B (testing); main <- A (pending)");
  }

  @Test
  void in_parallel_mode_ALL_may_join_any_group() {
    queue.parallel().batches(2);
    queue.submit(A.touching("app"), B.touching(ImpactedTargets.ALL));
    assertThat(queue).reads("main <- A+B (testing)");

    queue.submit(C.touching(ImpactedTargets.ALL), D.touching("docs"));
    assertThat(queue).reads("main <- A+B (testing) <- C+D (testing)");
  }

  @Test
  void those_of_higher_priority_are_grouped_first() {
    queue.slots(1).submit(A).batches(2).submit(B.low(), C, D.high()).finish(A.passes());
    assertThat(queue).reads("main <- D+C (testing) <- B (pending)");
  }

  @Test
  void urgent_is_never_batched() {
    queue.batches(2).submit(A, U.urgent());
    assertThat(queue).reads("main <- U (testing) <- A (pending)");
  }

  @Test
  void who_has_waited_once_does_not_wait_again_for_company() {
    queue.batches(4).slots(1).submit(A).minutesPass(5);
    queue.becomes(PAUSED).someoneMovesMain();
    assertThat(queue).reads("main <- A (pending)");
    queue.becomes(RUNNING);
    assertThat(queue).reads("main <- A (testing)");
  }

  @Test
  void while_slots_are_free_a_batch_waits_to_fill() {
    queue.batches(4).submit(A);
    Assertions.assertThat(why(A).code()).isEqualTo(ReasonCode.BATCH_FILLING);
    Assertions.assertThat(why(A).sentence())
        .isEqualTo(
            "It waits for its batch to fill: 1 of 4, until 2026-01-01T00:05:00Z at the latest.");
    queue.submit(B);
    Assertions.assertThat(why(A).sentence()).contains("2 of 4").contains("00:05:00Z");
  }

  @Test
  void without_a_free_slot_a_batch_waits_for_one() {
    queue.slots(1).batches(2).submit(A, B, C);
    Assertions.assertThat(why(C).code()).isEqualTo(ReasonCode.READY);
  }

  private Reason why(Pr pr) {
    return new Places(queue.state).reason(queue.state.member(pr.ref()));
  }
}
