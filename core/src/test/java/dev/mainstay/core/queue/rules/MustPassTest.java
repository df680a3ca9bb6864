package dev.mainstay.core.queue.rules;

import dev.mainstay.core.queue.CheckState;
import dev.mainstay.core.queue.Connection;
import dev.mainstay.core.queue.QueueEvent;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

class MustPassTest extends QueueTest {
  private QueueByHand connection(boolean testCommand, String... statuses) {
    return queue.tell(
        new QueueEvent.ConnectionChanged(new Connection(true, List.of(statuses), testCommand)));
  }

  private QueueByHand required(String... statuses) {
    return queue.settings(s -> s.requiredStatuses(Optional.of(List.of(statuses))));
  }

  private void mustPass(String... statuses) {
    Assertions.assertThat(queue.started(queue.runOf(A)).requiredStatuses())
        .isEqualTo(List.of(statuses));
  }

  private QueueByHand say(String name, CheckState state) {
    return queue.tell(new QueueEvent.StatusReported(queue.runOf(A), name, state));
  }

  @Test
  void the_queues_own_statuses_come_first() {
    connection(true, "protected");
    required("unit", "lint").submit(A);
    mustPass("unit", "lint");
  }

  @Test
  void else_what_the_branch_protection_requires() {
    connection(true, "protected").submit(A);
    mustPass("protected");
  }

  @Test
  void else_the_test_command_under_its_own_name() {
    connection(true).submit(A);
    mustPass("mainstay/test");
  }

  @Test
  void with_none_of_them_nothing_can_prove_a_change() {
    connection(false).submit(A);
    assertThat(A).isNotReady("no_required_statuses");
    assertThat(queue).reads("main; not ready A");

    required("unit");
    assertThat(queue).reads("main <- A (testing)");
  }

  @Test
  void one_that_waits_goes_out_again_when_nothing_says_any_more_what_must_pass() {
    queue.slots(1).submit(A, B);
    connection(false);
    assertThat(B).isNotReady("no_required_statuses");
    assertThat(queue).reads("main <- A (testing); not ready B");
  }

  @Test
  void an_empty_list_set_on_purpose_requires_nothing() {
    required().submit(A);
    assertThat(A).wasMerged();
  }

  @Test
  void an_empty_list_still_asks_for_a_branch_that_can_be_built() {
    required().holdBuilds().submit(A);
    assertThat(queue).reads("main <- A (testing)");
  }

  @Test
  void every_required_status_must_succeed() {
    required("unit", "lint").submit(A);
    say("unit", CheckState.SUCCESS);
    assertThat(queue).reads("main <- A (testing)");

    say("lint", CheckState.PENDING);
    assertThat(queue).reads("main <- A (testing)");

    say("lint", CheckState.SUCCESS);
    assertThat(A).wasMerged();
  }

  @Test
  void a_success_is_not_taken_back_by_an_older_word_that_comes_late() {
    required("unit", "lint").submit(A);
    say("unit", CheckState.SUCCESS);
    say("unit", CheckState.PENDING);
    say("lint", CheckState.SUCCESS);
    assertThat(A).wasMerged();
  }

  @Test
  void other_statuses_do_not_count() {
    required("unit").submit(A);
    say("style", CheckState.FAILURE);
    assertThat(queue).reads("main <- A (testing)");
  }

  @Test
  void a_run_must_pass_what_was_asked_of_it_when_it_began() {
    required("unit").submit(A);
    required("unit", "lint");
    say("unit", CheckState.SUCCESS);
    assertThat(A).wasMerged();
  }
}
