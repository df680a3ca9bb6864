package dev.mainstay.core.queue.rules;

import static dev.mainstay.core.queue.PullRequestState.PENDING_FAILURE;
import static dev.mainstay.core.queue.PullRequestState.TESTING;
import static dev.mainstay.core.queue.QueueLifecycle.DRAINING;
import static dev.mainstay.core.queue.QueueLifecycle.PAUSED;
import static dev.mainstay.core.queue.QueueLifecycle.RUNNING;

import dev.mainstay.core.queue.CheckState;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.QueueLifecycle;
import dev.mainstay.core.queue.QueueSettings.Mode;
import dev.mainstay.core.queue.RunId;
import dev.mainstay.core.queue.RunKind;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SuspicionsTest extends QueueTest {
  private void isIn(QueueLifecycle lifecycle) {
    Assertions.assertThat(queue.state.lifecycle()).isEqualTo(lifecycle);
  }

  private String warning() {
    return Warnings.of(queue.state).getFirst();
  }

  @Test
  void what_the_target_branch_fails_in_too_blames_nobody_and_pauses_the_queue() {
    queue.submit(A, B).fails(A, "!adds");
    assertThat(A).went(PENDING_FAILURE, "target_suspected");
    isIn(PAUSED);
    Assertions.assertThat(warning())
        .isEqualTo(
            "adds failed, and it fails on main, too: main is tested by itself, and nobody is blamed"
                + " until it passes.");
    Assertions.assertThat(queue.started(queue.target()).tested()).isEmpty();
    Assertions.assertThat(queue.started(queue.target()).kind()).isEqualTo(RunKind.TARGET);

    queue.fails(B, "own").submit(C);
    assertThat(B).went(PENDING_FAILURE, "target_suspected");
    Assertions.assertThat(queue.runsStarted()).hasSize(3);
  }

  @Test
  void once_the_target_branch_passes_the_queue_goes_on_and_what_failed_is_tested_again() {
    queue.submit(A, B).fails(A, "!adds").report(queue.target(), CheckState.SUCCESS);
    isIn(RUNNING);
    assertThat(queue).reads("main <- A (testing) <- B (testing)");
    assertThat(A).went(TESTING, "target_passed");

    queue.finish(A.passes(), B.passes());
    assertThat(B).wasMerged();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_guess_that_failed_meanwhile_blames_nobody_either(boolean toldToGoOn) {
    queue.settings(s -> s.speculationBudget(1)).submit(A, B);
    RunId guess = queue.state.groupOf(B.ref()).orElseThrow().guesses().getFirst().id();
    queue.tellTwice(new QueueEvent.TestsFailed(guess, 1, QueueByHand.tests("!adds")));
    queue.report(guess, CheckState.FAILURE);
    isIn(PAUSED);
    if (toldToGoOn) {
      queue.becomes(RUNNING);
    } else {
      queue.report(queue.target(), CheckState.SUCCESS);
    }
    isIn(RUNNING);

    queue.cancel(A);
    assertThat(B).is(TESTING).isTestedOn("m0 B");
    queue.finish(B.passes());
    assertThat(B).wasMerged();
  }

  @Test
  void a_suspicion_that_came_to_nothing_is_not_raised_again_until_the_target_branch_moves() {
    queue.submit(A).fails(A, "!adds").report(queue.target(), CheckState.SUCCESS);
    queue.fails(A, "!adds");
    assertThat(A).wasRejected("test_failed");

    queue.submit(B).fails(B, "!adds");
    assertThat(B).wasRejected("test_failed");

    queue.submit(C).someoneMovesMain().fails(C, "!adds");
    isIn(PAUSED);
  }

  @Test
  void a_target_branch_that_fails_is_tested_again_when_it_moves_and_after_a_while() {
    queue.submit(A).fails(A, "!adds");
    RunId first = queue.target();
    queue.report(first, CheckState.FAILURE);
    isIn(PAUSED);
    Assertions.assertThat(warning())
        .startsWith("main itself does not pass (The status ci failed.) The queue is paused until");

    queue.minutesPass(30);
    RunId second = queue.target();
    Assertions.assertThat(second).isNotEqualTo(first);
    queue.report(second, CheckState.FAILURE);
    queue.someoneMovesMain();
    RunId third = queue.target();
    Assertions.assertThat(queue.started(third).base().value()).isEqualTo("m1");
    queue.report(third, CheckState.SUCCESS);
    isIn(RUNNING);
    assertThat(A).isTestedOn("m1 A");
  }

  @Test
  void the_same_failure_in_unrelated_runs_is_not_the_fault_of_either() {
    queue.parallel().submit(A.touching("a"), B.touching("b")).fails(A, "own", "adds");
    assertThat(A).wasRejected("test_failed");

    queue.fails(B, "other", "adds");
    assertThat(B).went(PENDING_FAILURE, "target_suspected");
    Assertions.assertThat(warning()).startsWith("adds failed in unrelated runs, of #1 and of #2:");
  }

  @Test
  void a_test_that_later_results_add_blames_nobody_either() {
    queue.submit(A, B).fails(B, "own").results(B, "own", "!adds");
    isIn(PAUSED);

    queue.report(queue.target(), CheckState.SUCCESS);
    assertThat(B).went(TESTING, "target_passed");
    queue.finish(A.passes(), B.passes());
    assertThat(B).wasMerged();
  }

  @Test
  void a_test_that_later_results_add_is_compared_with_unrelated_runs() {
    queue.parallel().submit(A.touching("a"), B.touching("a", "b"), C.touching("c"));
    queue.fails(B, "own").fails(C, "adds").results(B, "own", "adds");
    isIn(PAUSED);
    Assertions.assertThat(warning())
        .startsWith("adds failed in unrelated runs, of #3 and of #2 and #1:");
  }

  @Test
  void what_is_learned_of_the_target_branch_later_counts_too() {
    queue.submit(A, B).fails(B, "adds").results(B, "!adds");
    isIn(PAUSED);
  }

  @Test
  void the_same_results_told_again_raise_no_suspicion_anew() {
    queue.submit(A, B, C).fails(A, "!adds").report(queue.target(), CheckState.SUCCESS);
    queue.fails(C, "own", "!adds").finish(A.passes()).results(C, "own", "!adds");
    assertThat(A).wasMerged();
    isIn(RUNNING);

    queue.finish(B.passes());
    assertThat(C).wasRejected("test_failed");
  }

  @Test
  void what_spoke_for_unrelated_changes_before_one_passed_is_not_heard_again_when_told_again() {
    queue.parallel().submit(A.touching("a"), B.touching("a", "b"), C.touching("c"));
    queue.submit(D.touching("d")).fails(B, "adds").finish(C.passes()).results(B, "adds");
    queue.fails(D, "adds");
    assertThat(D).wasRejected("test_failed");
    isIn(RUNNING);
  }

  @Test
  void one_that_passes_between_them_speaks_for_the_target_branch() {
    queue.parallel().submit(A.touching("a"), B.touching("b"), C.touching("c"));
    queue.fails(A, "adds").finish(C.passes()).fails(B, "adds");
    assertThat(B).wasRejected("test_failed");
  }

  @Test
  void one_that_failed_before_another_passed_says_nothing_though_it_waits() {
    queue.parallel().submit(A.touching("a"), B.touching("a", "b"), C.touching("c"));
    queue.submit(D.touching("d")).fails(B, "adds").finish(C.passes()).fails(D, "adds");
    assertThat(D).wasRejected("test_failed");
    isIn(RUNNING);
  }

  @Test
  void runs_that_hold_the_same_change_are_related() {
    queue.submit(A, B).fails(B, "adds").fails(A, "adds");
    assertThat(A).wasRejected("test_failed");
    isIn(RUNNING);
  }

  @Test
  void flaky_tests_say_nothing_of_the_target_branch() {
    queue.settings(s -> s.flakeRetries(0)).parallel();
    queue.submit(A.touching("a"), B.touching("b")).fails(A, "(shaky)").fails(B, "(shaky)");
    assertThat(B).wasRejected("test_failed");
  }

  @Test
  void a_batch_is_not_split_while_the_target_branch_is_suspected() {
    queue.batches(2).submit(A, B).fails(A, "!adds");
    Assertions.assertThat(queue.runsStarted(RunKind.BISECTION)).isZero();
    queue.report(queue.target(), CheckState.SUCCESS);
    assertThat(queue).reads("main <- A+B (testing)");
  }

  @Test
  void a_pause_by_people_stays() {
    queue.submit(A).fails(A, "!adds").becomes(PAUSED).report(queue.target(), CheckState.SUCCESS);
    isIn(PAUSED);
    assertThat(queue).reads("main <- A (pending)");

    queue.becomes(RUNNING);
    assertThat(queue).reads("main <- A (testing)");
  }

  @Test
  void a_queue_that_people_paused_before_tests_nothing_until_they_let_it_go_on() {
    queue.submit(A).becomes(PAUSED).fails(A, "!adds");
    Assertions.assertThat(queue.runsStarted(RunKind.TARGET)).isZero();
    queue.becomes(DRAINING);
    isIn(DRAINING);
    assertThat(queue).reads("main <- A (testing)");
    queue.fails(A, "!adds");
    isIn(PAUSED);
    queue.report(queue.target(), CheckState.SUCCESS);
    isIn(DRAINING);
  }

  @Test
  void people_may_let_it_go_on() {
    queue.submit(A).fails(A, "!adds");
    RunId target = queue.target();
    queue.becomes(RUNNING);
    isIn(RUNNING);
    Assertions.assertThat(queue.cancelled(target)).isTrue();
    assertThat(queue).reads("main <- A (testing)");
  }

  @Test
  void another_mode_waits_for_the_target_branch_too() {
    queue.submit(A).fails(A, "!adds").settings(s -> s.mode(Mode.PARALLEL));
    isIn(PAUSED);
    queue.report(queue.target(), CheckState.SUCCESS);
    isIn(QueueLifecycle.SWITCHING_MODES);
  }

  @Test
  void an_entry_that_leaves_meanwhile_takes_no_suspicion_with_it() {
    queue.submit(A).fails(A, "!adds").cancel(A);
    isIn(PAUSED);
    queue.report(queue.target(), CheckState.SUCCESS);
    isIn(RUNNING);
    assertThat(queue).reads("main");
  }
}
