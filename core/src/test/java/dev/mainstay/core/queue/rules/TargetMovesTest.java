package dev.mainstay.core.queue.rules;

import static dev.mainstay.core.queue.PullRequestState.TESTING;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.queue.ImpactedTargets;
import dev.mainstay.core.queue.LandingProblem;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.RunId;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

class TargetMovesTest extends QueueTest {
  private static Optional<ImpactedTargets> touching(String... names) {
    return Optional.of(ImpactedTargets.of(List.of(names)));
  }

  @Test
  void everything_under_test_is_retested_on_the_new_head() {
    queue.submit(A, B).finish(B.passes()).someoneMovesMain();
    assertThat(queue).reads("main <- A (testing) <- B (testing)");
    assertThat(A).isTestedOn("m1 A").went(TESTING, "target_moved").says("main moved");
    assertThat(B).isTestedOn("m1 A B");
  }

  @Test
  void a_failure_on_the_old_head_is_forgotten() {
    queue.submit(A, B).finish(B.fails()).someoneMovesMain();
    assertThat(queue).reads("main <- A (testing) <- B (testing)");
  }

  @Test
  void where_targets_are_disjoint_from_the_change_results_are_kept() {
    queue.parallel().submit(A.touching("app"), B.touching("docs"), C.touching("docs"));
    queue.finish(C.passes()).someoneMovesMain(touching("app"));
    assertThat(queue).reads("main <- A (testing); main <- B (testing) <- C (tests passed)");
    assertThat(A).isTestedOn("m1 A");
    assertThat(B).isTestedOn("m0 B");

    queue.finish(B.passes());
    assertThat(C).wasMerged();
    Assertions.assertThat(queue.landing().exactTree()).isFalse();
  }

  @Test
  void what_stands_on_one_that_is_retested_keeps_its_result_if_it_is_disjoint_itself() {
    queue.parallel().submit(A.touching("app", "docs"), B.touching("docs"));
    queue.someoneMovesMain(touching("app"));
    assertThat(A).isTestedOn("m1 A");
    assertThat(B).isTestedOn("m0 A B");
  }

  @Test
  void what_stands_on_one_that_is_retested_is_retested_too_where_tests_are_not_hermetic() {
    queue.parallel().settings(s -> s.hermeticTests(false));
    queue.submit(A.touching("app", "docs"), B.touching("docs"));
    queue.someoneMovesMain(touching("app"));
    assertThat(A).isTestedOn("m1 A");
    assertThat(B).isTestedOn("m1 A B");
  }

  @Test
  void known_targets_keep_results_in_single_mode_too() {
    queue.submit(A.touching("app"), B).someoneMovesMain(touching("docs"));
    assertThat(A).isTestedOn("m0 A");
    assertThat(B).isTestedOn("m1 A B");
  }

  @Test
  void where_the_change_says_nothing_everything_is_retested() {
    queue.parallel().submit(A.touching("app")).someoneMovesMain();
    assertThat(A).isTestedOn("m1 A");
  }

  @Test
  void bisection_is_retested_too() {
    queue.batches(2).submit(A, B).finish(A.fails()).someoneMovesMain();
    assertThat(queue).reads("main; bisecting A (testing), B (testing)");
    assertThat(A).isTestedOn("m1 A");
  }

  @Test
  void our_own_merge_told_as_a_push_is_recognised() {
    queue.submit(A, B).finish(A.passes());
    RunId run = queue.runOf(B);
    queue.tellTwice(moved("m0", "m1"));
    Assertions.assertThat(queue.runOf(B)).isEqualTo(run);
  }

  @Test
  void our_own_merge_told_as_a_push_before_the_merge_is_answered_is_recognised() {
    queue.holdLandings().submit(A, B).finish(A.passes());
    RunId run = queue.runOf(B);
    queue.tellTwice(moved("m0", "m1")).land();
    assertThat(A).wasMerged();
    Assertions.assertThat(queue.runOf(B)).isEqualTo(run);
  }

  @Test
  void a_push_of_others_right_after_our_merge_retests() {
    queue.holdLandings().submit(A, B).finish(A.passes());
    queue.tell(moved("m0", "m1")).tell(moved("m1", "x"));
    assertThat(queue).reads("main <- A (tests passed) <- B (testing)");

    queue.land();
    assertThat(B).isTestedOn("x B");
  }

  @Test
  void an_old_move_told_late_changes_nothing() {
    queue.submit(A).tell(moved("m0", "x")).tell(moved("x", "y"));
    RunId run = queue.runOf(A);
    queue.tell(moved("m0", "x"));
    Assertions.assertThat(queue.runOf(A)).isEqualTo(run);
    assertThat(A).isTestedOn("y A");
  }

  @Test
  void an_old_move_to_where_the_queue_never_was_does_not_take_it_back() {
    queue.holdLandings().submit(A).finish(A.passes());
    queue.land(new LandingProblem.TargetMoved(new CommitSha("y"))).tell(moved("m0", "x"));
    assertThat(A).isTestedOn("y A");
  }

  @Test
  void a_move_from_elsewhere_keeps_nothing_since_what_lies_between_is_unknown() {
    queue.parallel().submit(A.touching("app")).tell(moved("x", "y", touching("docs")));
    assertThat(A).isTestedOn("y A");
  }

  @Test
  void a_move_from_elsewhere_that_waited_for_our_merge_keeps_nothing_either() {
    queue.parallel().holdLandings().submit(A.touching("app"), B.touching("docs"));
    queue.finish(B.passes()).tell(moved("x", "y", touching("docs"))).land();
    assertThat(A).isTestedOn("y A");
  }

  @Test
  void a_kept_result_is_lost_with_the_targets_it_was_kept_for() {
    queue.submit(A.touching("app")).someoneMovesMain(touching("docs"));
    assertThat(A).isTestedOn("m0 A");

    queue.touches(A, ImpactedTargets.ALL);
    assertThat(A).isTestedOn("m1 A");
  }

  @Test
  void a_result_kept_above_others_is_lost_with_the_targets_of_those_too() {
    queue.submit(A.touching("app"), B.touching("lib")).someoneMovesMain(touching("docs"));
    queue.finish(B.passes()).restart(A);
    assertThat(A).isTestedOn("m1 A");

    queue.touches(A, ImpactedTargets.ALL);
    queue.finish(A.passes());
    assertThat(B).isTestedOn("m1 B");
  }

  @Test
  void moves_told_in_the_wrong_order_end_at_the_last_one() {
    queue.submit(A).tell(moved("x", "y")).tell(moved("m0", "x"));
    assertThat(A).isTestedOn("y A");
  }

  @Test
  void a_branch_that_is_set_back_is_where_it_was_set_to() {
    queue.submit(A).tell(moved("m0", "x")).tell(moved("x", "m0"));
    assertThat(A).isTestedOn("m0 A");
  }

  private static QueueEvent moved(String from, String to) {
    return moved(from, to, Optional.empty());
  }

  private static QueueEvent moved(String from, String to, Optional<ImpactedTargets> touched) {
    return new QueueEvent.TargetMoved(Optional.of(new CommitSha(from)), new CommitSha(to), touched);
  }
}
