package dev.mainstay.core.queue.rules;

import static dev.mainstay.core.queue.PullRequestState.PENDING;
import static dev.mainstay.core.queue.PullRequestState.TESTING;
import static dev.mainstay.core.queue.QueueLifecycle.PAUSED;

import dev.mainstay.core.queue.Priority;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.QueueLifecycle;
import dev.mainstay.core.queue.RunId;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

class PrioritiesTest extends QueueTest {
  @Test
  void smaller_goes_first_then_first_come() {
    queue.slots(1).submit(A, B.low(), C, D.high(), E, F.with(new Priority(99)));
    assertThat(queue)
        .reads(
            "main <- A (testing) <- D (pending) <- F (pending) <- C (pending) <- E (pending)"
                + " <- B (pending)");
  }

  @Test
  void nothing_under_test_is_interrupted() {
    queue.slots(2).submit(A.low(), B.low(), C.high());
    assertThat(queue).reads("main <- A (testing) <- B (testing) <- C (pending)");
  }

  @Test
  void medium_is_the_default() {
    Assertions.assertThat(Priority.DEFAULT.name()).contains("medium");
    Assertions.assertThat(Priority.DEFAULT.value()).isEqualTo(100);
  }

  @Test
  void urgent_is_tested_at_once_and_what_then_stands_on_it_restarts() {
    queue.slots(3).submit(A, B, U.urgent());
    assertThat(queue).reads("main <- U (testing) <- A (testing) <- B (testing)");
    assertThat(U).isTestedOn("m0 U");
    assertThat(A).isTestedOn("m0 U A").went(TESTING, "interrupted_by_urgent");
    assertThat(B).isTestedOn("m0 U A B");
  }

  @Test
  void what_lost_its_slot_to_urgent_is_pending_again() {
    queue.slots(2).submit(A, B, U.urgent());
    assertThat(queue).reads("main <- U (testing) <- A (testing) <- B (pending)");
    assertThat(B).went(PENDING, "interrupted_by_urgent");
  }

  @Test
  void urgent_goes_behind_what_is_proven_and_only_waits_to_merge() {
    queue.holdLandings().submit(A, B, C).finish(A.passes(), B.passes()).submit(U.urgent());
    assertThat(queue)
        .reads("main <- A (tests passed) <- B (tests passed) <- U (testing) <- C (testing)");
    assertThat(U).isTestedOn("m0 A B U");
  }

  @Test
  void urgent_does_not_interrupt_urgent() {
    queue.slots(1).submit(A.urgent(), U.urgent());
    assertThat(queue).reads("main <- A (testing) <- U (pending)");
  }

  @Test
  void urgent_goes_behind_urgent_and_before_the_rest() {
    queue.slots(3).submit(A, B.urgent(), U.urgent());
    assertThat(queue).reads("main <- B (testing) <- U (testing) <- A (testing)");
    assertThat(B).isTestedOn("m0 B");
    assertThat(U).isTestedOn("m0 B U");
  }

  @Test
  void urgent_goes_behind_the_last_urgent_whatever_is_ahead_of_that() {
    queue.submit(A.urgent(), B.urgent(), C).submit(A.low());
    RunId kept = queue.runOf(B);
    queue.submit(U.urgent());
    assertThat(queue).reads("main <- A (testing) <- B (testing) <- U (testing) <- C (testing)");
    Assertions.assertThat(queue.runOf(B)).isEqualTo(kept);
  }

  @Test
  void in_parallel_mode_urgent_restarts_only_what_meets_it() {
    queue.parallel().submit(A.touching("app"), B.touching("docs"));
    RunId other = queue.runOf(B);
    queue.submit(U.urgent().touching("app"));
    assertThat(queue).reads("main <- U (testing) <- A (testing); main <- B (testing)");
    Assertions.assertThat(queue.runOf(B)).isEqualTo(other);
  }

  @Test
  void without_a_free_slot_urgent_takes_that_of_the_last_one_under_test() {
    queue.parallel().slots(2).submit(A.touching("app"), B.touching("docs"));
    queue.submit(U.urgent().touching("new"));
    assertThat(queue).reads("main <- U (testing); main <- A (testing); main <- B (pending)");
    assertThat(B).went(PENDING, "interrupted_by_urgent");
  }

