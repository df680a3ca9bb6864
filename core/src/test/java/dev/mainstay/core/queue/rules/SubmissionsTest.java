package dev.mainstay.core.queue.rules;

import dev.mainstay.core.queue.EntryId;
import dev.mainstay.core.queue.ImpactedTargets;
import dev.mainstay.core.queue.PullRequestSnapshot;
import dev.mainstay.core.queue.QueueAction;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.RunId;
import dev.mainstay.core.queue.Step;
import dev.mainstay.core.queue.Transition;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

class SubmissionsTest extends QueueTest {
  @Test
  void submitted_again_it_takes_the_new_priority_and_keeps_its_place_among_equals() {
    queue.slots(1).submit(A, B, C, D).submit(C);
    assertThat(queue).reads("main <- A (testing) <- B (pending) <- C (pending) <- D (pending)");

    queue.submit(D.high());
    assertThat(queue).reads("main <- A (testing) <- D (pending) <- B (pending) <- C (pending)");

    queue.submit(D);
    assertThat(queue).reads("main <- A (testing) <- B (pending) <- C (pending) <- D (pending)");
  }

  @Test
  void submitted_again_it_may_go_alone() {
    queue.batches(2).submit(A).submit(A.alone());
    assertThat(queue).reads("main <- A (testing)");
  }

  @Test
  void submitted_again_under_test_nothing_restarts() {
    queue.submit(A).submit(A.high());
    assertThat(queue).reads("main <- A (testing)").started(1);
  }

  @Test
  void submitted_after_its_end_it_is_a_new_entry() {
    queue.submit(A, B);
    EntryId first = queue.state.entry(A.ref()).orElseThrow().id();
    queue.cancel(A).submit(A);
    assertThat(queue).reads("main <- B (testing) <- A (testing)");
    Assertions.assertThat(queue.state.entry(A.ref()).orElseThrow().id()).isNotEqualTo(first);
  }

  @Test
  void a_merged_pull_request_that_is_submitted_again_is_over_at_once() {
    queue.becomes(A, PullRequestSnapshot.Status.MERGED).submit(A);
    assertThat(A).wasMerged("merged_manually");
  }

  @Test
  void what_ended_leaves_the_state() {
    queue.submit(A, B).finish(A.passes()).cancel(B);
    Assertions.assertThat(queue.state.entries()).isEmpty();
    Assertions.assertThat(queue.state.line()).isEmpty();
  }

  @Test
  void an_older_snapshot_never_replaces_a_newer_one() {
    PullRequestSnapshot old = queue.forge.show(A.ref());
    queue.submit(A).push(A);
    RunId run = queue.runOf(A);
    queue.tell(new QueueEvent.SnapshotTaken(A.ref(), old));
    Assertions.assertThat(queue.runOf(A)).isEqualTo(run);
  }

  @Test
  void targets_of_a_head_that_was_not_shown_yet_count_when_it_is() {
    queue.parallel().submit(A.touching("app")).pushUnseen(A).touches(A, "lib").show(A);
    assertThat(queue).reads("main <- A (testing)");
    Assertions.assertThat(queue.state.member(A.ref()).knownTargets())
        .contains(ImpactedTargets.of("lib"));
  }

  @Test
  void what_is_told_about_others_changes_nothing() {
    QueueState before = queue.state;
    queue.show(A).cancel(A).restart(A).touches(A, "app");
    Assertions.assertThat(queue.state).isEqualTo(before);
  }

  @Test
  void the_same_event_on_the_same_state_always_leads_to_the_same_step() {
    queue.submit(A, B);
    var event = new QueueEvent.Cancelled(A.ref());
    Step once = Engine.on(event, queue.state, queue.now);
    Step twice = Engine.on(event, queue.state, queue.now);
    Assertions.assertThat(once).isEqualTo(twice);
  }

  @Test
  void an_id_names_one_action_only() {
    queue.batches(2).submit(A, B, C).finish(A.fails()).minutesPass(5).someoneMovesMain();
    List<QueueAction> different = queue.actions.stream().distinct().toList();
    Assertions.assertThat(different).extracting(QueueAction::id).doesNotHaveDuplicates();
  }

  @Test
  void the_first_transition_comes_from_nowhere_and_all_tell_the_time() {
    Instant submitted = queue.now;
    queue.submit(A).minutesPass(3).finish(A.passes());
    Transition first = queue.historyOf(A).getFirst();
    Assertions.assertThat(first.from()).isEqualTo(Optional.empty());
    Assertions.assertThat(first.at()).isEqualTo(submitted);
    Assertions.assertThat(queue.historyOf(A).getLast().at()).isEqualTo(queue.now);
  }
}
