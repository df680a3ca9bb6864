package dev.mainstay.core.queue.rules;

import static dev.mainstay.core.queue.PullRequestState.TESTING;
import static dev.mainstay.core.queue.PullRequestState.TESTS_PASSED;

import dev.mainstay.core.queue.CheckState;
import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.LandingProblem;
import dev.mainstay.core.queue.QueueAction;
import dev.mainstay.core.queue.QueueLifecycle;
import dev.mainstay.core.queue.Run;
import dev.mainstay.core.queue.RunId;
import dev.mainstay.core.queue.RunKind;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/** The quick merge before the slow, once they have passed with them and without them. */
class OvertakingTest extends QueueTest {
  @Test
  void who_passed_with_and_without_the_one_ahead_merges_before_it_and_proves_it() {
    queue.settings(s -> s.speculationBudget(1)).submit(A, B);
    RunId slow = queue.runOf(A);
    queue.finish(B.passes());
    assertThat(A).is(TESTING);
    assertThat(B).is(TESTS_PASSED);
    passesWithout(B, A);
    assertThat(B).wasMerged("merged_by_queue");
    assertThat(A).wasMerged("merged_by_queue");
    Assertions.assertThat(sentences(A)).contains("#2 merged before it, and passed on top of it.");
    Assertions.assertThat(sentences(B))
        .contains("It passed with and without #1, and merged before it.");
    Assertions.assertThat(queue.cancelled(slow)).isTrue();
    assertThat(queue).started(3);
  }

  @Test
  void it_may_pass_without_first() {
    queue.settings(s -> s.speculationBudget(1)).submit(A, B);
    passesWithout(B, A);
    assertThat(B).is(TESTING);
    queue.finish(B.passes());
    assertThat(B).wasMerged();
    assertThat(A).wasMerged();
  }

  @Test
  void each_lands_as_the_tree_that_was_tested() {
    queue.settings(s -> s.speculationBudget(1)).holdLandings().submit(A, B).finish(B.passes());
    RunId together = queue.runOf(B);
    RunId alone = guess(B, A);
    queue.report(alone, CheckState.SUCCESS);
    QueueAction.Land first = queue.landing();
    Assertions.assertThat(first.changes()).extracting(c -> c.pr()).containsExactly(B.ref());
    Assertions.assertThat(first.tested()).isEqualTo(commitOf(alone));
    Optional<?> proof = commitOf(together);
    queue.land();
    QueueAction.Land second = queue.landing();
    Assertions.assertThat(second.changes()).extracting(c -> c.pr()).containsExactly(A.ref());
    Assertions.assertThat(second.tested()).isEqualTo(proof);
    Assertions.assertThat(second.exactTree()).isTrue();
  }

  @Test
  void the_slow_one_goes_on_until_the_quick_one_is_there() {
    queue.settings(s -> s.speculationBudget(1)).holdLandings().submit(A, B).finish(B.passes());
    RunId slow = queue.runOf(A);
    passesWithout(B, A);
    assertThat(A).is(TESTING);
    queue.land(new LandingProblem.HeadMoved(B.ref()));
    Assertions.assertThat(queue.runOf(A)).isEqualTo(slow);
    Assertions.assertThat(queue.cancelled(slow)).isFalse();
    queue.finish(A.passes());
    queue.land();
    assertThat(A).wasMerged();
  }

  @Test
  void one_that_fails_while_it_is_overtaken_is_rejected() {
    queue.settings(s -> s.speculationBudget(1)).holdLandings().submit(A, B).finish(B.passes());
    passesWithout(B, A);
    queue.finish(A.fails());
    assertThat(A).wasRejected("test_failed");
    queue.land();
    assertThat(B).wasMerged();
  }

  @Test
  void one_that_leaves_while_it_is_overtaken_is_gone() {
    queue.settings(s -> s.speculationBudget(1)).holdLandings().submit(A, B).finish(B.passes());
    passesWithout(B, A);
    queue.cancel(A).land();
    assertThat(A).wasCancelled("cancelled_by_user");
    assertThat(B).wasMerged();
  }

  @Test
  void passing_on_one_side_only_is_not_enough() {
    queue.settings(s -> s.speculationBudget(1)).submit(A, B);
    queue.report(guess(B, A), CheckState.FAILURE).finish(B.passes());
    assertThat(B).is(TESTS_PASSED);
    assertThat(A).is(TESTING);
    queue.finish(A.passes());
    assertThat(B).wasMerged();
  }

