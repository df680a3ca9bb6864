package dev.mainstay.core.queue.rules;

import static dev.mainstay.core.queue.PullRequestState.PENDING;
import static dev.mainstay.core.queue.PullRequestState.TESTING;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.LandedHow;
import dev.mainstay.core.queue.PullRequestSnapshot;
import dev.mainstay.core.queue.PullRequestSnapshot.Status;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.QueueLifecycle;
import dev.mainstay.core.queue.RunId;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

class AlreadyThereTest extends QueueTest {
  @Test
  void one_that_brings_nothing_to_the_target_branch_is_merged_at_once() {
    queue.holdBuilds().submit(A);
    RunId run = queue.runOf(A);
    built(A, A);
    assertThat(A).wasMerged("merged_manually").says("All it changes is on main already.");
    assertThat(queue).reads("main");
    Assertions.assertThat(queue.cancelled(run)).isTrue();
  }

  @Test
  void the_rest_of_its_batch_keeps_its_run() {
    queue.holdBuilds().batches(2).submit(A, B);
    RunId run = queue.runOf(B);
    built(A, A);
    assertThat(A).wasMerged("merged_manually");
    Assertions.assertThat(queue.runOf(B)).isEqualTo(run);
    queue.finish(B.passes());
    assertThat(B).wasMerged("merged_by_queue");
  }

  @Test
  void who_stood_only_on_the_part_of_a_batch_that_is_there_is_retested_without_the_rest() {
    queue.parallel().holdBuilds().batches(2);
    queue.submit(A.touching("app", "docs"), B.touching("docs"));
    queue.settings(s -> s.batch(false)).submit(C.touching("app"));
    RunId run = queue.runOf(C);
    built(A, A);
    assertThat(A).wasMerged("merged_manually");
    Assertions.assertThat(queue.cancelled(run)).isTrue();
    Assertions.assertThat(queue.started(queue.runOf(C)).standsOn()).isEmpty();
  }

  @Test
  void who_is_to_be_retested_without_the_rest_is_not_there_by_what_the_old_run_showed() {
    queue.parallel().holdBuilds().batches(2);
    queue.submit(A.touching("app", "docs"), B.touching("docs"));
    queue.settings(s -> s.batch(false)).submit(C.touching("app"));
    built(C, C);
    built(A, A);
    assertThat(A).wasMerged("merged_manually");
    assertThat(C).is(TESTING);
    Assertions.assertThat(queue.started(queue.runOf(C)).standsOn()).isEmpty();
  }

  @Test
  void behind_one_of_its_batch_that_brings_something_it_lands_with_it() {
    queue.holdBuilds().batches(2).submit(A, B);
    built(A, B);
    assertThat(queue).reads("main <- A+B (testing)");
  }

  @Test
  void it_is_not_decided_while_something_it_stands_on_is_open() {
    queue.holdBuilds().submit(A, B);
    built(A);
    built(B, B);
    assertThat(queue).reads("main <- A (testing) <- B (testing)");
    queue.finish(A.passes());
    assertThat(A).wasMerged("merged_by_queue");
    assertThat(B).wasMerged("merged_manually");
  }

  @Test
  void where_that_leaves_it_is_tested_again() {
    queue.holdBuilds().submit(A, B);
    built(A);
    built(B, B);
    queue.cancel(A);
    assertThat(queue).reads("main <- B (testing)");
  }

  @Test
  void what_the_test_branch_showed_counts_when_what_it_stands_on_is_there_too() {
    queue.holdBuilds().submit(A, B);
    built(B, A, B);
    assertThat(queue).reads("main <- A (testing) <- B (testing)");
    built(A, A);
    assertThat(A).wasMerged("merged_manually");
    assertThat(B).wasMerged("merged_manually");
  }

  @Test
  void one_that_waits_for_a_slot_in_its_place_is_merged_when_a_look_shows_it() {
    queue.submit(A).becomes(QueueLifecycle.PAUSED).someoneMovesMain();
    assertThat(queue).reads("main <- A (pending)");
    show(A, Optional.of(queue.forge.main), false);
    assertThat(A).wasMerged("merged_manually");
  }

