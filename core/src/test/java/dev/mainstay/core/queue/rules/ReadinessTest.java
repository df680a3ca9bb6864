package dev.mainstay.core.queue.rules;

import static dev.mainstay.core.queue.PullRequestSnapshot.Mergeability.IN_PROGRESS;
import static dev.mainstay.core.queue.PullRequestSnapshot.Mergeability.MERGEABLE;
import static dev.mainstay.core.queue.PullRequestSnapshot.Mergeability.NOT_MERGEABLE;
import static dev.mainstay.core.queue.PullRequestSnapshot.Status.DRAFT;
import static dev.mainstay.core.queue.PullRequestSnapshot.Status.OPEN;
import static dev.mainstay.core.queue.QueueLifecycle.DRAINING;
import static dev.mainstay.core.queue.QueueLifecycle.PAUSED;
import static dev.mainstay.core.queue.QueueLifecycle.RUNNING;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.queue.Connection;
import dev.mainstay.core.queue.ImpactedTargets;
import dev.mainstay.core.queue.Priority;
import dev.mainstay.core.queue.PullRequestSnapshot;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.QueueAction;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.Reason;
import java.util.Optional;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

class ReadinessTest extends QueueTest {
  @Test
  void the_base_branch_must_be_the_queues() {
    queue.retarget(A, "develop").submit(A);
    assertThat(A).isNotReady("base_changed");

    queue.retarget(A, "main");
    assertThat(queue).reads("main <- A (testing)");
  }

  @Test
  void the_forge_must_say_that_it_merges() {
    queue.becomes(A, IN_PROGRESS).submit(A);
    assertThat(A).isNotReady("mergeability_unknown");

    queue.becomes(A, MERGEABLE);
    assertThat(queue).reads("main <- A (testing)");
  }

  @Test
  void the_target_branch_must_be_there_and_what_is_in_goes_on_without_it() {
    queue.submit(B).tell(new QueueEvent.TargetBranchSeen(false)).submit(A);
    assertThat(A).isNotReady("target_branch_missing");
    assertThat(queue).reads("main <- B (testing); not ready A");

    queue.tell(new QueueEvent.TargetBranchSeen(true));
    assertThat(queue).reads("main <- B (testing) <- A (testing)");
  }

  @Test
  void one_that_conflicts_with_the_target_branch_waits_until_it_is_pushed_again() {
    queue.becomes(A, NOT_MERGEABLE).submit(A);
    assertThat(A).isNotReady("merge_conflict");

    queue.push(A);
    assertThat(queue).reads("main <- A (testing)");
  }

  @Test
  void a_draft_is_not_ready() {
    queue.becomes(A, DRAFT).submit(A);
    assertThat(A).isNotReady("converted_to_draft");

    queue.becomes(A, OPEN);
    assertThat(queue).reads("main <- A (testing)");
  }

  @Test
  void what_the_forge_asks_for_before_it_merges_keeps_it_out() {
    queue.asksFor(A, "An approval is missing.", "A conversation is open.").submit(A);
    assertThat(A).isNotReady("forge_blocks");
    Assertions.assertThat(
            Readiness.waitingFor(queue.state.entry(A.ref()).orElseThrow(), queue.state))
        .extracting(Reason::sentence)
        .containsExactly("An approval is missing. A conversation is open.");

    queue.asksFor(A);
    assertThat(queue).reads("main <- A (testing)");
  }

  @Test
  void in_parallel_mode_the_targets_must_be_known() {
    queue.parallel().submit(A);
    assertThat(A).isNotReady("impacted_targets_missing");

    queue.touches(A, "app");
    assertThat(queue).reads("main <- A (testing)");
  }

  @Test
  void targets_may_be_set_before_the_submission() {
    queue.parallel().submit(A.touching("app"));
    assertThat(queue).reads("main <- A (testing)");
  }

  @Test
  void a_new_push_asks_for_the_targets_anew() {
    queue.parallel().submit(A.touching("app")).push(A);
    assertThat(A).isNotReady("impacted_targets_missing");

    queue.touches(A, "app");
    assertThat(queue).reads("main <- A (testing)");
  }

  @Test
  void targets_of_a_head_that_is_no_more_do_not_count() {
    queue.parallel().submit(A).push(A);
    queue.tell(
        new QueueEvent.ImpactedTargetsSet(A.ref(), new CommitSha("A1"), ImpactedTargets.of("app")));
    assertThat(A).isNotReady("impacted_targets_missing");
  }