  @Test
  void one_that_was_tested_anew_is_waited_for() {
    queue.settings(s -> s.speculationBudget(1)).submit(A, B).finish(B.passes()).restart(A);
    passesWithout(B, A);
    assertThat(B).is(TESTS_PASSED);
    assertThat(A).is(TESTING);
    queue.finish(A.passes());
    assertThat(A).wasMerged();
    assertThat(B).wasMerged();
  }

  @Test
  void nobody_overtakes_two_at_once() {
    queue.settings(s -> s.speculationBudget(2)).submit(A, B, C).finish(B.fails());
    queue.finish(C.passes()).report(guess(C), CheckState.SUCCESS);
    assertThat(C).is(TESTS_PASSED);
    queue.restart(B).finish(A.passes());
    assertThat(C).is(TESTS_PASSED);
  }

  @Test
  void those_behind_keep_what_they_passed() {
    queue.settings(s -> s.speculationBudget(1)).submit(A, B, C).finish(C.passes(), B.passes());
    long runs = queue.runsStarted(RunKind.MAIN);
    passesWithout(B, A);
    assertThat(A).wasMerged();
    assertThat(B).wasMerged();
    assertThat(C).wasMerged();
    Assertions.assertThat(queue.runsStarted(RunKind.MAIN)).isEqualTo(runs);
  }

  @Test
  void a_whole_batch_overtakes_a_whole_batch() {
    queue.batches(2).settings(s -> s.speculationBudget(1)).submit(A, B, C, D);
    queue.finish(C.passes());
    Group quick = queue.state.groupOf(C.ref()).orElseThrow();
    queue.report(quick.guesses().getFirst().id(), CheckState.SUCCESS);
    for (Pr pr : List.of(A, B, C, D)) {
      assertThat(pr).wasMerged();
    }
  }

  @Test
  void where_only_a_part_of_a_batch_gets_there_the_overtaken_is_tested_on_top() {
    queue.batches(2).settings(s -> s.speculationBudget(1)).holdLandings().submit(A, B, C, D);
    queue.finish(C.passes());
    Group quick = queue.state.groupOf(C.ref()).orElseThrow();
    queue.report(quick.guesses().getFirst().id(), CheckState.SUCCESS);
    queue.land(new LandingProblem.HeadMoved(D.ref()), C);
    assertThat(C).wasMerged();
    assertThat(A).went(TESTING, "assumption_changed");
    Assertions.assertThat(queue.started(queue.runOf(A)).base().value()).isNotEqualTo("m0");
  }

  @Test
  void who_was_to_overtake_proves_nobody_where_the_queue_becomes_optimistic_meanwhile() {
    queue.batches(2).settings(s -> s.speculationBudget(1)).holdLandings().submit(A, B, C, D);
    queue.finish(C.passes());
    Group quick = queue.state.groupOf(C.ref()).orElseThrow();
    queue.report(quick.guesses().getFirst().id(), CheckState.SUCCESS);
    RunId slow = queue.runOf(A);
    QueueAction.Land first = queue.landing();
    queue.settings(s -> s.canOptimisticallyMerge(true));
    assertThat(A).is(TESTING);
    Assertions.assertThat(queue.runOf(A)).isEqualTo(slow);

    queue.land(new LandingProblem.ForgeUnavailable("The forge is away."), C).minutesPass(1);
    assertThat(C).wasMerged();
    assertThat(A).is(TESTING);
    assertThat(D).went(TESTING, "assumption_changed");
    Assertions.assertThat(queue.landing()).isEqualTo(first);

    queue.finish(D.passes());
    Assertions.assertThat(queue.landing().tested()).isEqualTo(commitOf(queue.runOf(D)));
    queue.land();
    assertThat(A).wasMerged();
    assertThat(D).wasMerged();
  }