  @Test
  void urgent_waits_while_the_queue_is_paused() {
    queue.submit(A, U).cancel(U).becomes(PAUSED).submit(U.urgent());
    assertThat(queue).reads("main <- A (testing); not ready U");
  }

  @Test
  void one_that_becomes_urgent_while_it_waits_is_tested_at_once() {
    queue.slots(1).submit(A, B, C).submit(C.urgent());
    assertThat(queue).reads("main <- C (testing) <- A (pending) <- B (pending)");
  }

  @Test
  void one_that_becomes_urgent_under_test_stays_where_it_is() {
    queue.submit(A, B).submit(B.urgent());
    assertThat(queue).reads("main <- A (testing) <- B (testing)").started(2);
  }

  @Test
  void urgent_that_is_not_ready_interrupts_nobody() {
    queue.retarget(U, "develop").slots(1).submit(A, U.urgent());
    assertThat(queue).reads("main <- A (testing); not ready U");
  }

  @Test
  void one_that_failed_gets_another_chance_when_urgent_goes_before_it() {
    queue.submit(A, B).finish(B.fails()).submit(U.urgent());
    assertThat(queue).reads("main <- U (testing) <- A (testing) <- B (testing)");
  }

  @Test
  void urgent_that_must_be_tested_again_is_given_a_slot_before_the_rest() {
    queue.slots(3).submit(A, B, C).submit(C.urgent()).slots(2).someoneMovesMain();
    assertThat(queue).reads("main <- A (testing) <- C (testing) <- B (pending)");
    assertThat(C).isTestedOn("m1 A C");
  }

  @Test
  void urgent_that_rests_takes_no_slot_from_urgent() {
    queue.slots(1).holdBuilds().submit(A);
    notBuilt(A).submit(U.urgent()).minutesPass(1).submit(B.urgent());
    assertThat(queue).reads("main <- U (testing) <- A (pending) <- B (pending)");

    notBuilt(U);
    assertThat(queue).reads("main <- U (pending) <- B (testing) <- A (pending)");
  }

  @Test
  void urgent_that_stands_on_two_in_conflict_lets_them_be_tested() {
    queue.parallel().forge.conflict(A.ref(), B.ref());
    queue.submit(A.touching("x"), B.touching("y"), U.touching("x", "y"));
    assertThat(U).went(PENDING, "predecessors_conflict");

    RunId kept = queue.runOf(B);
    queue.slots(2).submit(U.urgent()).minutesPass(5);
    Assertions.assertThat(queue.runOf(B)).isEqualTo(kept);

    queue.finish(A.fails());
    assertThat(U).isTestedOn("m0 B U");
  }

  @Test
  void urgent_whose_branch_cannot_be_built_interrupts_another_only_once() {
    queue.parallel().slots(1).submit(A.touching("x")).holdBuilds().submit(U.urgent().touching("y"));
    notBuilt(U);
    assertThat(queue).reads("main <- U (pending); main <- A (testing)");

    RunId kept = queue.runOf(A);
    queue.minutesPass(5);
    Assertions.assertThat(queue.runOf(A)).isEqualTo(kept);
    assertThat(queue).reads("main <- U (pending); main <- A (testing)");
  }

  @Test
  void urgent_that_comes_behind_one_that_has_rested_is_tested_at_once() {
    queue.parallel().slots(2).submit(A.touching("x")).holdBuilds().submit(U.urgent().touching("y"));
    notBuilt(U).becomes(QueueLifecycle.PAUSED).minutesPass(5);
    queue.submit(B.urgent().touching("z")).becomes(QueueLifecycle.RUNNING);
    assertThat(B).went(TESTING, "slot_free");
    assertThat(queue).reads("main <- U (pending); main <- B (testing); main <- A (testing)");
  }

  private QueueByHand notBuilt(Pr pr) {
    return queue.tell(new QueueEvent.TestBranchNotBuilt(queue.runOf(pr), "The forge is away."));
  }
}
