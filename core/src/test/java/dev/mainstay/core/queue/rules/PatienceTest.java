package dev.mainstay.core.queue.rules;

import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.QueueEvent;
import org.junit.jupiter.api.Test;

class PatienceTest extends QueueTest {
  private QueueByHand depth(int depth) {
    return queue.settings(s -> s.pendingFailureDepth(depth));
  }

  @Test
  void without_a_depth_a_failure_of_its_own_is_decided_at_once() {
    queue.submit(A, B).finish(A.fails());
    assertThat(A).wasRejected("test_failed");
  }

  @Test
  void with_a_depth_of_one_it_waits_for_the_next_one_to_finish() {
    depth(1).submit(A, B, C).finish(A.fails());
    assertThat(queue).reads("main <- A (pending failure) <- B (testing) <- C (testing)");

    queue.finish(B.fails());
    assertThat(A).wasRejected("test_failed");
    assertThat(queue).reads("main <- B (testing) <- C (testing)");
  }

  @Test
  void without_optimistic_merging_a_passing_successor_changes_nothing() {
    depth(1).submit(A, B).finish(A.fails(), B.passes());
    assertThat(A).wasRejected("test_failed");
    assertThat(queue).reads("main <- B (testing)");
  }

  @Test
  void with_a_depth_of_two_it_waits_for_two() {
    depth(2).submit(A, B, C, D).finish(A.fails(), B.fails());
    assertThat(A).is(PullRequestState.PENDING_FAILURE);

    queue.finish(C.fails());
    assertThat(A).wasRejected("test_failed");
  }

  @Test
  void it_waits_for_those_that_come_meanwhile_too() {
    depth(2).submit(A, B).finish(A.fails());
    queue.submit(C).finish(B.fails());
    assertThat(queue).reads("main <- A (pending failure) <- B (pending failure) <- C (testing)");

    queue.finish(C.fails());
    assertThat(A).wasRejected("test_failed");
  }

  @Test
  void it_does_not_wait_for_one_that_cannot_be_built_before_it_is_decided() {
    queue.forge.conflict(A.ref(), B.ref());
    depth(2).parallel();
    queue.submit(A.touching("x"), B.touching("y"), C.touching("x", "y")).finish(A.fails());
    assertThat(A).wasRejected("test_failed");
    queue.minutesPass(1);
    assertThat(C).isTestedOn("m0 B C");
  }

  @Test
  void it_waits_no_more_for_those_that_come_to_stand_on_one_that_cannot_be_built() {
    depth(1).slots(3).parallel().holdBuilds();
    queue.submit(A.touching("a"), B.touching("b"), C.touching("c"), D.touching("b", "c"));
    queue.submit(E.touching("a", "b"), F.touching("a")).finish(A.fails());
    queue.tell(new QueueEvent.TestBranchConflicted(queue.runOf(D), C.ref(), false));
    assertThat(E).is(PullRequestState.TESTING);
    assertThat(F).is(PullRequestState.PENDING);
    assertThat(A).wasRejected("test_failed");
  }

  @Test
  void it_waits_for_one_that_waits_for_its_slot() {
    depth(1).slots(1).submit(A, B).finish(A.fails());
    assertThat(queue).reads("main <- A (pending failure) <- B (testing)");

    queue.finish(B.fails());
    assertThat(A).wasRejected("test_failed");
  }

  @Test
  void it_does_not_wait_where_nobody_is_behind_it() {
    depth(3).submit(A).finish(A.fails());
    assertThat(A).wasRejected("test_failed");
  }

  @Test
  void it_does_not_wait_for_those_beyond_the_depth() {
    depth(1).submit(A, B, C).finish(B.fails(), A.fails());
    assertThat(A).wasRejected("test_failed");
    assertThat(queue).reads("main <- B (testing) <- C (testing)");
  }

  @Test
  void it_does_not_wait_for_another_lane() {
    depth(1).parallel().submit(A.touching("app"), B.touching("docs")).finish(A.fails());
    assertThat(A).wasRejected("test_failed");
  }

  @Test
  void it_waits_for_all_lanes_that_stand_on_it() {
    depth(1).parallel();
    queue.submit(A.touching("a", "b"), B.touching("a"), C.touching("b")).finish(A.fails());
    queue.finish(C.fails());
    assertThat(A).is(PullRequestState.PENDING_FAILURE);

    queue.finish(B.fails());
    assertThat(A).wasRejected("test_failed");
  }

  @Test
  void first_it_waits_for_all_it_stands_on() {
    depth(1).submit(A, B, C).finish(B.fails(), C.fails());
    assertThat(B).is(PullRequestState.PENDING_FAILURE);

    queue.finish(A.passes());
    assertThat(B).wasRejected("test_failed");
  }
}