  @Test
  void who_did_not_get_there_is_tested_anew_where_the_queue_became_optimistic_meanwhile() {
    queue.settings(s -> s.speculationBudget(1)).holdLandings().submit(A, B).finish(B.passes());
    passesWithout(B, A);
    QueueAction.Land first = queue.landing();
    queue.settings(s -> s.canOptimisticallyMerge(true));
    queue.land(new LandingProblem.ForgeUnavailable("The forge is away.")).minutesPass(1);
    assertThat(B).is(TESTING).isTestedOn("m0 A B");
    assertThat(A).is(TESTING);
    Assertions.assertThat(queue.landing()).isEqualTo(first);
  }

  @Test
  void the_rest_of_a_batch_that_never_met_the_overtaken_keeps_what_it_passed() {
    queue.parallel().batches(2).settings(s -> s.speculationBudget(1)).holdLandings();
    queue.submit(A.touching("x").alone(), B.touching("x", "y"), C.touching("y"));
    queue.finish(B.passes());
    passesWithout(B, A);
    queue.land(new LandingProblem.ForgeUnavailable("The forge is away."), B);
    RunId alone = queue.runOf(C);
    queue.finish(A.passes()).land();
    assertThat(A).wasMerged();
    assertThat(C).is(TESTS_PASSED);
    Assertions.assertThat(queue.runOf(C)).isEqualTo(alone);
  }

  @Test
  void in_parallel_mode_lanes_that_do_not_meet_change_nothing() {
    queue.parallel().settings(s -> s.speculationBudget(1).concurrency(10));
    queue.submit(A.touching("x"), B.touching("x"), C.touching("y")).finish(C.passes(), B.passes());
    passesWithout(B, A);
    assertThat(A).wasMerged();
    assertThat(B).wasMerged();
  }

  @Test
  void what_met_the_slow_one_alone_and_merged_meanwhile_must_have_been_tested_with_it() {
    queue.parallel().settings(s -> s.speculationBudget(2).concurrency(10));
    queue.submit(A.touching("x"), B.touching("x", "y"), C.touching("y"));
    queue.finish(C.passes());
    queue.finish(A.passes());
    assertThat(A).wasMerged();
    passesWithout(C, B);
    assertThat(B).is(TESTING);
    assertThat(C).is(TESTS_PASSED);
  }

  @Test
  void who_is_proven_merges_before_anybody_overtakes() {
    queue.parallel().settings(s -> s.speculationBudget(1).concurrency(10)).holdLandings();
    queue.submit(A.touching("x"), B.touching("x"), C.touching("y"), D.touching("z"));
    queue.finish(D.passes(), B.passes(), C.passes());
    passesWithout(B, A);
    queue.land();
    Assertions.assertThat(queue.landing().changes().getFirst().pr()).isEqualTo(C.ref());
    queue.land();
    Assertions.assertThat(queue.landing().changes().getFirst().pr()).isEqualTo(B.ref());
  }

  @Test
  void an_urgent_one_that_comes_meanwhile_goes_behind_both() {
    queue.settings(s -> s.speculationBudget(1)).holdLandings().submit(A, B).finish(B.passes());
    passesWithout(B, A);
    queue.submit(U.urgent());
    assertThat(U).isTestedOn("m0 A B U");
    queue.land().land();
    assertThat(A).wasMerged();
    assertThat(U).is(TESTING);
  }

  @Test
  void a_paused_queue_lets_nobody_overtake() {
    queue.settings(s -> s.speculationBudget(1)).submit(A, B).finish(B.passes());
    RunId alone = guess(B, A);
    queue.becomes(QueueLifecycle.PAUSED).report(alone, CheckState.SUCCESS);
    assertThat(B).is(TESTS_PASSED);
    queue.becomes(QueueLifecycle.RUNNING);
    assertThat(B).wasMerged();
    assertThat(A).wasMerged();
  }

  private void passesWithout(Pr pr, Pr without) {
    queue.report(guess(pr, without), CheckState.SUCCESS);
  }

  private RunId guess(Pr pr, Pr... without) {
    return queue.state.groupOf(pr.ref()).orElseThrow().guesses().stream()
        .filter(r -> r.leaves().equals(Stream.of(without).map(Pr::ref).toList()))
        .findFirst()
        .orElseThrow()
        .id();
  }

  private Optional<?> commitOf(RunId run) {
    return queue.state.groupOf(run).flatMap(g -> g.run(run)).flatMap(Run::commit);
  }

  private List<String> sentences(Pr pr) {
    return queue.historyOf(pr).stream().map(t -> t.reason().sentence()).toList();
  }
}