  @Test
  void news_of_a_test_branch_that_ci_was_faster_with_count() {
    queue.holdBuilds().submit(A);
    built(A);
    assertThat(queue).reads("main <- A (testing)");
    built(A, A);
    assertThat(A).wasMerged("merged_manually");
  }

  @Test
  void one_that_waits_is_merged_when_a_look_shows_it() {
    queue.slots(1).submit(A, B);
    assertThat(B).is(PENDING);
    show(B, Optional.of(new CommitSha("elsewhere")), false);
    assertThat(B).is(PENDING);
    show(B, Optional.of(queue.forge.main), false);
    assertThat(B).wasMerged("merged_manually");
  }

  @Test
  void the_look_may_be_ahead_of_the_news_that_the_branch_moved() {
    queue.slots(1).submit(A, B);
    CommitSha before = queue.forge.main;
    CommitSha moved = queue.forge.newCommit();
    show(B, Optional.of(moved), false);
    assertThat(B).is(PENDING);
    queue.tell(new QueueEvent.TargetMoved(Optional.of(before), moved, Optional.empty()));
    assertThat(B).wasMerged("merged_manually");
  }

  @Test
  void one_that_goes_out_of_its_group_is_merged_where_a_look_showed_it() {
    queue.submit(A, B);
    show(B, Optional.of(queue.forge.main), false);
    assertThat(queue).reads("main <- A (testing) <- B (testing)");
    show(B, Optional.of(queue.forge.main), true);
    assertThat(queue).reads("main <- A (testing) <- B (testing)");
    PullRequestSnapshot s = queue.forge.show(B.ref());
    queue.tell(snapshot(B, s, Status.DRAFT, Optional.of(queue.forge.main), false));
    assertThat(B).wasMerged("merged_manually");
  }

  @Test
  void one_that_brought_nothing_when_it_was_to_land_was_there() {
    queue.holdLandings().submit(A).finish(A.passes());
    var there =
        new QueueEvent.Landed(A.ref(), queue.forge.main, Optional.of(LandedHow.ALREADY_THERE));
    queue.tell(
        new QueueEvent.LandingEnded(queue.landing().landing(), List.of(there), Optional.empty()));
    assertThat(A).wasMerged("merged_manually");
  }

  @Test
  void one_that_was_there_when_it_was_to_land_leaves_others_as_tested() {
    queue.parallel().holdLandings().submit(A.touching("app"), B.touching("docs"));
    queue.finish(A.passes());
    var there =
        new QueueEvent.Landed(A.ref(), queue.forge.main, Optional.of(LandedHow.ALREADY_THERE));
    queue.tell(
        new QueueEvent.LandingEnded(queue.landing().landing(), List.of(there), Optional.empty()));
    queue.finish(B.passes());
    Assertions.assertThat(queue.landing().exactTree()).isTrue();
  }

  @Test
  void one_that_changes_nothing_is_not_ready() {
    queue.slots(1).submit(A, B);
    show(B, Optional.empty(), true);
    assertThat(B).isNotReady("nothing_to_merge").says("It changes nothing");
  }

  private void built(Pr pr, Pr... bringingNothing) {
    RunId run = queue.runOf(pr);
    List<PullRequestRef> nothing = List.of(bringingNothing).stream().map(Pr::ref).toList();
    queue.tell(new QueueEvent.TestBranchBuilt(run, new CommitSha("t" + run.number()), nothing));
  }

  private void show(Pr pr, Optional<CommitSha> heldBy, boolean empty) {
    PullRequestSnapshot s = queue.forge.show(pr.ref());
    queue.tellTwice(snapshot(pr, s, s.status(), heldBy, empty));
  }

  private static QueueEvent snapshot(
      Pr pr, PullRequestSnapshot s, Status status, Optional<CommitSha> heldBy, boolean empty) {
    return new QueueEvent.SnapshotTaken(
        pr.ref(),
        new PullRequestSnapshot(
            s.head(),
            s.baseBranch(),
            status,
            s.mergeability(),
            s.mergeBase(),
            s.passedStatuses(),
            s.asOf(),
            heldBy,
            empty,
            List.of(),
            Optional.empty(),
            Optional.empty()));
  }
}
