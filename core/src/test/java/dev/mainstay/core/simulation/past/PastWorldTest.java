package dev.mainstay.core.simulation.past;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.QueueSettings;
import dev.mainstay.core.queue.ReasonCode;
import dev.mainstay.core.simulation.Score;
import dev.mainstay.core.simulation.Score.Turnaround;
import dev.mainstay.core.simulation.past.PastRun.Outcome;
import dev.mainstay.core.simulation.past.Trial.Kind;
import dev.mainstay.core.simulation.policy.Policies;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Pasts of a few changes, and figures that were worked out by hand. */
class PastWorldTest {

  private static Score with(PastWorld past, UnaryOperator<QueueSettings.Builder> settings) {
    QueueSettings tried = settings.apply(QueueSettings.defaults().edit()).build();
    return play(past, Trial.of(Kind.ASKED, "tried", tried, false));
  }

  private static Score play(PastWorld past, Trial trial) {
    return WhatIf.play(past.world(), trial, () -> true).orElseThrow();
  }

  /** Three that came together and were tested for ten minutes each, one after the other. */
  private static Diary threeInARow() {
    return new Diary()
        .merged(1, 0, 10)
        .passed(0, 10, 1)
        .merged(2, 0, 20)
        .passed(10, 20, 2)
        .merged(3, 0, 30)
        .passed(20, 30, 3);
  }

  @Test
  void three_in_a_row_take_as_long_as_they_took_and_side_by_side_as_long_as_one() {
    PastWorld past = threeInARow().world();
    assertThat(past.asItWas().turnaround()).isEqualTo(new Turnaround(20, 30, 30));
    assertThat(past.asItWas().buildsPerChange()).isEqualTo(1);
    assertThat(past.asItWas().ciMinutesPerChange()).isEqualTo(10);
    Score serial = with(past, s -> s.concurrency(1));
    assertThat(serial.turnaround()).isEqualTo(past.asItWas().turnaround());
    assertThat(serial.ciMinutesPerChange()).isEqualTo(10);
    Score beside = with(past, s -> s.concurrency(3));
    assertThat(beside.turnaround()).isEqualTo(new Turnaround(10, 10, 10));
    assertThat(beside.buildsPerChange()).isEqualTo(1);
    Score batch = with(past, s -> s.batch(true).batchingMinSize(3));
    assertThat(batch.turnaround()).isEqualTo(new Turnaround(10, 10, 10));
    assertThat(batch.buildsPerChange()).isEqualTo(1 / 3.0);
    assertThat(past.told().known()).isEqualTo(3);
    assertThat(past.told().guessed()).isZero();
  }

  @Test
  void who_failed_with_nothing_but_the_branch_below_it_fails_whatever_is_tried() {
    PastWorld past =
        new Diary()
            .merged(1, 0, 10)
            .passed(0, 10, 1)
            .failed(2, 0, 20)
            .broke(10, 20, 2)
            .merged(3, 0, 30)
            .passed(20, 30, 3)
            .world();
    assertThat(past.world().change(1).broken()).isTrue();
    assertThat(past.told().failedAlone()).isEqualTo(1);
    assertThat(past.told().guessed()).isZero();
    Score beside = with(past, s -> s.concurrency(3));
    assertThat(beside.turnaround())
        .as("the third begins again")
        .isEqualTo(new Turnaround(10, 20, 20));
    assertThat(beside.buildsPerChange()).isEqualTo(4 / 3.0);
    assertThat(beside.rejected()).isEqualTo(1);
    assertThat(beside.falseEjections()).isZero();
    Score guessing = with(past, s -> s.concurrency(5).speculationBudget(1));
    assertThat(guessing.landed()).isEqualTo(2);
  }

  @Test
  void who_passed_alone_and_failed_on_another_does_not_go_with_that_one() {
    PastWorld past =
        new Diary()
            .merged(1, 0, 10)
            .passed(0, 10, 1)
            .failed(2, 0, 30)
            .passed(0, 10, 2)
            .broke(10, 30, 2, 1)
            .world();
    assertThat(past.world().change(1).broken()).isFalse();
    assertThat(past.world().conflict(0, 1)).isTrue();
    assertThat(past.told().failedTogether()).isEqualTo(1);
    assertThat(past.told().guessed()).isZero();
    assertThat(past.told().flakes()).isZero();
    assertThat(past.world().change(1).buildTime())
        .as("of the run that failed")
        .isEqualTo(1_200_000);
    assertThat(past.told().conflictRate()).isEqualTo(1);
  }

