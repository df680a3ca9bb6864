package dev.mainstay.core.queue.rules;

import static dev.mainstay.core.queue.PullRequestState.PENDING;
import static dev.mainstay.core.queue.PullRequestState.TESTING;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.queue.CheckState;
import dev.mainstay.core.queue.PullRequestSnapshot.Mergeability;
import dev.mainstay.core.queue.QueueAction;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.QueueLifecycle;
import dev.mainstay.core.queue.RunId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

class TimeoutsTest extends QueueTest {
  private QueueByHand begins(Pr pr) {
    return queue.report(queue.runOf(pr), CheckState.PENDING);
  }

  @Test
  void tests_that_take_too_long_fail() {
    queue.settings(s -> s.testingTimeoutMinutes(60)).submit(A);
    begins(A).minutesPass(59);
    assertThat(queue).reads("main <- A (testing)");

    queue.minutesPass(1);
    assertThat(A).wasRejected("test_timeout").says("60 minutes");
  }

  @Test
  void a_timeout_is_decided_like_any_failure() {
    queue.submit(A).minutesPass(100).submit(B);
    begins(A);
    begins(B).minutesPass(150).cancel(A).minutesPass(200);
    assertThat(queue).reads("main <- B (testing)");
  }

  @Test
  void zero_means_no_timeout() {
    queue.settings(s -> s.testingTimeoutMinutes(0)).submit(A);
    begins(A).minutesPass(100_000);
    assertThat(queue).reads("main <- A (testing)");
  }

  @Test
  void without_a_timeout_a_status_that_nobody_begins_is_not_waited_for_for_ever() {
    queue.settings(s -> s.testingTimeoutMinutes(0)).submit(A).minutesPass(299);
    assertThat(queue).reads("main <- A (testing)");

    queue.minutesPass(1);
    assertThat(A).wasRejected("ci_never_started").says("the change is not to blame");
  }

  @Test
  void one_silent_status_among_others_is_no_fault_of_the_change() {
    queue.settings(s -> s.requiredStatuses(Optional.of(List.of("unit", "slow")))).submit(A);
    queue.tell(new QueueEvent.StatusReported(queue.runOf(A), "unit", CheckState.SUCCESS));
    queue.minutesPass(300);
    assertThat(A).wasRejected("ci_never_started").says("nothing for slow in 300 minutes");
  }

  @Test
  void what_ran_too_long_for_ci_is_a_timeout_too() {
    queue.submit(A).report(queue.runOf(A), CheckState.TIMED_OUT);
    assertThat(A).wasRejected("test_timeout").says("ran too long for CI");
  }

  @Test
  void what_ci_cancelled_blames_nobody() {
    queue.submit(A, B).report(queue.runOf(B), CheckState.CANCELLED);
    assertThat(queue).reads("main <- A (testing) <- B (pending failure)");

    queue.finish(A.passes());
    assertThat(B).wasRejected("ci_cancelled").says("the change is not to blame");
  }

  @Test
  void the_time_counts_from_when_the_test_branch_was_there() {
    queue.settings(s -> s.testingTimeoutMinutes(60)).holdBuilds().submit(A).minutesPass(20);
    queue.tell(queue.build(queue.started(queue.runOf(A))));
    begins(A).minutesPass(59);
    assertThat(queue).reads("main <- A (testing)");

    queue.minutesPass(1);
    assertThat(A).wasRejected("test_timeout");
  }

  @Test
  void if_ci_said_nothing_until_then_it_never_started() {
    queue.submit(A).minutesPass(300);
    assertThat(A).wasRejected("ci_never_started").says("300 minutes");
  }

  @Test
  void if_it_is_known_that_ci_will_not_start_nobody_waits() {
    queue.submit(A).tell(new QueueEvent.CiNeverStarted(queue.runOf(A)));
    assertThat(A).wasRejected("ci_never_started");
  }

  @Test
  void a_ci_that_spoke_has_started() {
    queue.submit(A);
    begins(A).tell(new QueueEvent.CiNeverStarted(queue.runOf(A)));
    assertThat(queue).reads("main <- A (testing)");
  }

