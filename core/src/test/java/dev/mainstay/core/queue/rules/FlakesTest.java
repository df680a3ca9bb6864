package dev.mainstay.core.queue.rules;

import static dev.mainstay.core.queue.PullRequestState.FAILED;
import static dev.mainstay.core.queue.PullRequestState.TESTING;

import dev.mainstay.core.queue.CheckState;
import dev.mainstay.core.queue.FailingTest;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.QueueLifecycle;
import dev.mainstay.core.queue.RunId;
import dev.mainstay.core.queue.RunKind;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

class FlakesTest extends QueueTest {
  private String sentence(Pr pr) {
    return queue.historyOf(pr).getLast().reason().sentence();
  }

  private RunId expectsResults(Pr pr) {
    RunId run = queue.runOf(pr);
    queue.tellTwice(new QueueEvent.ResultsExpected(run, queue.now.plus(Duration.ofMinutes(1))));
    queue.report(run, CheckState.FAILURE);
    return run;
  }

  @Test
  void one_that_failed_only_in_flaky_tests_is_tested_again_in_its_place() {
    queue.submit(A, B);
    RunId behind = queue.runOf(B);
    queue.fails(A, "(shaky)");
    assertThat(queue).reads("main <- A (testing) <- B (testing)").started(3);
    assertThat(A).isTestedOn("m0 A").went(TESTING, "flake_retry");
    Assertions.assertThat(sentence(A))
        .isEqualTo("shaky (seen) failed, known to be flaky: it is tested again, 1 of 1 times.");
    Assertions.assertThat(queue.runOf(B)).isEqualTo(behind);

    queue.finish(A.passes(), B.passes());
    assertThat(A).wasMerged();
    assertThat(B).wasMerged();
  }

  @Test
  void those_behind_wait_for_the_results_that_may_excuse_a_failure() {
    queue.submit(A, B, C);
    RunId behind = queue.runOf(C);
    expectsResults(B);
    Assertions.assertThat(queue.runOf(C)).isEqualTo(behind);
    queue.minutesPass(2);
    assertThat(C).is(TESTING).isTestedOn("m0 A C");
  }

  @Test
  void one_that_passed_on_top_of_a_failure_has_passed_as_soon_as_that_is_excused() {
    queue.submit(A, B, C).finish(C.passes());
    RunId failed = expectsResults(B);
    queue.minutesPass(2);
    assertThat(C).is(TESTING).isTestedOn("m0 A C");
    queue.tell(new QueueEvent.TestsFailed(failed, 1, QueueByHand.tests("(shaky)")));
    assertThat(queue).reads("main <- A (testing) <- B (testing) <- C (tests passed)");
  }

  @Test
  void another_test_among_them_makes_it_a_failure_like_any_other() {
    queue.submit(A).fails(A, "own", "(shaky)");
    assertThat(A).wasRejected("test_failed");
    Assertions.assertThat(sentence(A)).isEqualTo("The status ci failed. own, shaky (seen) failed.");
  }

  @Test
  void it_is_tested_again_as_often_as_asked() {
    queue.settings(s -> s.flakeRetries(2)).submit(A);
    queue.fails(A, "(shaky)").fails(A, "(shaky)");
    assertThat(queue).reads("main <- A (testing)").started(3);

    queue.fails(A, "(shaky)");
    assertThat(A).wasRejected("test_failed");
    Assertions.assertThat(sentence(A)).endsWith("failed, also when tested again 2 times.");
  }

  @Test
  void a_conflict_of_what_is_tested_again_is_no_further_time() {
    queue.settings(s -> s.flakeRetries(2)).submit(A, B);
    queue.forge.conflict(A.ref(), B.ref());
    queue.fails(B, "(shaky)");
    assertThat(queue).reads("main <- A (testing) <- B (pending failure)");

    queue.finish(A.fails()).fails(B, "(shaky)");
    assertThat(B).is(TESTING);
    Assertions.assertThat(sentence(B)).endsWith("it is tested again, 2 of 2 times.");
  }

  @Test
  void without_retries_flakes_count() {
    queue.settings(s -> s.flakeRetries(0)).submit(A).fails(A, "(shaky)");
    assertThat(A).wasRejected("test_failed");
  }

  @Test
  void more_tests_than_are_named_are_no_flakes() {
    queue.submit(A);
    List<FailingTest> named = Collections.nCopies(20, QueueByHand.tests("(shaky)").getFirst());
    queue.tellTwice(new QueueEvent.TestsFailed(queue.runOf(A), 21, named));
    queue.finish(A.fails());
    assertThat(A).wasRejected("test_failed");
    Assertions.assertThat(sentence(A)).endsWith("shaky (seen), shaky (seen) and 18 more failed.");
  }