  @Test
  void of_several_that_it_may_not_go_with_the_nearest_is_guessed() {
    PastWorld past =
        new Diary()
            .merged(1, 0, 10)
            .passed(0, 10, 1)
            .merged(2, 0, 10)
            .passed(0, 10, 2, 1)
            .failed(3, 0, 20)
            .passed(0, 5, 3)
            .broke(0, 10, 3, 1, 2)
            .world();
    assertThat(past.world().conflict(1, 2)).isTrue();
    assertThat(past.world().conflict(0, 2)).isFalse();
    assertThat(past.told().guessed()).isEqualTo(1);
  }

  @Test
  void whom_it_passed_with_it_goes_with() {
    PastWorld past =
        new Diary()
            .merged(1, 0, 10)
            .passed(0, 10, 1)
            .merged(2, 0, 10)
            .passed(0, 10, 2, 1)
            .failed(3, 0, 20)
            .passed(0, 5, 3, 1)
            .broke(0, 10, 3, 2, 1)
            .world();
    assertThat(past.world().conflict(1, 2)).isTrue();
    assertThat(past.world().conflict(0, 2)).isFalse();
    assertThat(past.told().guessed()).isZero();
  }

  @Test
  void a_merge_conflict_is_with_one_ahead_and_needs_no_test_that_passed() {
    PastWorld past =
        new Diary()
            .merged(1, 0, 10)
            .passed(0, 10, 1)
            .ended(2, 0, 10, PullRequestState.FAILED, ReasonCode.MERGE_CONFLICT)
            .unbuildable(1, 2, 1)
            .world();
    assertThat(past.world().conflict(0, 1)).isTrue();
    assertThat(past.world().change(1).broken()).isFalse();
    assertThat(past.told().testTimesDrawn()).isEqualTo(1);
    assertThat(past.told().guessed()).isEqualTo(1);
    assertThat(past.world().change(1).buildTime()).as("drawn from those seen").isEqualTo(600_000);
    assertThat(past.asItWas().falseEjections()).isZero();
    assertThat(past.asItWas().buildsPerChange()).as("one branch was never made").isEqualTo(0.5);
  }

  @Test
  void what_failed_and_landed_as_it_was_had_flaked() {
    PastWorld past =
        new Diary()
            .merged(1, 0, 20)
            .broke(0, 10, 1)
            .passed(10, 20, 1)
            .merged(2, 0, 20)
            .passed(0, 10, 2)
            .world();
    assertThat(past.told().flakes()).isEqualTo(1);
    assertThat(past.told().flakeRate()).isEqualTo(1 / 3.0);
    assertThat(past.world().flakes(0, 0)).isTrue();
    assertThat(past.world().flakes(0, 1)).isFalse();
    assertThat(past.world().flakes(1, 0)).isFalse();
    assertThat(with(past, s -> s.concurrency(1)).falseEjections())
        .as("nobody knows the flake, nobody tries again")
        .isEqualTo(1);
    Trial knowing = Trial.of(Kind.PRESENT, "knows", QueueSettings.defaults(), true);
    assertThat(play(past, knowing).falseEjections()).isZero();
  }

  @Test
  void a_run_that_held_somebody_broken_is_no_flake() {
    PastWorld past =
        new Diary()
            .failed(1, 0, 10)
            .broke(0, 10, 1)
            .merged(2, 0, 20)
            .broke(0, 10, 2, 1)
            .passed(10, 20, 2)
            .world();
    assertThat(past.told().flakes()).isZero();
    assertThat(past.told().failedAlone()).isEqualTo(1);
  }

  @Test
  void who_landed_when_it_was_submitted_again_was_ejected_falsely() {
    PastWorld past =
        new Diary()
            .failed(1, 0, 10)
            .broke(0, 10, 1)
            .merged(1, 15, 25)
            .passed(15, 25, 1)
            .merged(2, 0, 10)
            .passed(0, 10, 2)
            .world();
    assertThat(past.world().changes()).hasSize(2);
    assertThat(past.told().leftOut()).isEqualTo(Map.of("submitted_again", 1));
    assertThat(past.asItWas().falseEjections()).isEqualTo(1);
    assertThat(past.told().flakes()).isEqualTo(1);
    assertThat(past.told().failedAlone()).isZero();
  }

