package dev.mainstay.core.queue.rules;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.queue.CheckState;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.RunId;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/** Events that come late, twice or out of order. Every scenario tells everything twice, too. */
class StaleEventsTest extends QueueTest {
  @Test
  void a_run_that_is_no_longer_wanted_hears_nothing_more() {
    queue.submit(A, B);
    RunId old = queue.runOf(B);
    queue.cancel(A).report(old, CheckState.FAILURE);
    assertThat(queue).reads("main <- B (testing)");

    queue.tell(new QueueEvent.TestBranchConflicted(old, B.ref(), true));
    queue.tell(new QueueEvent.TestBranchNotBuilt(old, "The forge is away."));
    queue.tell(new QueueEvent.CiNeverStarted(old));
    assertThat(queue).reads("main <- B (testing)");
  }

  @Test
  void a_status_may_come_before_its_branch_is_known() {
    queue.holdBuilds().submit(A).finish(A.passes());
    assertThat(queue).reads("main <- A (testing)");

    queue.tell(queue.build(queue.started(queue.runOf(A))));
    assertThat(A).wasMerged();
  }

  @Test
  void the_first_final_word_on_a_status_stays() {
    queue.submit(A, B).finish(B.fails());
    queue.report(queue.runOf(B), CheckState.SUCCESS);
    assertThat(queue).reads("main <- A (testing) <- B (pending failure)");
  }

  @Test
  void pending_after_success_changes_nothing() {
    queue.submit(A, B).finish(B.passes());
    queue.report(queue.runOf(B), CheckState.PENDING);
    assertThat(queue).reads("main <- A (testing) <- B (tests passed)");
  }

  @Test
  void a_branch_built_twice_is_the_first_one() {
    queue.submit(A);
    queue.tell(new QueueEvent.TestBranchBuilt(queue.runOf(A), new CommitSha("again")));
    Assertions.assertThat(queue.state.runOn(new CommitSha("again"))).isEmpty();
  }

  @Test
  void a_conflict_told_after_the_branch_was_built_changes_nothing() {
    queue.submit(A);
    queue.tell(new QueueEvent.TestBranchConflicted(queue.runOf(A), A.ref(), true));
    assertThat(queue).reads("main <- A (testing)");
  }
}