  @Test
  void a_restart_by_hand_begins_to_count_anew() {
    queue.submit(A).fails(A, "(shaky)").restart(A).fails(A, "(shaky)");
    assertThat(queue).reads("main <- A (testing)").started(4);
  }

  @Test
  void results_of_a_run_that_passed_change_nothing() {
    queue.holdLandings().submit(A).finish(A.passes());
    queue.tellTwice(new QueueEvent.TestsFailed(queue.runOf(A), 1, QueueByHand.tests("(shaky)")));
    assertThat(queue).reads("main <- A (tests passed)");
  }

  @Test
  void a_batch_is_tested_again_whole_and_then_its_halves_are() {
    queue.batches(2).submit(A, B).fails(A, "(shaky)");
    assertThat(queue).reads("main <- A+B (testing)").started(2);

    queue.fails(A, "(shaky)");
    Assertions.assertThat(queue.runsStarted(RunKind.BISECTION)).isEqualTo(2);

    queue.fails(A, "(shaky)");
    Assertions.assertThat(queue.runsStarted(RunKind.BISECTION)).isEqualTo(3);
    assertThat(A).went(TESTING, "flake_retry");
  }

  @Test
  void a_paused_queue_tests_nothing_again_until_it_runs() {
    queue.submit(A, B).becomes(QueueLifecycle.PAUSED).fails(A, "(shaky)");
    assertThat(queue).reads("main <- A (pending) <- B (testing)").started(2);

    queue.becomes(QueueLifecycle.RUNNING);
    assertThat(queue).reads("main <- A (testing) <- B (testing)").started(3);
  }

  @Test
  void one_that_others_prove_is_not_tested_again() {
    queue.settings(s -> s.canOptimisticallyMerge(true)).holdLandings().submit(A, B);
    queue.finish(B.passes()).fails(A, "(shaky)");
    assertThat(queue).reads("main <- A (tests passed) <- B (tests passed)").started(2);
  }

  @Test
  void a_guess_that_flaked_is_tested_again_once_it_counts() {
    queue.settings(s -> s.speculationBudget(1)).submit(A, B).finish(A.fails());
    queue.submit(C);
    RunId guess = queue.state.groupOf(C.ref()).orElseThrow().guesses().getFirst().id();
    queue.tellTwice(new QueueEvent.TestsFailed(guess, 1, QueueByHand.tests("(shaky)")));
    queue.report(guess, CheckState.FAILURE);
    queue.cancel(B);
    assertThat(queue).reads("main <- C (testing)");
    assertThat(C).went(TESTING, "flake_retry");
  }

  @Test
  void a_verdict_waits_a_while_for_results_that_are_expected() {
    queue.submit(A);
    RunId run = expectsResults(A);
    assertThat(queue).reads("main <- A (pending failure)");

    queue.tellTwice(new QueueEvent.TestsFailed(run, 1, QueueByHand.tests("(shaky)")));
    assertThat(queue).reads("main <- A (testing)");
    assertThat(A).went(TESTING, "flake_retry");
  }

  @Test
  void results_that_do_not_come_are_given_up() {
    queue.submit(A);
    expectsResults(A);
    queue.minutesPass(1);
    assertThat(A).wasRejected("test_failed").went(FAILED, "test_failed");
  }

  @Test
  void results_without_a_failure_end_the_wait() {
    queue.submit(A);
    RunId run = expectsResults(A);
    queue.tellTwice(new QueueEvent.TestsFailed(run, 0, List.of()));
    assertThat(A).wasRejected("test_failed");
  }

  @Test
  void a_timeout_waits_for_no_results_and_is_no_flake() {
    queue.settings(s -> s.testingTimeoutMinutes(10)).submit(A);
    queue.tellTwice(new QueueEvent.TestsFailed(queue.runOf(A), 1, QueueByHand.tests("(shaky)")));
    queue.report(queue.runOf(A), CheckState.PENDING).minutesPass(11);
    assertThat(A).wasRejected("test_timeout");
    Assertions.assertThat(Optional.of(sentence(A)))
        .hasValue("Its tests took longer than 10 minutes.");
  }

  @Test
  void one_whose_proof_is_gone_is_not_said_to_be_tested_again() {
    queue.settings(s -> s.canOptimisticallyMerge(true)).submit(A, B);
    queue.fails(A, "(shaky)").becomes(QueueLifecycle.PAUSED).finish(B.passes());
    assertThat(queue).reads("main <- A (tests passed) <- B (tests passed)");

    queue.cancel(B);
    assertThat(queue).reads("main <- A (testing)").started(3);
    assertThat(A).went(TESTING, "assumption_changed").says("its own tests");
  }
}