  @Test
  void whoever_was_not_judged_is_left_out_and_its_runs_prove_nothing() {
    PastWorld past =
        new Diary()
            .merged(1, 0, 10)
            .passed(0, 10, 1)
            .ended(2, 0, 8, PullRequestState.CANCELLED, ReasonCode.HEAD_MOVED)
            .ran(0, 8, Outcome.CANCELLED, List.of(2), 1)
            .ended(3, 0, 8, PullRequestState.MERGED, ReasonCode.MERGED_MANUALLY)
            .neverLetIn(4, 9)
            .merged(5, 0, 30)
            .broke(0, 9, 5, 1, 2)
            .passed(10, 30, 5)
            .world();
    assertThat(past.told().changes()).isEqualTo(2);
    assertThat(past.told().leftOut())
        .isEqualTo(Map.of("head_moved", 1, "merged_manually", 1, "never_let_in", 1));
    assertThat(past.told().flakes()).as("the stranger may be to blame").isZero();
  }

  @Test
  void a_failure_that_was_never_alone_is_a_guess() {
    PastWorld past =
        new Diary().merged(1, 0, 10).passed(0, 10, 1).failed(2, 0, 10).broke(0, 10, 2, 1).world();
    assertThat(past.world().change(1).broken()).isTrue();
    assertThat(past.told().guessed()).isEqualTo(1);
    assertThat(past.told().known()).isEqualTo(1);
  }

  @Test
  void targets_make_lanes_and_whose_are_not_known_touch_everything() {
    Diary diary =
        new Diary()
            .failed(1, 0, 10, "app")
            .broke(0, 10, 1)
            .merged(2, 0, 20, "docs")
            .broke(0, 10, 2, 1)
            .passed(10, 20, 2);
    PastWorld past = diary.world();
    assertThat(past.told().targetsKnown()).isEqualTo(2);
    assertThat(with(past, s -> s).turnaround()).isEqualTo(new Turnaround(10, 20, 20));
    assertThat(with(past, s -> s.mode(QueueSettings.Mode.PARALLEL)).turnaround())
        .as("the second does not stand on the first")
        .isEqualTo(new Turnaround(10, 10, 10));
    PastWorld unknown = diary.merged(3, 0, 20).passed(10, 20, 3, 2).world();
    assertThat(unknown.told().targetsKnown()).isEqualTo(2);
    assertThat(unknown.world().change(2).touchesAll()).isTrue();
    assertThat(labels(UsualTrials.of(QueueSettings.defaults(), true, false)))
        .contains("mode=parallel", "concurrency=10", "speculationBudget=2");
    assertThat(labels(UsualTrials.of(QueueSettings.defaults(), false, false)))
        .doesNotContain("mode=parallel")
        .hasSize(6);
  }

  private static List<String> labels(List<Trial> trials) {
    return trials.stream().map(Trial::label).toList();
  }

  @Test
  void nothing_usual_is_tried_that_is_set_already() {
    QueueSettings present =
        QueueSettings.defaults().edit().batch(true).speculationBudget(2).concurrency(1000).build();
    assertThat(labels(UsualTrials.of(present, false, false)))
        .containsExactly(
            "speculationBudget=1",
            "batch=false",
            "batchSizing=AUTO",
            "canOptimisticallyMerge=true");
  }

  @Test
  void a_shorter_timeout_ejects_what_takes_longer() {
    Score hurried = with(threeInARow().world(), s -> s.concurrency(3).testingTimeoutMinutes(5));
    assertThat(hurried.landed()).isZero();
    assertThat(hurried.falseEjections()).isEqualTo(3);
  }

  @Test
  void policies_of_others_are_played_in_the_same_past() {
    PastWorld past = threeInARow().world();
    QueueSettings present = QueueSettings.defaults();
    List<Trial> trials =
        List.of(
            Trial.of(Policies.named("serial", 0, 0), present),
            Trial.of(Policies.named("probable", 0.1, 0.1), present),
            Trial.of(Policies.ORACLE, present));
    assertThat(trials)
        .extracting(trial -> play(past, trial).turnaround().p95())
        .containsExactly(30.0, 10.0, 10.0);
  }

  @Test
  void what_there_is_no_time_for_is_left() {
    PastWorld past = threeInARow().world();
    Trial serial = Trial.of(Policies.named("serial", 0, 0), QueueSettings.defaults());
    for (int events : new int[] {0, 5}) {
      var left = new AtomicInteger(events);
      assertThat(WhatIf.play(past.world(), serial, () -> left.getAndDecrement() > 0))
          .as("%d events", events)
          .isEmpty();
    }
    var left = new AtomicInteger(6);
    assertThat(WhatIf.play(past.world(), serial, () -> left.getAndDecrement() > 0))
        .as("three came and three were tested")
        .isPresent();
  }

  @Test
  void a_past_without_runs_is_no_world() {
    PastWorld past = new Diary().merged(1, 0, 10).world();
    assertThat(past.world().changes()).isEmpty();
    assertThat(past.told().changes()).isZero();
  }
}
