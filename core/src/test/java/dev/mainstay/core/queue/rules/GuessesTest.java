package dev.mainstay.core.queue.rules;

import static dev.mainstay.core.queue.PullRequestState.PENDING;
import static dev.mainstay.core.queue.PullRequestState.PENDING_FAILURE;
import static dev.mainstay.core.queue.PullRequestState.TESTING;
import static dev.mainstay.core.queue.PullRequestState.TESTS_PASSED;

import dev.mainstay.core.queue.CheckState;
import dev.mainstay.core.queue.ImpactedTargets;
import dev.mainstay.core.queue.LandingProblem;
import dev.mainstay.core.queue.PullRequestSnapshot.Mergeability;
import dev.mainstay.core.queue.QueueAction;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.RunId;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs on assumptions: those behind a likely failure are also tested without it. */
class GuessesTest extends QueueTest {
  @Test
  void without_a_budget_there_is_one_run_for_each_and_none_on_a_failure() {
    queue.submit(A, B, C);
    RunId outdated = queue.runOf(C);
    queue.finish(B.fails());
    Assertions.assertThat(cancelled()).containsExactly(outdated);
    assertThat(C).is(TESTING).isTestedOn("m0 A C");
    Assertions.assertThat(guesses(C)).isEmpty();

    queue.submit(D);
    assertThat(D).isTestedOn("m0 A C D");
    queue.finish(A.passes(), C.passes(), D.passes());
    assertThat(B).wasRejected("test_failed");
    assertThat(C).wasMerged();
    assertThat(D).wasMerged();
    Assertions.assertThat(queue.runsStarted()).hasSize(5);
  }

  @Test
  void without_a_budget_one_that_is_tested_again_is_not_waited_for_until_it_passes() {
    queue.submit(A, B, C).finish(B.fails());
    RunId without = queue.runOf(C);
    queue.restart(B);
    Assertions.assertThat(queue.runOf(C)).isEqualTo(without);
    queue.finish(B.passes());
    assertThat(C).is(TESTING).isTestedOn("m0 A B C");
  }