  @Test
  void tests_may_take_their_time_while_the_queue_is_paused_but_not_more() {
    queue.submit(A);
    begins(A).becomes(QueueLifecycle.PAUSED).minutesPass(300);
    assertThat(A).wasRejected("test_timeout");
  }

  @Test
  void a_forge_that_cannot_build_is_asked_again_and_nobody_fails_for_it() {
    queue.holdBuilds().submit(A, B);
    RunId first = queue.runOf(A);
    queue.tell(new QueueEvent.TestBranchNotBuilt(first, "The forge is away."));
    assertThat(queue).reads("main <- A (pending) <- B (testing)");
    assertThat(A).went(PENDING, "forge_unavailable");

    queue.minutesPass(1);
    assertThat(queue).reads("main <- A (testing) <- B (testing)");
    assertThat(A).isTestedOn("m0 A").went(TESTING, "forge_unavailable");
  }

  @Test
  void the_slot_of_one_that_cannot_be_built_is_given_when_it_is_known_who_waits() {
    queue.parallel().batches(2).slots(1).holdBuilds();
    queue.submit(A, B, C).touches(A, "api").touches(B, "api").touches(C);
    queue.becomes(B, Mergeability.NOT_MERGEABLE).minutesPass(29);
    assertThat(queue).reads("main <- A+B (testing); main <- C (pending)");

    queue.tell(new QueueEvent.TestBranchNotBuilt(queue.runOf(A), "The forge is away."));
    assertThat(queue).reads("main <- A (testing); main <- C (pending); not ready B");
  }

  @Test
  void a_test_branch_that_was_not_built_is_cleaned_up_all_the_same() {
    queue.holdBuilds().submit(A);
    RunId first = queue.runOf(A);
    queue.tell(new QueueEvent.TestBranchNotBuilt(first, "The forge is away."));
    Assertions.assertThat(queue.cancelled(first)).isTrue();
  }

  @Test
  void a_test_branch_nobody_answers_for_is_asked_for_again() {
    queue.holdBuilds().submit(A);
    RunId first = queue.runOf(A);
    queue.minutesPass(30);
    assertThat(queue).reads("main <- A (pending)");
    Assertions.assertThat(queue.cancelled(first)).isTrue();

    queue.minutesPass(1);
    assertThat(queue).reads("main <- A (testing)");
    queue.tell(new QueueEvent.TestBranchBuilt(first, new CommitSha("late")));
    Assertions.assertThat(queue.state.runOf(A.ref()).orElseThrow().commit()).isEmpty();
  }

  @Test
  void the_queue_asks_to_be_woken_for_the_next_deadline_only() {
    queue.submit(A, B);
    long asked = queue.actions.stream().filter(QueueAction.WakeAt.class::isInstance).count();
    begins(A);
    begins(B);
    Assertions.assertThat(queue.actions.stream().filter(QueueAction.WakeAt.class::isInstance))
        .hasSize((int) asked);
    Assertions.assertThat(queue.state.wakeAt()).contains(queue.now.plus(Duration.ofHours(5)));
  }

  @Test
  void a_time_that_has_passed_hides_no_later_deadline() {
    queue.settings(s -> s.concurrency(1).testingTimeoutMinutes(60)).holdBuilds().submit(A);
    queue.tell(new QueueEvent.TestBranchNotBuilt(queue.runOf(A), "The forge is away.")).submit(B);
    queue.tell(queue.build(queue.started(queue.runOf(B)))).minutesPass(59);
    assertThat(queue).reads("main <- A (pending) <- B (testing)");

    queue.minutesPass(1);
    assertThat(queue).reads("main <- A (testing) <- B (pending failure)");
  }

  @Test
  void an_empty_queue_sleeps() {
    queue.submit(A).finish(A.passes());
    Assertions.assertThat(queue.state.wakeAt()).isEmpty();
  }

  @Test
  void one_minute_is_not_minutes() {
    queue.settings(q -> q.testingTimeoutMinutes(1)).submit(A).minutesPass(1);
    assertThat(A).wasRejected("ci_never_started").says("in 1 minute:");
  }
}