  @Test
  void targets_may_come_before_the_push_they_belong_to() {
    queue.parallel().submit(A);
    queue.tell(
        new QueueEvent.ImpactedTargetsSet(A.ref(), new CommitSha("A2"), ImpactedTargets.of("app")));
    assertThat(A).isNotReady("impacted_targets_missing");

    queue.push(A);
    assertThat(queue).reads("main <- A (testing)");
  }

  @Test
  void every_reason_is_told() {
    queue.parallel().retarget(A, "develop").becomes(A, NOT_MERGEABLE).becomes(A, DRAFT);
    queue.submit(A);
    assertThat(A)
        .isNotReady(
            "converted_to_draft", "base_changed", "impacted_targets_missing", "merge_conflict");
  }

  @Test
  void a_paused_queue_lets_nobody_in() {
    queue.becomes(PAUSED).submit(A);
    assertThat(A).isNotReady("queue_not_running");

    queue.becomes(RUNNING);
    assertThat(queue).reads("main <- A (testing)");
  }

  @Test
  void a_draining_queue_lets_nobody_in() {
    queue.becomes(DRAINING).submit(A);
    assertThat(A).isNotReady("queue_not_running");
  }

  @Test
  void a_queue_that_switches_modes_lets_nobody_in() {
    queue.submit(A).parallel().submit(B.touching("app"));
    assertThat(B).isNotReady("queue_not_running");
  }

  @Test
  void without_a_forge_it_says_what_to_connect() {
    queue.tell(new QueueEvent.ConnectionChanged(Connection.NONE));
    queue.tell(submission(Optional.empty()));
    assertThat(A).isNotReady("no_forge", "no_required_statuses");
  }

  @Test
  void without_a_snapshot_the_forge_is_asked_for_one() {
    queue.tell(submission(Optional.empty()));
    Assertions.assertThat(queue.actions).anyMatch(QueueAction.TakeSnapshot.class::isInstance);
    assertThat(queue).reads("main <- A (testing)");
  }

  @Test
  void a_forge_that_is_connected_again_is_asked_about_everybody() {
    Connection connected = queue.state.connection();
    queue.submit(B).tell(new QueueEvent.ConnectionChanged(Connection.NONE));
    queue.tell(submission(Optional.empty())).pushUnseen(B);
    assertThat(A).isNotReady("no_forge", "no_required_statuses");

    queue.tellTwice(new QueueEvent.ConnectionChanged(connected));
    assertThat(queue).reads("main <- B (testing) <- A (testing)");
    Assertions.assertThat(queue.actions.stream().filter(QueueAction.TakeSnapshot.class::isInstance))
        .hasSize(2);
  }

  private static QueueEvent submission(Optional<PullRequestSnapshot> snapshot) {
    return new QueueEvent.Submitted(A.ref(), Priority.DEFAULT, false, snapshot, Optional.empty());
  }

  @Test
  void one_that_waits_and_no_longer_merges_goes_out_again() {
    queue.slots(1).submit(A, B).becomes(B, NOT_MERGEABLE);
    assertThat(B).isNotReady("merge_conflict");
    assertThat(queue).reads("main <- A (testing); not ready B");
  }

  @Test
  void one_that_waits_stays_in_while_the_forge_thinks_it_over() {
    queue.slots(1).submit(A, B).becomes(B, IN_PROGRESS);
    assertThat(queue).reads("main <- A (testing) <- B (pending)");
  }

  @Test
  void one_that_falls_back_and_no_longer_merges_goes_out_at_once() {
    queue.slots(2).submit(A, B).becomes(B, NOT_MERGEABLE).slots(1);
    assertThat(queue).reads("main <- A (testing) <- B (testing)");

    queue.holdBuilds().someoneMovesMain();
    assertThat(B).isNotReady("merge_conflict");
    assertThat(queue).reads("main <- A (testing); not ready B");
  }

  @Test
  void one_that_falls_back_without_a_forge_goes_out_at_once() {
    queue.submit(A).tell(new QueueEvent.ConnectionChanged(Connection.NONE));
    assertThat(queue).reads("main <- A (testing)");

    queue.someoneMovesMain();
    assertThat(A).isNotReady("no_forge", "no_required_statuses");
  }

  @Test
  void each_that_falls_back_because_of_another_is_found_to_be_not_ready_at_once() {
    queue.submit(A, B, C).finish(B.passes(), C.passes()).becomes(PAUSED);
    queue.tell(new QueueEvent.ConnectionChanged(Connection.NONE)).restart(A);
    assertThat(queue).reads("main; not ready A, B, C");
    assertThat(C).went(PullRequestState.NOT_READY, "no_forge");
  }
}
