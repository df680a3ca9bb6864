package dev.mainstay.core.simulation.policy;

import static dev.mainstay.core.simulation.TinyWorld.told;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.core.simulation.PolicyOutcome;
import dev.mainstay.core.simulation.TinyWorld;
import org.junit.jupiter.api.Test;

/** Worlds worked out by hand: each change with the minute it ended, x where it was rejected. */
class PoliciesByHandTest {

  private static TinyWorld secondOfThreeIsBroken() {
    return new TinyWorld().good(0, 10).broken(1, 10).good(2, 10);
  }

  @Test
  void serial_builds_one_after_the_other() {
    PolicyOutcome outcome = secondOfThreeIsBroken().run(10, new SerialPolicy(false));

    assertThat(told(outcome)).isEqualTo("10 20x 30");
    assertThat(outcome.builds()).isEqualTo(3);
  }

  @Test
  void serial_with_lanes_lets_disjoint_changes_pass() {
    var world = new TinyWorld().goodIn(1, 0, 10).goodIn(1, 0, 10).goodIn(2, 1, 10);

    assertThat(told(world.run(10, new SerialPolicy(false)))).isEqualTo("10 20 30");
    assertThat(told(world.run(10, new SerialPolicy(true)))).isEqualTo("10 20 11");
    assertThat(told(world.run(1, new SerialPolicy(true)))).isEqualTo("10 20 30");
  }

  @Test
  void bors_builds_what_waits_together_and_halves_what_fails() {
    var world =
        new TinyWorld().good(0, 10).good(1, 10).good(1, 10).broken(1, 10).good(1, 10).good(15, 10);

    PolicyOutcome outcome = world.run(10, new BatchPolicy(Integer.MAX_VALUE));

    assertThat(told(outcome)).isEqualTo("10 30 30 50x 60 70");
    assertThat(outcome.builds()).isEqualTo(7);
    assertThat(outcome.usefulBuilds()).isEqualTo(5);
  }

  @Test
  void bors_finishes_the_first_half_before_the_second() {
    var world = new TinyWorld().good(0, 10).broken(1, 10).good(1, 10).good(1, 10).good(1, 10);

    assertThat(told(world.run(10, new BatchPolicy(9)))).isEqualTo("10 40x 50 60 60");
  }

  @Test
  void bors_takes_as_long_as_the_slowest_of_a_batch_and_no_more_than_the_limit() {
    var world = new TinyWorld().good(0, 10).good(1, 5).good(1, 20).good(1, 5);

    assertThat(told(world.run(10, new BatchPolicy(Integer.MAX_VALUE)))).isEqualTo("10 30 30 30");
    assertThat(told(world.run(10, new BatchPolicy(2)))).isEqualTo("10 30 30 35");
  }

  @Test
  void zuul_restarts_what_stood_on_a_failure() {
    PolicyOutcome outcome = secondOfThreeIsBroken().run(10, OptimisticPolicy.withWindow(20));

    assertThat(told(outcome)).isEqualTo("10 11x 21");
    assertThat(outcome.builds()).isEqualTo(4);
    assertThat(outcome.usefulBuilds()).isEqualTo(3);
  }

  @Test
  void zuul_restarts_at_once_but_rejects_when_nothing_is_ahead() {
    var world = new TinyWorld().good(0, 20).broken(1, 10).good(2, 10);

    assertThat(told(world.run(10, OptimisticPolicy.withWindow(20)))).isEqualTo("20 20x 21");
  }

  @Test
  void zuul_tries_again_what_failed_because_of_one_ahead() {
    var world = new TinyWorld().broken(0, 20).good(1, 10).good(2, 10);

    assertThat(told(world.run(10, OptimisticPolicy.withWindow(20)))).isEqualTo("20x 30 30");
  }

  @Test
  void zuul_widens_its_window_with_every_landing() {
    var world = new TinyWorld().good(0, 10).good(0, 10).good(0, 10).good(0, 10).good(0, 10);

    assertThat(told(world.run(10, OptimisticPolicy.withWindow(1)))).isEqualTo("10 20 20 30 30");
  }

  @Test
  void zuul_halves_its_window_with_a_rejection() {
    var world = new TinyWorld().broken(0, 10);
    for (int i = 0; i < 7; i++) {
      world.good(0, 10);
    }

    assertThat(told(world.run(10, OptimisticPolicy.withWindow(8))))
        .isEqualTo("10x 20 20 20 20 30 30 30");
  }

  @Test
  void zuul_with_lanes_restarts_only_the_lane() {
    var world = new TinyWorld().broken(0, 10).good(1, 10).goodIn(7, 2, 10);

    assertThat(told(world.run(10, OptimisticPolicy.withLanes()))).isEqualTo("10x 20 12");
    assertThat(told(world.run(10, OptimisticPolicy.withWindow(20)))).isEqualTo("10x 20 20");
  }

