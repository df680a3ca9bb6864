package dev.mainstay.core.queue.rules;

import static dev.mainstay.core.queue.QueueLifecycle.DRAINING;
import static dev.mainstay.core.queue.QueueLifecycle.PAUSED;
import static dev.mainstay.core.queue.QueueLifecycle.RUNNING;
import static dev.mainstay.core.queue.QueueLifecycle.SWITCHING_MODES;

import dev.mainstay.core.queue.PullRequestSnapshot.Status;
import dev.mainstay.core.queue.QueueSettings.Mode;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

class ModesTest extends QueueTest {
  @Test
  void paused_running_tests_finish_and_nothing_merges() {
    queue.submit(A, B).becomes(PAUSED).finish(A.passes());
    assertThat(queue).reads("main <- A (tests passed) <- B (testing)").is(PAUSED);

    queue.becomes(RUNNING);
    assertThat(A).wasMerged();
  }

  @Test
  void paused_nothing_starts_and_the_order_is_kept() {
    queue.slots(1).submit(A, B, C).becomes(PAUSED).finish(A.fails());
    assertThat(queue).reads("main <- B (pending) <- C (pending)").started(1);

    queue.becomes(RUNNING);
    assertThat(queue).reads("main <- B (testing) <- C (pending)");
  }

  @Test
  void paused_what_must_be_tested_again_keeps_its_place() {
    queue.slots(2).submit(A, B, C.high()).becomes(PAUSED).finish(A.fails());
    assertThat(queue).reads("main <- B (pending) <- C (pending)").started(2);

    queue.becomes(RUNNING);
    assertThat(queue).reads("main <- B (testing) <- C (testing)");
  }

  @Test
  void paused_one_that_failed_on_top_of_others_waits() {
    queue.submit(A, B).becomes(PAUSED).finish(A.passes(), B.fails());
    assertThat(queue).reads("main <- A (tests passed) <- B (pending failure)");

    queue.becomes(RUNNING);
    assertThat(B).wasRejected("test_failed");
  }

  @Test
  void draining_nobody_enters_and_what_is_in_merges() {
    queue.slots(1).submit(A, B).becomes(DRAINING).submit(C);
    queue.finish(A.passes()).finish(B.passes());
    assertThat(A).wasMerged();
    assertThat(B).wasMerged();
    assertThat(queue).reads("main; not ready C").is(DRAINING);

    queue.becomes(RUNNING);
    assertThat(queue).reads("main <- C (testing)");
  }

  @Test
  void an_empty_queue_switches_modes_at_once() {
    queue.parallel();
    assertThat(queue).is(RUNNING);
    Assertions.assertThat(queue.state.settings().mode()).isEqualTo(Mode.PARALLEL);
  }

  @Test
  void those_who_are_not_ready_do_not_hold_up_the_switch() {
    queue.becomes(A, Status.DRAFT).submit(A).parallel();
    assertThat(queue).is(RUNNING);
  }

  @Test
  void else_it_drains_and_then_runs_in_the_new_mode() {
    queue.submit(A, B).parallel().submit(C.touching("app"), D.touching("docs"));
    assertThat(queue)
        .is(SWITCHING_MODES)
        .reads("main <- A (testing) <- B (testing); not ready C, D");
    Assertions.assertThat(queue.state.settings().mode()).isEqualTo(Mode.SINGLE);

    queue.finish(A.passes(), B.passes());
    assertThat(queue).is(RUNNING).reads("main <- C (testing); main <- D (testing)");
    Assertions.assertThat(queue.state.settings().mode()).isEqualTo(Mode.PARALLEL);
  }

  @Test
  void other_settings_count_at_once_while_modes_are_switched() {
    queue.slots(1).submit(A, B).settings(s -> s.mode(Mode.PARALLEL).concurrency(2));
    assertThat(queue).reads("main <- A (testing) <- B (testing)").is(SWITCHING_MODES);

    queue.settings(s -> s.concurrency(3));
    assertThat(queue).is(SWITCHING_MODES);
  }

  @Test
  void asking_for_another_state_gives_the_switch_up() {
    queue.submit(A).parallel().becomes(RUNNING).finish(A.passes());
    assertThat(queue).is(RUNNING);
    Assertions.assertThat(queue.state.settings().mode()).isEqualTo(Mode.SINGLE);
  }
}
