package dev.mainstay.core.queue.rules;

import dev.mainstay.core.chance.Learned;
import dev.mainstay.core.chance.Trait;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.CheckState;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.QueueLifecycle;
import dev.mainstay.core.queue.QueueSettings.OptimizationMode;
import dev.mainstay.core.queue.QueueSettings.Sizing;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

class LessonsTest extends QueueTest {
  private static final Trait ADA = new Trait(Trait.Kind.AUTHOR, "ada");

  private Learned learned() {
    return queue.state.learned();
  }

  private double ada() {
    return learned().fails(List.of(ADA));
  }

  private double passes(Pr pr) {
    return new Outlook.Of(queue.state).entry(queue.state.member(pr.ref())).passes();
  }

  @Test
  void who_merged_passed_and_who_was_rejected_failed() {
    queue.writtenBy(A, "ada").writtenBy(B, "ada").submit(A, B).finish(A.passes());
    Assertions.assertThat(ada()).isLessThan(0.05);
    queue.finish(B.fails());
    assertThat(B).wasRejected("test_failed");
    Assertions.assertThat(ada()).isGreaterThan(0.05);
    Assertions.assertThat(learned().failedBefore()).containsExactly(B.ref());
  }

  @Test
  void who_was_tested_on_a_failure_learns_nothing_from_it() {
    queue.writtenBy(B, "ada").submit(A, B).finish(B.fails());
    Assertions.assertThat(learned()).isEqualTo(Learned.NOTHING);
    queue.finish(A.fails());
    assertThat(queue).reads("main <- B (testing)");
    Assertions.assertThat(learned().weights()).isEmpty();
  }

  @Test
  void who_leaves_or_is_let_down_by_ci_teaches_nothing() {
    queue.writtenBy(A, "ada").submit(A, B, C).cancel(A);
    queue.tell(new QueueEvent.CiNeverStarted(queue.runOf(B)));
    queue.report(queue.runOf(C), CheckState.CANCELLED);
    assertThat(B).wasRejected("ci_never_started");
    assertThat(C).wasRejected("ci_cancelled");
    Assertions.assertThat(learned()).isEqualTo(Learned.NOTHING);
  }

  @Test
  void a_second_attempt_is_known_as_one() {
    queue.submit(A).finish(A.fails()).submit(A);
    Assertions.assertThat(new Outlook.Of(queue.state).entry(queue.state.member(A.ref())).drivers())
        .isEmpty();
    queue.finish(A.fails()).submit(A);
    Assertions.assertThat(new Outlook.Of(queue.state).entry(queue.state.member(A.ref())).drivers())
        .singleElement()
        .satisfies(
            d ->
                Assertions.assertThat(d.trait())
                    .isEqualTo(new Trait(Trait.Kind.EARLIER_ATTEMPT, "failed")));
  }

  @Test
  void one_that_is_known_to_fail_without_a_run_has_failed_too() {
    queue.batches(2);
    queue.settings(s -> s.optimizationMode(OptimizationMode.BISECTION_SKIP_REDUNDANT_TESTS));
    queue.submit(A, B).finish(A.fails()).finish(A.passes()).finish(A.passes());
    assertThat(A).wasMerged();
    assertThat(B).wasRejected("test_failed");
    Assertions.assertThat(learned().failedBefore()).containsExactly(B.ref());
  }

  @Test
  void names_without_bounds_are_not_learned() {
    queue.parallel().submit(A).touches(A, "x".repeat(2_000)).finish(A.passes());
    assertThat(A).wasMerged();
    Assertions.assertThat(learned().weights()).isEmpty();
    Assertions.assertThat(learned()).isNotEqualTo(Learned.NOTHING);
  }

  @Test
  void each_of_a_batch_is_weighed() {
    queue.writtenBy(A, "ada").writtenBy(B, "bob").batches(2).submit(A, B).finish(A.passes());
    assertThat(A).wasMerged();
    Assertions.assertThat(learned().weights())
        .containsOnlyKeys(ADA, new Trait(Trait.Kind.AUTHOR, "bob"));
  }

  @Test
  void a_bad_name_makes_others_be_tested_without_it() {
    queue.slots(4);
    for (int i = 0; i < 12; i++) {
      queue.writtenBy(A, "eve").submit(A).finish(A.fails());
    }
    queue.settings(s -> s.speculationBudget(1)).submit(A, B);
    Assertions.assertThat(passes(A)).isLessThan(0.5);
    Assertions.assertThat(queue.started(queue.runOf(B)).leavesOut()).containsExactly(A.ref());
  }

  @Test
  void without_a_budget_chances_change_nothing() {
    for (int i = 0; i < 12; i++) {
      queue.writtenBy(A, "eve").submit(A).finish(A.fails());
    }
    queue.submit(A, B);
    Assertions.assertThat(queue.started(queue.runOf(B)).standsOn()).hasSize(1);
  }