  @Test
  void everything_has_the_right_guess_ready() {
    PolicyOutcome outcome = secondOfThreeIsBroken().run(10, SpeculationPolicy.everything());

    assertThat(told(outcome)).isEqualTo("10 11x 12");
    assertThat(outcome.builds()).isEqualTo(1 + 2 + 4);
  }

  @Test
  void everything_goes_breadth_first_when_slots_are_few() {
    PolicyOutcome outcome = secondOfThreeIsBroken().run(3, SpeculationPolicy.everything());

    assertThat(told(outcome)).isEqualTo("10 11x 20");
  }

  @Test
  void probable_spends_its_slots_on_the_likeliest_outcomes() {
    var world = new TinyWorld().good(0, 10).good(1, 10).good(2, 10);

    assertThat(told(world.run(3, SpeculationPolicy.probable(0.1, 0)))).isEqualTo("10 11 12");
    assertThat(told(world.run(3, SpeculationPolicy.probable(0.9, 0)))).isEqualTo("10 20 20");
  }

  @Test
  void oracle_builds_each_change_once_on_what_will_land() {
    PolicyOutcome outcome = secondOfThreeIsBroken().runOracle(10);

    assertThat(told(outcome)).isEqualTo("10 11x 12");
    assertThat(outcome.builds()).isEqualTo(3);
  }

  @Test
  void oracle_waits_for_slots_and_for_those_ahead() {
    var world = new TinyWorld().good(0, 30).good(1, 10).good(2, 10);

    assertThat(told(world.runOracle(2))).isEqualTo("30 30 30");
    assertThat(told(world.runOracle(1))).isEqualTo("30 40 50");
  }

  @Test
  void a_conflict_rejects_the_later_one_whatever_the_policy() {
    var world = new TinyWorld().good(0, 10).good(1, 10).good(2, 10).conflict(0, 2);

    assertThat(told(world.run(10, new SerialPolicy(false)))).isEqualTo("10 20 30x");
    assertThat(told(world.run(10, new BatchPolicy(9)))).isEqualTo("10 30 40x");
    assertThat(told(world.run(10, OptimisticPolicy.withWindow(20)))).isEqualTo("10 11 12x");
    assertThat(told(world.run(10, SpeculationPolicy.everything()))).isEqualTo("10 11 12x");
    assertThat(told(world.runOracle(10))).isEqualTo("10 11 12x");
  }

  @Test
  void without_a_queue_a_conflict_lands_and_main_is_red_until_it_is_repaired() {
    var world = new TinyWorld().good(0, 10).good(1, 10).broken(2, 10).good(100, 10).conflict(0, 1);

    PolicyOutcome outcome = world.run(10, new UnguardedPolicy());

    assertThat(told(outcome)).isEqualTo("10 11 12x 110");
    assertThat(outcome.redMillis()).isEqualTo(60 * 60_000L);
    assertThat(outcome.spanMillis()).isEqualTo(110 * 60_000L);
  }

  @Test
  void a_flake_ejects_a_good_change_but_does_not_deceive_the_oracle() {
    var world = new TinyWorld().good(0, 10).good(1, 10).flakyAtFirst(1);

    PolicyOutcome serial = world.run(10, new SerialPolicy(false));
    assertThat(told(serial)).isEqualTo("10 20x");
    assertThat(serial.decisions()).filteredOn(end -> end.falseEjection()).hasSize(1);
    assertThat(told(world.runOracle(10))).isEqualTo("10 11");
  }

  @Test
  void a_change_that_would_break_main_is_not_a_false_ejection() {
    PolicyOutcome outcome = secondOfThreeIsBroken().run(10, new SerialPolicy(false));

    assertThat(outcome.decisions()).noneMatch(end -> end.falseEjection());
  }

  @Test
  void a_conflict_that_targets_do_not_show_turns_main_red_but_not_for_the_oracle() {
    var world = new TinyWorld().goodIn(1, 0, 20).goodIn(2, 1, 10).conflict(0, 1);

    PolicyOutcome lanes = world.run(10, OptimisticPolicy.withLanes());
    assertThat(told(lanes)).isEqualTo("20 11");
    assertThat(lanes.redMillis()).isZero();
    PolicyOutcome longer = world.goodIn(3, 70, 10).run(10, OptimisticPolicy.withLanes());
    assertThat(told(longer)).isEqualTo("20 11 80");
    assertThat(longer.redMillis()).isEqualTo(60 * 60_000L);

    PolicyOutcome oracle = world.runOracle(10);
    assertThat(told(oracle)).isEqualTo("20 20x 80");
    assertThat(oracle.redMillis()).isZero();
    assertThat(oracle.decisions()).noneMatch(end -> end.falseEjection());
  }
}
