package dev.mainstay.core.queue;

import static dev.mainstay.core.queue.PullRequestState.*;

import org.junit.jupiter.api.Test;

class SpeculationTest extends QueueTest {
  @Test
  void a_pull_request_that_passes_is_merged() {
    queue.submit(A);
    assertThat(queue).reads("main <- A (testing)");

    queue.finish(A.passes());
    assertThat(A)
        .wasMerged("merged_by_queue")
        .passedThrough(NOT_READY, PENDING, TESTING, TESTS_PASSED, MERGED);
    assertThat(queue).reads("main");
  }

  @Test
  void the_next_one_is_tested_as_if_the_first_had_merged() {
    queue.submit(A, B);
    assertThat(queue).reads("main <- A (testing) <- B (testing)");
    assertThat(A).isTestedOn("m0 A");
    assertThat(B).isTestedOn("m0 A B").waitsFor(A);
  }
}
