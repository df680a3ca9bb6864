package dev.mainstay.core.queue.rules;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.queue.Entry;
import dev.mainstay.core.queue.PullRequestSnapshot.Status;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/** The places of a queue: who stands where, and behind whom. */
class PlacesTest extends QueueTest {
  @Test
  void positions_count_those_under_test_and_then_those_who_wait() {
    queue.slots(1).becomes(D, Status.DRAFT).submit(A, B, C.high(), D);
    assertThat(A).isAt(1);
    assertThat(C).isAt(2);
    assertThat(B).isAt(3);
    Assertions.assertThat(new Places(queue.state).position(D.ref())).isEmpty();
    Assertions.assertThat(new Places(queue.state).position(E.ref())).isEmpty();
  }

  @Test
  void the_order_is_under_test_then_in_bisection_then_waiting_then_not_ready() {
    queue.batches(2).becomes(D, Status.DRAFT).submit(A, B, D, C, E.alone()).finish(A.fails());
    Assertions.assertThat(
            QueueByHand.names(new Places(queue.state).inOrder().stream().map(Entry::pr).toList()))
        .isEqualTo(List.of("E", "A", "B", "C", "D"));
  }

  @Test
  void one_that_waits_for_a_slot_waits_for_all_ahead_of_it() {
    queue.slots(1).submit(A, B, C);
    assertThat(C).waitsFor(A, B);
  }

  @Test
  void in_parallel_mode_one_that_waits_for_a_slot_waits_only_for_its_lane() {
    queue.parallel().slots(1);
    queue.submit(A.touching("app"), B.touching("docs"), C.touching("app"), D.touching("docs"));
    assertThat(C).waitsFor(A);
    assertThat(D).waitsFor(B);
  }

  @Test
  void a_run_is_found_by_the_commit_it_tests() {
    queue.submit(A);
    CommitSha tested = queue.state.runOf(A.ref()).orElseThrow().commit().orElseThrow();
    Assertions.assertThat(queue.state.runOn(tested).orElseThrow().id()).isEqualTo(queue.runOf(A));
  }
}
