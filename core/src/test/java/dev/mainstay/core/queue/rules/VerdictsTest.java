package dev.mainstay.core.queue.rules;

import static dev.mainstay.core.queue.PullRequestState.PENDING_FAILURE;
import static dev.mainstay.core.queue.PullRequestState.TESTING;

import dev.mainstay.core.queue.CheckState;
import dev.mainstay.core.queue.Connection;
import dev.mainstay.core.queue.QueueEvent;
import org.junit.jupiter.api.Test;

class VerdictsTest extends QueueTest {
  @Test
  void one_that_fails_and_stands_on_nothing_is_rejected() {
    queue.submit(A).finish(A.fails());
    assertThat(A).wasRejected("test_failed").says("ci");
    assertThat(queue).reads("main");
  }

  @Test
  void a_failure_ahead_does_not_punish_the_one_behind() {
    queue.submit(A, B).finish(A.fails(), B.fails());
    assertThat(A).wasRejected("test_failed");
    assertThat(queue).reads("main <- B (testing)");
  }

  @Test
  void one_that_fails_waits_for_all_it_stands_on() {
    queue.submit(A, B).finish(B.fails());
    assertThat(queue).reads("main <- A (testing) <- B (pending failure)");
    assertThat(B).went(PENDING_FAILURE, "test_failed");
  }

  @Test
  void if_all_it_stands_on_pass_the_failure_is_its_own() {
    queue.submit(A, B).finish(B.fails(), A.passes());
    assertThat(A).wasMerged();
    assertThat(B).wasRejected("test_failed");
  }

  @Test
  void if_one_it_stands_on_leaves_it_is_retested_without_it() {
    queue.submit(A, B).finish(B.fails()).cancel(A);
    assertThat(queue).reads("main <- B (testing)");
    assertThat(B).isTestedOn("m0 B").went(TESTING, "predecessor_left").says("without #1");

    queue.finish(B.passes());
    assertThat(B).wasMerged();
  }

  @Test
  void if_one_it_stands_on_fails_it_is_retested_without_it() {
    queue.submit(A, B, C).finish(C.fails(), B.fails());
    assertThat(queue).reads("main <- A (testing) <- B (pending failure) <- C (testing)");
    assertThat(C).went(TESTING, "assumption_changed").isTestedOn("m0 A C");

    queue.finish(A.passes());
    assertThat(B).wasRejected("test_failed");
    assertThat(queue).reads("main <- C (testing)");
    assertThat(C).isTestedOn("m0 A C");
  }

  @Test
  void those_that_stood_on_a_rejected_one_are_retested_even_if_they_passed() {
    queue.submit(A, B).finish(B.passes(), A.fails());
    assertThat(queue).reads("main <- B (testing)");
    assertThat(B).isTestedOn("m0 B");
  }

  @Test
  void one_failed_status_is_enough() {
    queue.tell(new QueueEvent.ConnectionChanged(connection("unit", "lint"))).submit(A);
    queue.tell(new QueueEvent.StatusReported(queue.runOf(A), "unit", CheckState.SUCCESS));
    queue.tell(new QueueEvent.StatusReported(queue.runOf(A), "lint", CheckState.FAILURE));
    assertThat(A).wasRejected("test_failed").says("lint");
  }

  private static Connection connection(String... statuses) {
    return new Connection(true, java.util.List.of(statuses), false);
  }
}
