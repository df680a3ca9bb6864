package dev.mainstay.core.queue.rules;

import static dev.mainstay.core.queue.PullRequestState.NOT_READY;
import static dev.mainstay.core.queue.PullRequestState.PENDING;
import static dev.mainstay.core.queue.PullRequestState.TESTING;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.queue.Change;
import dev.mainstay.core.queue.ImpactedTargets;
import dev.mainstay.core.queue.LandingId;
import dev.mainstay.core.queue.LandingProblem;
import dev.mainstay.core.queue.QueueAction;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.QueueLifecycle;
import dev.mainstay.core.queue.QueueSettings;
import dev.mainstay.core.queue.RunId;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LandingTest extends QueueTest {
  @BeforeEach
  void byHand() {
    queue.holdLandings();
  }

  @Test
  void what_lands_is_what_was_tested() {
    queue.submit(A).finish(A.passes());
    QueueAction.Land land = queue.landing();
    Assertions.assertThat(land.changes())
        .isEqualTo(List.of(new Change(A.ref(), new CommitSha("A1"))));
    Assertions.assertThat(land.onto()).isEqualTo(new CommitSha("m0"));
    Assertions.assertThat(land.tested()).isPresent();
    Assertions.assertThat(land.exactTree()).isTrue();
    Assertions.assertThat(land.method()).isEqualTo(QueueSettings.MergeMethod.SQUASH);
  }

  @Test
  void one_merge_is_under_way_at_a_time() {
    queue.submit(A, B).finish(A.passes(), B.passes());
    Assertions.assertThat(QueueByHand.names(List.of(queue.landing().changes().getFirst().pr())))
        .isEqualTo(List.of("A"));

    queue.land();
    assertThat(A).wasMerged();
    Assertions.assertThat(queue.landing().onto()).isEqualTo(new CommitSha("m1"));
    queue.land();
    assertThat(B).wasMerged();
  }

  @Test
  void if_the_tree_would_differ_it_is_retested_with_all_that_stand_on_it() {
    queue.submit(A, B).finish(A.passes()).land(new LandingProblem.TreeDiffered());
    assertThat(queue).reads("main <- A (testing) <- B (testing)");
    assertThat(A).went(TESTING, "tree_differed");
  }

  @Test
  void what_the_forge_made_otherwise_pauses_the_queue_until_somebody_lets_it_go_on() {
    queue.submit(A, B).finish(A.passes(), B.passes());
    queue.land(new LandingProblem.Untested("Look at main."), A);
    assertThat(A).wasMerged();
    Assertions.assertThat(queue.state.lifecycle()).isEqualTo(QueueLifecycle.PAUSED);
    Assertions.assertThat(queue.state.target().alarm()).contains("Look at main.");
    assertThat(B).went(PENDING, "target_moved");

    queue.becomes(QueueLifecycle.RUNNING);
    Assertions.assertThat(queue.state.target().alarm()).isEmpty();
    assertThat(queue).reads("main <- B (testing)");
  }

  @Test
  void if_its_head_moved_it_leaves_until_the_forge_shows_the_new_one() {
    queue.holdSnapshots().submit(A, B).finish(A.passes()).pushUnseen(A);
    queue.land(new LandingProblem.HeadMoved(A.ref()));
    assertThat(A).went(NOT_READY, "head_moved").isNotReady("mergeability_unknown");
    assertThat(queue).reads("main <- B (testing); not ready A");
    Assertions.assertThat(queue.actions).anyMatch(QueueAction.TakeSnapshot.class::isInstance);

    queue.show(A);
    assertThat(queue).reads("main <- B (testing) <- A (testing)");
  }

  @Test
  void if_the_target_branch_moved_everything_is_retested_on_it() {
    queue.submit(A, B).finish(A.passes());
    queue.land(new LandingProblem.TargetMoved(new CommitSha("x")));
    assertThat(A).isTestedOn("x A").went(TESTING, "target_moved");
    assertThat(B).isTestedOn("x A B");
  }

  @Test
  void if_it_no_longer_merges_it_is_not_ready_until_pushed() {
    queue.submit(A, B).finish(A.passes());
    queue.land(new LandingProblem.Conflicted(A.ref()));
    assertThat(A).isNotReady("merge_conflict");
    assertThat(B).isTestedOn("m0 B");

    queue.push(A);
    assertThat(queue).reads("main <- B (testing) <- A (testing)");
  }

  @Test
  void if_the_forge_refuses_it_is_rejected_with_the_forges_words() {
    queue.submit(A, B).finish(A.passes());
    queue.land(new LandingProblem.Refused(A.ref(), "Two reviews are missing."));
    assertThat(A).wasRejected("merge_refused").says("reviews");
    assertThat(queue).reads("main <- B (testing)");
  }

  @Test
  void if_the_forge_is_unavailable_it_is_asked_again_after_a_while() {
    queue.submit(A, B).finish(A.passes());
    LandingId first = queue.landing().landing();
    queue.land(new LandingProblem.ForgeUnavailable("The forge is away."));
    assertThat(queue).reads("main <- A (tests passed) <- B (testing)");
    Assertions.assertThat(queue.state.landing()).isEmpty();

    queue.minutesPass(1);
    Assertions.assertThat(queue.landing().landing()).isNotEqualTo(first);
    queue.land();
    assertThat(A).wasMerged();
    assertThat(queue).started(2);
  }

  @Test
  void a_batch_that_merged_in_part_keeps_its_proof_for_the_rest() {
    queue.batches(2).submit(A, B).finish(A.passes());
    queue.land(new LandingProblem.ForgeUnavailable("The forge is away."), A);
    assertThat(A).wasMerged();
    assertThat(queue).reads("main <- B (tests passed)");

    queue.minutesPass(1).land();
    assertThat(B).wasMerged();
    assertThat(queue).started(1);
  }

  @Test
  void the_rest_of_a_batch_keeps_its_place_while_a_test_branch_further_behind_holds_it() {
    queue.parallel().batches(2).submit(A.touching(ImpactedTargets.ALL), B.touching("app"));
    queue.submit(C.touching("app", "docs").alone(), D.touching("docs").alone());
    queue.finish(A.passes());
    var app = Optional.of(ImpactedTargets.of("app"));
    queue.tell(
        new QueueEvent.TargetMoved(Optional.of(new CommitSha("m1")), new CommitSha("x"), app));
    queue.land(new LandingProblem.ForgeUnavailable("The forge is away."), A);
    assertThat(queue).reads("main <- B (pending) <- C (testing) <- D (testing)");
    assertThat(D).isTestedOn("m0 A B C D");

    queue.minutesPass(1);
    assertThat(B).isTestedOn("x B");
  }

  @Test
  void a_batch_that_merged_up_to_one_whose_head_moved_retests_the_rest() {
    queue.batches(3).holdSnapshots().submit(A, B, C).finish(A.passes()).pushUnseen(B);
    queue.land(new LandingProblem.HeadMoved(B.ref()), A);
    assertThat(A).wasMerged();
    assertThat(B).went(NOT_READY, "head_moved");
    assertThat(C).isTestedOn("m1 C");
  }

  @Test
  void who_stood_only_on_the_part_of_a_batch_that_merged_is_retested_without_the_rest() {
    queue.parallel().batches(2).submit(A.touching("app", "docs"), B.touching("docs"));
    queue.submit(C.touching("app").alone(), D.touching("docs").alone());
    RunId kept = queue.runOf(D);
    queue.finish(A.passes(), C.passes());
    queue.land(new LandingProblem.ForgeUnavailable("The forge is away."), A);
    assertThat(C).isTestedOn("m1 C").went(TESTING, "predecessor_left");
    assertThat(D).isTestedOn("m0 A B D");
    Assertions.assertThat(queue.runOf(D)).isEqualTo(kept);
  }

  @Test
  void targets_that_changed_count_after_a_cancel_was_taken_back() {
    queue.parallel().submit(A.touching("app"), B.touching("docs")).finish(B.passes());
    queue.touches(B, "app").cancel(B).submit(B);
    queue.land(new LandingProblem.TreeDiffered());
    assertThat(B).isTestedOn("m0 A B");
  }

  @Test
  void a_merge_nobody_answers_is_asked_for_again_under_the_same_name() {
    queue.submit(A).finish(A.passes());
    QueueAction.Land first = queue.landing();
    queue.minutesPass(30);
    Assertions.assertThat(queue.actions.stream().filter(first::equals)).hasSize(2);
  }

  @Test
  void an_answer_to_another_merge_changes_nothing() {
    queue.submit(A).finish(A.passes());
    queue.tell(
        new QueueEvent.LandingEnded(
            new LandingId(999),
            List.of(new QueueEvent.Landed(A.ref(), new CommitSha("x"))),
            Optional.empty()));
    assertThat(queue).reads("main <- A (tests passed)");
  }

  @Test
  void pushed_to_while_it_is_being_merged_it_waits_for_the_answer() {
    queue.submit(A).finish(A.passes()).push(A);
    assertThat(queue).reads("main <- A (tests passed)");

    queue.land(new LandingProblem.HeadMoved(A.ref()));
    assertThat(queue).reads("main <- A (testing)");
  }
}
