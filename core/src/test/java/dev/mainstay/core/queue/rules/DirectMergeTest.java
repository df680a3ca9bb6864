package dev.mainstay.core.queue.rules;

import static dev.mainstay.core.queue.PullRequestState.MERGED;
import static dev.mainstay.core.queue.PullRequestState.NOT_READY;
import static dev.mainstay.core.queue.PullRequestState.PENDING;
import static dev.mainstay.core.queue.PullRequestState.TESTING;
import static dev.mainstay.core.queue.PullRequestState.TESTS_PASSED;
import static dev.mainstay.core.queue.QueueLifecycle.PAUSED;
import static dev.mainstay.core.queue.QueueLifecycle.RUNNING;
import static dev.mainstay.core.queue.QueueSettings.DirectMergeMode.ALWAYS;
import static dev.mainstay.core.queue.QueueSettings.DirectMergeMode.OFF;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.queue.LandingProblem;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DirectMergeTest extends QueueTest {
  @BeforeEach
  void directly() {
    queue.settings(s -> s.directMergeMode(ALWAYS));
  }

  @Test
  void one_that_is_up_to_date_and_has_passed_merges_without_a_run() {
    queue.upToDate(A, "ci").submit(A);
    assertThat(A)
        .wasMerged("merged_directly")
        .passedThrough(NOT_READY, PENDING, TESTS_PASSED, MERGED);
    assertThat(queue).started(0);
    Assertions.assertThat(queue.landing().tested()).isEmpty();
  }

  @Test
  void switched_off_it_is_tested_like_any_other() {
    queue.settings(s -> s.directMergeMode(OFF)).upToDate(A, "ci").submit(A);
    assertThat(queue).reads("main <- A (testing)");
  }

  @Test
  void one_that_is_behind_the_target_branch_is_tested() {
    queue.upToDate(A, "ci").someoneMovesMain().submit(A);
    assertThat(queue).reads("main <- A (testing)");
  }

  @Test
  void one_that_has_not_passed_is_tested() {
    queue.upToDate(A).submit(A);
    assertThat(queue).reads("main <- A (testing)");
  }

  @Test
  void in_a_queue_that_is_not_empty_it_is_tested() {
    queue.upToDate(B, "ci").submit(A, B);
    assertThat(queue).reads("main <- A (testing) <- B (testing)");
  }

  @Test
  void in_parallel_mode_an_empty_lane_is_enough() {
    queue.parallel().upToDate(B, "ci").upToDate(C, "ci");
    queue.submit(A.touching("app"), B.touching("docs"), C.touching("app"));
    assertThat(B).wasMerged("merged_directly");
    assertThat(queue).reads("main <- A (testing) <- C (testing)");
  }

  @Test
  void in_parallel_mode_it_is_tested_where_one_of_its_lane_is_under_test() {
    queue.parallel().upToDate(B, "ci").submit(A.touching("app"), B.touching("app"));
    assertThat(queue).reads("main <- A (testing) <- B (testing)");
  }

  @Test
  void in_parallel_mode_it_waits_where_one_of_its_lane_waits_ahead_of_it() {
    queue.parallel().slots(1).upToDate(C, "ci");
    queue.submit(A.touching("docs"), B.touching("app"), C.touching("app"));
    assertThat(queue).reads("main <- A (testing); main <- B (pending) <- C (pending)");
  }

  @Test
  void if_the_target_branch_moved_in_between_it_is_tested() {
    queue.holdLandings().upToDate(A, "ci").submit(A);
    assertThat(queue).reads("main <- A (tests passed)");

    queue.land(new LandingProblem.TargetMoved(new CommitSha("x")));
    assertThat(queue).reads("main <- A (testing)");
    assertThat(A).isTestedOn("x A");
  }

  @Test
  void while_another_merge_begins_it_is_tested() {
    queue.parallel().holdLandings().upToDate(B, "ci").submit(A.touching("app")).becomes(PAUSED);
    queue.finish(A.passes()).submit(B.touching("docs")).becomes(RUNNING);
    assertThat(queue).reads("main <- A (tests passed); main <- B (testing)");
    assertThat(B).passedThrough(NOT_READY, PENDING, TESTING);
  }

  @Test
  void a_paused_queue_merges_nothing_directly() {
    queue.upToDate(A, "ci").submit(B).becomes(PAUSED).submit(A);
    assertThat(queue).reads("main <- B (testing); not ready A");
  }
}