  @Test
  void without_a_budget_those_that_failed_on_top_of_one_that_leaves_are_tested_without_it() {
    queue.submit(A, B, C).finish(B.fails(), A.fails());
    assertThat(A).wasRejected("test_failed");
    assertThat(B).is(TESTING).isTestedOn("m0 B");
    assertThat(C).is(TESTING).isTestedOn("m0 B C");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void who_is_to_speak_for_a_failure_is_tested_with_it(int budget) {
    queue.settings(s -> s.pendingFailureDepth(1).speculationBudget(budget));
    queue.submit(A, B, C).finish(B.fails());
    assertThat(C).is(TESTING).isTestedOn("m0 A B C");
  }

  @Test
  void those_behind_a_failure_are_tested_without_it_at_once_and_beside_that_with_it() {
    queue.settings(s -> s.speculationBudget(1)).submit(A, B, C);
    RunId first = queue.runOf(C);
    queue.finish(B.fails());
    assertThat(B).is(PENDING_FAILURE);
    assertThat(C).is(TESTING).isTestedOn("m0 A C");
    Assertions.assertThat(guesses(C)).containsExactly(first);
    Assertions.assertThat(cancelled()).doesNotContain(first);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void one_in_the_line_that_needs_another_run_gets_its_slot_before_those_who_wait(int budget) {
    queue.slots(3).settings(s -> s.speculationBudget(budget));
    queue.submit(A, B, C, D, E).finish(C.passes());
    assertThat(queue)
        .reads(
            "main <- A (testing) <- B (testing) <- C (tests passed) <- D (testing) <- E (pending)");
    queue.finish(B.fails());
    assertThat(C).is(TESTING).isTestedOn("m0 A C");
    assertThat(D).is(TESTING).isTestedOn("m0 A C D");
    assertThat(E).is(PENDING);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void nobody_begins_anew_beyond_slots_that_became_fewer(int budget) {
    queue.slots(4).settings(s -> s.speculationBudget(budget)).submit(A, B, C, D);
    queue.slots(2).finish(B.fails());
    assertThat(C).is(TESTING).isTestedOn("m0 A B C");
    queue.finish(D.passes());
    assertThat(C).is(TESTING).isTestedOn("m0 A C");
    assertThat(A).is(TESTING);
  }

  @Test
  void a_guess_that_comes_to_count_is_shown_with_the_reason_for_that() {
    queue.settings(s -> s.speculationBudget(1)).submit(A, B, C).finish(B.fails());
    queue.finish(C.passes());
    assertThat(C).is(TESTS_PASSED);
    queue.restart(B);
    assertThat(C).went(TESTING, "assumption_changed");
  }

  @Test
  void a_guess_that_is_left_when_another_leaves_is_shown_with_the_reason_for_that() {
    queue.settings(s -> s.speculationBudget(1)).submit(A, B).finish(B.fails());
    assertThat(B).is(PENDING_FAILURE);
    queue.cancel(A);
    assertThat(B).went(TESTING, "predecessor_left");
  }

  @Test
  void a_guess_that_came_true_counts_and_nothing_is_tested_anew() {
    queue.settings(s -> s.speculationBudget(1)).submit(A, B, C).finish(B.fails());
    RunId guess = guess(C, List.of(B)).run();
    queue.report(guess, CheckState.SUCCESS);
    int runs = queue.runsStarted().size();
    queue.finish(A.passes());
    assertThat(A).wasMerged();
    assertThat(B).wasRejected("test_failed");
    assertThat(C).wasMerged();
    Assertions.assertThat(queue.runsStarted()).hasSize(runs);
  }

  @Test
  void a_guess_still_under_test_goes_on_as_the_run() {
    queue.settings(s -> s.speculationBudget(1)).submit(A, B, C).finish(B.fails());
    RunId guess = guess(C, List.of(B)).run();
    queue.finish(A.passes());
    assertThat(B).wasRejected("test_failed");
    assertThat(C).is(TESTING);
    Assertions.assertThat(queue.runOf(C)).isEqualTo(guess);
    queue.finish(C.fails());
    assertThat(C).wasRejected("test_failed");
  }

  @Test
  void a_guess_that_can_no_longer_come_true_is_cancelled() {
    queue.settings(s -> s.speculationBudget(1)).submit(A, B, C).finish(B.fails());
    RunId guess = guess(C, List.of(B)).run();
    queue.cancel(A);
    Assertions.assertThat(cancelled()).contains(guess);
    assertThat(B).isTestedOn("m0 B");
    assertThat(C).isTestedOn("m0 B C");
  }

  @Test
  void one_that_was_left_out_and_merges_after_all_is_tested_with() {
    queue.settings(s -> s.speculationBudget(1)).submit(A, B, C).finish(B.fails());
    queue.restart(B).finish(A.passes(), B.passes());
    assertThat(B).wasMerged();
    assertThat(C).isTestedOn("m0 A B C");
    queue.finish(C.passes());
    assertThat(C).wasMerged();
  }

  @Test
  void who_needs_a_slot_takes_it_from_a_guess() {
    queue.slots(4).settings(s -> s.speculationBudget(2)).submit(A, B, C).finish(B.fails());
    RunId guess = guesses(C).getFirst();
    queue.submit(D, E);
    Assertions.assertThat(cancelled()).contains(guess);
    assertThat(E).is(TESTING);
  }

  @Test
  void a_newcomer_starts_without_those_that_will_likely_leave() {
    queue.settings(s -> s.speculationBudget(1)).submit(A, B).finish(B.fails());
    queue.submit(C);
    assertThat(C).isTestedOn("m0 A C");
  }

  @Test
  void a_guess_whose_branch_cannot_be_built_holds_nobody_up() {
    queue.settings(s -> s.speculationBudget(1)).submit(A, B, C).holdBuilds().finish(B.fails());
    RunId guess = guess(C, List.of(B)).run();
    int runs = queue.runsStarted().size();
    queue.tell(new QueueEvent.TestBranchNotBuilt(guess, "It is down."));
    Assertions.assertThat(queue.runsStarted()).hasSize(runs);
    queue.finish(A.passes());
    assertThat(C).isTestedOn("m0 A C");
  }

  @Test
  void a_restart_forgets_the_guesses_too() {
    queue.settings(s -> s.speculationBudget(1)).submit(A, B, C).finish(B.fails());
    RunId guess = guess(C, List.of(B)).run();
    queue.report(guess, CheckState.SUCCESS).restart(C);
    Assertions.assertThat(guesses(C)).doesNotContain(guess);
    queue.finish(A.passes());
    assertThat(C).is(TESTING);
  }

  @Test
  void no_budget_any_more_no_guesses_any_more() {
    queue.settings(s -> s.speculationBudget(1)).submit(A, B, C).finish(B.fails());
    RunId run = queue.runOf(C);
    RunId guess = guesses(C).getFirst();
    queue.settings(s -> s.speculationBudget(0));
    Assertions.assertThat(cancelled()).contains(guess).doesNotContain(run);
    Assertions.assertThat(queue.runOf(C)).isEqualTo(run);
  }

  @Test
  void no_budget_any_more_nobody_on_a_failure_because_a_guess_was_not_built() {
    queue.settings(s -> s.speculationBudget(1)).submit(A, B).holdBuilds().submit(C);
    queue.tell(queue.build(queue.started(queue.runOf(C))));
    queue.tell(new QueueEvent.TestBranchNotBuilt(guess(C, List.of(B)).run(), "It is down."));
    queue.finish(B.fails());
    assertThat(C).is(TESTING).isTestedOn("m0 A B C");
    queue.settings(s -> s.speculationBudget(0));
    assertThat(C).is(TESTING).isTestedOn("m0 A C");
  }

  @Test
  void no_budget_any_more_no_guesses_any_more_of_one_that_is_merging_either() {
    queue.settings(s -> s.speculationBudget(1)).holdLandings().submit(A, B).finish(B.passes());
    RunId guess = guesses(B).getFirst();
    queue.settings(s -> s.canOptimisticallyMerge(true));
    assertThat(queue).reads("main <- A (tests passed) <- B (tests passed)");
    Assertions.assertThat(queue.landing().changes()).hasSize(2);
    Assertions.assertThat(cancelled()).contains(guess);
  }

  @Test
  void a_guess_that_does_not_hold_what_it_now_must_does_not_count() {
    queue.parallel().settings(s -> s.speculationBudget(1));
    queue.submit(A.touching("x"), B.touching("x", "y"), C.touching("y")).finish(C.passes());
    assertThat(C).isTestedOn("m0 B C");
    queue.finish(B.fails());
    assertThat(C).isTestedOn("m0 C");

    queue.settings(s -> s.hermeticTests(false)).restart(B).finish(B.passes());
    assertThat(C).is(TESTING).isTestedOn("m0 A B C");
  }

  @Test
  void a_guess_without_a_batch_that_falls_back_goes_on_when_a_part_of_that_leaves() {
    queue.parallel().batches(2).slots(2).settings(s -> s.speculationBudget(1)).holdBuilds();
    queue.submit(A.touching("x"), B.touching(ImpactedTargets.ALL), C.touching("y").alone());
    assertThat(C).isTestedOn("m0 A B C");
    queue.becomes(B, Mergeability.NOT_MERGEABLE);
    queue.tell(new QueueEvent.TestBranchNotBuilt(queue.runOf(A), "It is down."));
    assertThat(B).isNotReady("merge_conflict");
    assertThat(C).isTestedOn("m0 C");

    RunId run = queue.runOf(C);
    queue.minutesPass(1).tell(queue.build(queue.started(queue.runOf(A)))).finish(A.passes());
    assertThat(A).wasMerged();
    Assertions.assertThat(queue.runOf(C)).isEqualTo(run);
  }

  @Test
  void a_guess_without_one_that_it_no_longer_stands_on_goes_on_when_that_one_merges() {
    queue.parallel().batches(2).settings(s -> s.speculationBudget(1));
    queue.submit(A.touching("x"), B.touching(ImpactedTargets.ALL), C.touching("y").alone());
    RunId guess = guess(C, List.of(A, B)).run();
    queue.cancel(B);
    Assertions.assertThat(queue.runOf(C)).isEqualTo(guess);
    Assertions.assertThat(guesses(C)).isEmpty();
    queue.finish(A.passes());
    assertThat(A).wasMerged();
    Assertions.assertThat(queue.runOf(C)).isEqualTo(guess);
  }

  @Test
  void a_run_without_a_failure_is_made_anew_where_it_holds_the_rest_of_a_batch_only_for_that_one() {
    queue.parallel().batches(2).holdLandings();
    queue.submit(A.touching("x", "y"), B.touching("y"));
    queue.submit(C.touching(ImpactedTargets.ALL).alone(), D.touching("x").alone());
    queue.finish(C.fails());
    assertThat(D).isTestedOn("m0 A B D");
    queue.finish(A.passes()).land(new LandingProblem.ForgeUnavailable("The forge is away."), A);
    assertThat(A).wasMerged();
    assertThat(D).isTestedOn("m1 D");
    queue.cancel(C).finish(D.passes());
    assertThat(D).isTestedOn("m1 D");
  }

  @Test
  void slots_go_to_one_that_comes_to_wait_in_the_same_moment_before_those_of_less_priority() {
    queue.forge.conflict(A.ref(), C.ref());
    queue.slots(3).settings(s -> s.pendingFailureDepth(1).speculationBudget(1)).submit(A, B);
    queue.report(guess(B, List.of(A)).run(), CheckState.SUCCESS);
    queue.submit(C, E, D.low(), F.low());
    assertThat(C).is(PENDING_FAILURE);
    assertThat(D).is(PENDING);
    queue.finish(A.fails());
    assertThat(A).wasRejected("test_failed");
    assertThat(B).wasMerged();
    assertThat(C).is(TESTING);
    assertThat(F).is(PENDING);
  }

  @Test
  void what_passed_on_an_assumption_merges_only_when_it_came_true() {
    queue.settings(s -> s.speculationBudget(1)).submit(A, B).finish(B.fails());
    queue.submit(C).finish(C.passes());
    assertThat(C).is(TESTS_PASSED);
    assertThat(queue).reads("main <- A (testing) <- B (pending failure) <- C (tests passed)");
    queue.restart(B).finish(A.passes(), B.passes());
    assertThat(B).wasMerged();
    assertThat(C).is(TESTING).isTestedOn("m0 A B C");
  }

  @Test
  void one_that_passed_with_what_is_sure_to_merge_is_trusted_though_it_failed_without() {
    queue.settings(s -> s.speculationBudget(1)).holdLandings().submit(A, B);
    queue.report(guess(B, List.of(A)).run(), CheckState.FAILURE).finish(A.passes(), B.passes());
    queue.submit(C);
    assertThat(C).isTestedOn("m0 A B C");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void a_long_line_of_failures_that_are_their_own_at_once_is_rejected_at_once(int budget) {
    List<Pr> line = Stream.of("BCDEFGHIJKLMNO".split("")).map(Pr::named).toList();
    queue.slots(50).settings(s -> s.speculationBudget(budget)).submit(A);
    line.forEach(queue::submit);
    line.forEach(pr -> queue.finish(pr.fails()));
    assertThat(B).is(PENDING_FAILURE);
    queue.finish(A.passes());
    assertThat(A).wasMerged();
    line.forEach(pr -> assertThat(pr).wasRejected("test_failed"));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void one_tested_on_top_of_more_than_it_must_be_is_not_left_on_top_of_a_failure(int budget) {
    queue.parallel().settings(s -> s.canOptimisticallyMerge(true).speculationBudget(budget));
    queue.submit(A.touching("a"), B.touching("a", "b"), C.touching("b", "c"), D.touching("c"));
    queue.settings(s -> s.canOptimisticallyMerge(false));
    assertThat(D).isTestedOn("m0 A B C D");
    queue.finish(B.fails());
    assertThat(B).is(PENDING_FAILURE);
    assertThat(D).is(TESTING).isTestedOn("m0 C D");
  }

  private QueueAction.StartRun guess(Pr pr, List<Pr> without) {
    return queue.runs.values().stream()
        .filter(r -> r.tested().stream().anyMatch(c -> c.pr().equals(pr.ref())))
        .filter(r -> r.leavesOut().equals(without.stream().map(Pr::ref).toList()))
        .findFirst()
        .orElseThrow();
  }

  private List<RunId> guesses(Pr pr) {
    return queue.state.groupOf(pr.ref()).orElseThrow().guesses().stream().map(r -> r.id()).toList();
  }

  private List<RunId> cancelled() {
    return queue.actions.stream()
        .filter(a -> a instanceof QueueAction.CancelRun)
        .map(a -> ((QueueAction.CancelRun) a).run())
        .toList();
  }
}
