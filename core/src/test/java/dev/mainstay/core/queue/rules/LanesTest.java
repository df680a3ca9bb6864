package dev.mainstay.core.queue.rules;

import static dev.mainstay.core.queue.PullRequestState.TESTING;

import dev.mainstay.core.queue.ImpactedTargets;
import dev.mainstay.core.queue.RunId;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LanesTest extends QueueTest {
  @BeforeEach
  void parallel() {
    queue.parallel();
  }

  @Test
  void those_whose_targets_do_not_meet_stand_on_nothing() {
    queue.submit(A.touching("app"), B.touching("docs"));
    assertThat(queue).reads("main <- A (testing); main <- B (testing)");
    assertThat(B).isTestedOn("m0 B").waitsFor();
  }

  @Test
  void those_whose_targets_meet_stand_on_those_ahead() {
    queue.submit(A.touching("app", "lib"), B.touching("lib", "docs"));
    assertThat(queue).reads("main <- A (testing) <- B (testing)");
    assertThat(B).isTestedOn("m0 A B").waitsFor(A);
  }

  @Test
  void what_one_stands_on_stands_on_others_in_turn() {
    queue.settings(s -> s.hermeticTests(false));
    queue.submit(A.touching("a"), B.touching("a", "b"), C.touching("b"));
    assertThat(C).isTestedOn("m0 A B C").waitsFor(A, B);
  }

  @Test
  void a_test_branch_holds_only_what_it_meets_where_nothing_else_sways_it() {
    queue.submit(A.touching("a"), B.touching("a", "b"), C.touching("b"));
    assertThat(C).isTestedOn("m0 B C").waitsFor(A, B);

    queue.finish(C.passes(), A.fails());
    assertThat(queue).reads("main <- B (testing) <- C (tests passed)");
    queue.finish(B.passes());
    assertThat(C).wasMerged();
  }

  @Test
  void a_run_that_is_to_prove_all_it_stands_on_holds_all_of_it() {
    queue.settings(s -> s.canOptimisticallyMerge(true));
    queue.submit(A.touching("a"), B.touching("a", "b"), C.touching("b"));
    assertThat(C).isTestedOn("m0 A B C");
  }

  @Test
  void one_that_lost_its_slot_keeps_its_place_where_somebody_stands_on_it() {
    queue.slots(3).submit(A.touching("a"), B.touching("a", "b"), C.touching("b"), D.touching("d"));
    queue.slots(1).finish(A.fails());
    assertThat(queue).reads("main <- B (pending) <- C (testing); main <- D (pending)");
  }

  @Test
  void runs_that_hold_too_little_are_made_anew_when_the_settings_ask_for_more() {
    queue.submit(A.touching("a"), B.touching("a", "b"), C.touching("b"));
    queue.settings(s -> s.hermeticTests(false));
    assertThat(C).isTestedOn("m0 A B C");
    queue.settings(s -> s.hermeticTests(true));
    assertThat(C).isTestedOn("m0 A B C");
  }

  @Test
  void a_lane_merges_without_waiting_for_another() {
    queue.submit(A.touching("app"), B.touching("docs")).finish(B.passes());
    assertThat(B).wasMerged();
    assertThat(queue).reads("main <- A (testing)");
  }

  @Test
  void a_failure_does_not_touch_another_lane() {
    queue.submit(A.touching("app"), B.touching("docs"));
    RunId run = queue.runOf(B);
    queue.finish(A.fails());
    assertThat(A).wasRejected("test_failed");
    assertThat(queue).reads("main <- B (testing)");
    org.assertj.core.api.Assertions.assertThat(queue.runOf(B)).isEqualTo(run);
  }

  @Test
  void ALL_meets_everything_ahead_and_behind() {
    queue.submit(A.touching("app"), B.touching("docs"), C.touching(ImpactedTargets.ALL));
    queue.submit(D.touching("new"));
    assertThat(C).isTestedOn("m0 A B C").waitsFor(A, B);
    assertThat(D).isTestedOn("m0 C D").waitsFor(A, B, C);
  }

  @Test
  void an_empty_list_meets_nothing_not_even_ALL() {
    queue.submit(A.touching(ImpactedTargets.ALL), B.touching());
    assertThat(queue).reads("main <- A (testing); main <- B (testing)");
    assertThat(B).isTestedOn("m0 B");

    queue.submit(C.touching(ImpactedTargets.ALL));
    assertThat(C).isTestedOn("m0 A C");
  }

  @Test
  void slots_are_shared_by_all_lanes() {
    queue.slots(2).submit(A.touching("a"), B.touching("b"), C.touching("c"));
    assertThat(queue).reads("main <- A (testing); main <- B (testing); main <- C (pending)");
  }

  @Test
  void a_change_landing_in_another_lane_does_not_retest_this_one() {
    queue.submit(A.touching("app"), B.touching("docs"));
    RunId run = queue.runOf(B);
    queue.finish(A.passes());
    org.assertj.core.api.Assertions.assertThat(queue.runOf(B)).isEqualTo(run);
    assertThat(queue).started(2);

    queue.finish(B.passes());
    assertThat(B).wasMerged();
  }

  @Test
  void what_lands_is_exactly_the_tested_tree_unless_another_lane_landed_in_between() {
    queue.submit(A.touching("app"), B.touching("docs"), C.touching("app"));
    queue.finish(A.passes());
    org.assertj.core.api.Assertions.assertThat(queue.landing().exactTree()).isTrue();
    queue.finish(B.passes());
    org.assertj.core.api.Assertions.assertThat(queue.landing().exactTree()).isFalse();
    queue.finish(C.passes());
    org.assertj.core.api.Assertions.assertThat(queue.landing().exactTree()).isFalse();
  }

  @Test
  void new_targets_under_test_begin_the_test_anew_where_they_belong() {
    queue.submit(A.touching("app"), B.touching("app"), C.touching("app"));
    queue.touches(B, "docs");
    assertThat(queue).reads("main <- A (testing) <- C (testing); main <- B (testing)");
    assertThat(B).isTestedOn("m0 B");
    assertThat(C).isTestedOn("m0 A C").went(TESTING, "predecessor_left");
  }

  @Test
  void in_single_mode_targets_do_not_matter() {
    var single = new QueueByHand();
    single.submit(A.touching("app"), B.touching("docs"));
    assertThat(single).reads("main <- A (testing) <- B (testing)");
  }

  @Test
  void targets_that_change_during_the_merge_take_nobody_off_what_was_tested() {
    queue.holdLandings().submit(A.touching("app"), B.touching("app")).finish(A.passes());
    queue.touches(A, "docs").submit(C.touching("x"));
    assertThat(B).isTestedOn("m0 A B").waitsFor(A);
  }

  @Test
  void targets_that_change_while_their_change_is_merged_count_when_it_has_merged() {
    queue.holdLandings().submit(A.touching("app"), B.touching("lib")).finish(A.passes());
    RunId run = queue.runOf(B);
    queue.touches(A, "app", "lib");
    assertThat(queue).reads("main <- A (tests passed); main <- B (testing)");
    queue.land();
    assertThat(A).wasMerged();
    Assertions.assertThat(queue.cancelled(run)).isTrue();
    assertThat(B).isTestedOn("m1 B");
  }
}
