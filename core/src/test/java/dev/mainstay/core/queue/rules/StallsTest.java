package dev.mainstay.core.queue.rules;

import static dev.mainstay.core.queue.rules.Pr.A;
import static dev.mainstay.core.queue.rules.Pr.B;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.core.queue.CheckState;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.QueueLifecycle;
import dev.mainstay.core.queue.Stall;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StallsTest {
  private final QueueByHand queue = new QueueByHand();

  private Instant since() {
    return queue.state.idleSince().orElseThrow();
  }

  private QueueByHand stalls(Instant since) {
    return queue.tell(
        new QueueEvent.Stalled(new Stall(since, Stall.Cause.CHECK_MISSING, "Nothing moves.")));
  }

  private Optional<Stall> stall() {
    return queue.state.progress().stall();
  }

  @Test
  void an_empty_queue_is_not_idle() {
    assertThat(queue.state.idleSince()).isEmpty();
    queue.submit(A).finish(A.passes()).minutesPass(60);
    assertThat(queue.state.idleSince()).isEmpty();
  }

  @Test
  void newcomers_move_nothing_while_others_wait() {
    queue.slots(1).submit(A);
    Instant begun = queue.now;
    queue.minutesPass(20).submit(B);
    assertThat(since()).isEqualTo(begun);
  }

  @Test
  void who_comes_to_an_empty_queue_waits_since_then() {
    queue.submit(A).finish(A.passes()).minutesPass(60).holdBuilds().submit(B);
    assertThat(since()).isEqualTo(queue.now);
  }

  @Test
  void a_stall_is_told_once_and_ends_with_the_next_move() {
    queue.submit(A).minutesPass(40);
    stalls(since());
    Optional<Stall> told = stall();
    assertThat(told).isPresent();
    queue.minutesPass(10);
    queue.tell(new QueueEvent.Stalled(new Stall(since(), Stall.Cause.NO_SLOTS, "Something else.")));
    assertThat(stall()).isEqualTo(told);
    queue.report(queue.runOf(A), CheckState.PENDING);
    assertThat(stall()).isEmpty();
    assertThat(since()).isEqualTo(queue.now);
  }

  @Test
  void a_test_branch_that_is_asked_for_again_and_again_moves_nothing() {
    queue.holdBuilds().submit(A);
    Instant asked = queue.now;
    for (int i = 0; i < 5; i++) {
      queue.tell(new QueueEvent.TestBranchNotBuilt(queue.runOf(A), "The host is down."));
      queue.minutesPass(3);
    }
    assertThat(since()).isEqualTo(asked);
  }

  @Test
  void what_was_said_twice_moves_nothing() {
    queue.submit(A).report(queue.runOf(A), CheckState.PENDING);
    Instant said = queue.now;
    queue.minutesPass(5).report(queue.runOf(A), CheckState.PENDING);
    assertThat(since()).isEqualTo(said);
  }

  @Test
  void a_stall_that_is_over_by_now_is_not_told() {
    queue.submit(A).minutesPass(40);
    Instant before = since();
    queue.report(queue.runOf(A), CheckState.PENDING);
    stalls(before);
    assertThat(stall()).isEmpty();
  }

  @Test
  void a_stall_ends_with_the_last_who_waits() {
    queue.submit(A).minutesPass(40);
    stalls(since());
    queue.cancel(A);
    assertThat(stall()).isEmpty();
  }

  @Test
  void whoever_stops_the_queue_or_lets_it_go_on_begins_anew() {
    queue.submit(A).minutesPass(40);
    stalls(since());
    queue.becomes(QueueLifecycle.PAUSED);
    assertThat(stall()).isEmpty();
    assertThat(since()).isEqualTo(queue.now);
  }
}