  @Test
  void limits_follow_what_tests_took() {
    queue.settings(s -> s.timeoutSizing(Sizing.AUTO).testingTimeoutMinutes(60));
    for (int i = 0; i < 19; i++) {
      takes(10);
    }
    Assertions.assertThat(InForce.testingTimeoutMinutes(queue.state)).isEqualTo(60);
    for (int i = 0; i < 4; i++) {
      takes(10);
    }
    Assertions.assertThat(InForce.testingTimeoutMinutes(queue.state)).isBetween(20, 25);
    queue.submit(A).report(queue.runOf(A), CheckState.PENDING).minutesPass(25);
    assertThat(A).wasRejected("test_timeout");
  }

  @Test
  void a_ci_that_has_become_slower_is_given_more_time_again() {
    queue.settings(s -> s.timeoutSizing(Sizing.AUTO));
    for (int i = 0; i < 25; i++) {
      takes(10);
    }
    int before = InForce.testingTimeoutMinutes(queue.state);
    for (int i = 0; i < 3; i++) {
      queue.submit(A).report(queue.runOf(A), CheckState.PENDING).minutesPass(before);
    }
    Assertions.assertThat(InForce.testingTimeoutMinutes(queue.state)).isGreaterThan(before + 10);
  }

  @Test
  void batches_are_as_large_as_it_takes_to_test_everybody_at_once() {
    queue.slots(2).settings(s -> s.batch(true).batchSizing(Sizing.AUTO)).submit(A, B);
    assertThat(queue).reads("main <- A (testing) <- B (testing)");
    queue.submit(C, D, E);
    Assertions.assertThat(InForce.groupSize(queue.state)).isEqualTo(2);
    queue.finish(A.passes());
    assertThat(queue).reads("main <- B (testing) <- C+D (testing) <- E (pending)");
  }

  @Test
  void batches_are_no_larger_than_failures_allow() {
    queue.slots(1).settings(s -> s.batch(true).batchSizing(Sizing.AUTO));
    queue.submit(A, B, C, D, E, F, G, H);
    Assertions.assertThat(InForce.groupSize(queue.state)).isBetween(4, 7);
    var bad = queue.state.learned();
    for (int i = 0; i < 40; i++) {
      bad = bad.failed(A.ref(), List.of(), 0);
    }
    queue.knowing(bad);
    Assertions.assertThat(InForce.groupSize(queue.state)).isEqualTo(1);
  }

  private void takes(int minutes) {
    queue.submit(A).minutesPass(minutes).finish(A.passes());
  }

  @Test
  void times_are_foretold_once_tests_are_known() {
    queue.slots(1).submit(A, B);
    Assertions.assertThat(Forecast.of(queue.state, queue.now)).isEmpty();
    queue.minutesPass(10).finish(A.passes()).minutesPass(10).finish(B.passes());
    for (int i = 0; i < 5; i++) {
      takes(10);
    }
    queue.submit(A, B, C);
    Map<PullRequestRef, Forecast.Expected> foretold = Forecast.of(queue.state, queue.now);
    Assertions.assertThat(minutes(foretold, A)).isBetween(8L, 13L);
    Assertions.assertThat(minutes(foretold, B)).isBetween(17L, 26L);
    Assertions.assertThat(minutes(foretold, C)).isBetween(26L, 40L);
    queue.minutesPass(8);
    Assertions.assertThat(minutes(Forecast.of(queue.state, queue.now), A)).isLessThan(4);
    queue.becomes(QueueLifecycle.PAUSED);
    Assertions.assertThat(Forecast.of(queue.state, queue.now)).isEmpty();
  }

  @Test
  void whoever_stands_on_a_likely_failure_is_foretold_a_wider_span() {
    for (int i = 0; i < 6; i++) {
      takes(10);
    }
    for (int i = 0; i < 10; i++) {
      queue.writtenBy(B, "eve").submit(B).finish(B.fails());
    }
    queue.submit(B, C);
    Map<PullRequestRef, Forecast.Expected> foretold = Forecast.of(queue.state, queue.now);
    Assertions.assertThat(told(foretold, C).late())
        .isAfter(told(foretold, B).late().plus(Duration.ofMinutes(5)));
  }

  private long minutes(Map<PullRequestRef, Forecast.Expected> foretold, Pr pr) {
    return Duration.between(queue.now, told(foretold, pr).likely()).toMinutes();
  }

  private static Forecast.Expected told(Map<PullRequestRef, Forecast.Expected> foretold, Pr pr) {
    return Optional.ofNullable(foretold.get(pr.ref())).orElseThrow();
  }
}
