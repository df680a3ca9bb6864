package dev.mainstay.core.simulation.policy;

import static dev.mainstay.core.simulation.TinyWorld.told;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.mainstay.core.queue.QueueSettings;
import dev.mainstay.core.queue.QueueSettings.Mode;
import dev.mainstay.core.simulation.Decision;
import dev.mainstay.core.simulation.PolicyOutcome;
import dev.mainstay.core.simulation.Simulation;
import dev.mainstay.core.simulation.TinyWorld;
import dev.mainstay.core.simulation.world.Authors;
import dev.mainstay.core.simulation.world.BuildTime;
import dev.mainstay.core.simulation.world.TargetMix;
import dev.mainstay.core.simulation.world.World;
import dev.mainstay.core.simulation.world.WorldSettings;
import java.util.BitSet;
import org.junit.jupiter.api.Test;

/** The real engine in worlds worked out by hand, and in larger ones that have a known end. */
class MainstayPolicyTest {
  private static final QueueSettings SINGLE =
      QueueSettings.defaults().edit().concurrency(10).build();
  private static final QueueSettings PARALLEL = SINGLE.edit().mode(Mode.PARALLEL).build();

  private static PolicyOutcome run(TinyWorld world, QueueSettings settings) {
    return world.run(10, new MainstayPolicy(settings));
  }

  @Test
  void a_failure_restarts_what_stood_on_it() {
    var world = new TinyWorld().good(0, 10).broken(1, 10).good(2, 10);

    PolicyOutcome outcome = run(world, SINGLE);

    assertThat(told(outcome)).isEqualTo("10 11x 21");
    assertThat(outcome.builds()).isEqualTo(4);
    assertThat(outcome.usefulBuilds()).isEqualTo(3);
  }

  @Test
  void a_failure_that_waits_for_one_ahead_does_not_hold_up_those_behind() {
    var world = new TinyWorld().good(0, 20).broken(1, 10).good(2, 10);

    assertThat(told(run(world, SINGLE))).isEqualTo("20 20x 21");
  }

  @Test
  void lanes_go_side_by_side() {
    var world = new TinyWorld().broken(0, 10).good(1, 10).goodIn(7, 2, 10);

    assertThat(told(run(world, SINGLE))).isEqualTo("10x 20 20");
    assertThat(told(run(world, PARALLEL))).isEqualTo("10x 20 12");
  }

  @Test
  void slots_of_the_farm_are_a_limit_of_their_own() {
    var world = new TinyWorld().good(0, 10).good(0, 10).good(0, 10);

    assertThat(told(world.run(2, new MainstayPolicy(SINGLE)))).isEqualTo("10 10 20");
    assertThat(told(run(world, SINGLE.edit().concurrency(1).build()))).isEqualTo("10 20 30");
  }

  @Test
  void optimistic_merging_lands_what_a_later_one_proves() {
    var world = new TinyWorld().good(0, 30).good(1, 10);

    assertThat(told(run(world, SINGLE))).isEqualTo("30 30");
    assertThat(told(run(world, SINGLE.edit().canOptimisticallyMerge(true).build())))
        .isEqualTo("11 11");
  }

  @Test
  void pending_failure_depth_saves_a_good_change_from_a_flake() {
    var world = new TinyWorld().good(0, 10).good(1, 10).flakyAtFirst(0);
    QueueSettings patient =
        SINGLE.edit().canOptimisticallyMerge(true).pendingFailureDepth(1).build();

    PolicyOutcome hasty = run(world, SINGLE);
    assertThat(told(hasty)).isEqualTo("10x 20");
    assertThat(hasty.decisions()).filteredOn(Decision::falseEjection).hasSize(1);
    assertThat(told(run(world, patient))).isEqualTo("11 11");
  }

  @Test
  void what_takes_too_long_is_rejected_with_no_build_that_ended() {
    QueueSettings hasty = SINGLE.edit().testingTimeoutMinutes(15).build();

    PolicyOutcome outcome = run(new TinyWorld().good(0, 10).good(1, 20), hasty);

    assertThat(told(outcome)).isEqualTo("10 16x");
    assertThat(outcome.busyMillis()).isEqualTo(25 * 60_000);
    assertThat(outcome.decisions()).filteredOn(Decision::falseEjection).hasSize(1);
  }

  @Test
  void a_batch_waits_to_be_full_but_not_for_ever() {
    QueueSettings pairs =
        SINGLE.edit().batch(true).batchingMinSize(2).batchingMaxWaitTimeMinutes(5).build();

    PolicyOutcome full = run(new TinyWorld().good(0, 10).good(1, 10), pairs);
    assertThat(told(full)).isEqualTo("11 11");
    assertThat(full.builds()).isEqualTo(1);
    assertThat(told(run(new TinyWorld().good(0, 10), pairs))).isEqualTo("15");
  }

  @Test
  void a_batch_that_fails_is_bisected() {
    QueueSettings pairs =
        SINGLE.edit().batch(true).batchingMinSize(2).batchingMaxWaitTimeMinutes(5).build();

    PolicyOutcome outcome = run(new TinyWorld().good(0, 10).broken(0, 10), pairs);

    assertThat(outcome.decisions())
        .extracting(Decision::change, Decision::landed)
        .containsExactlyInAnyOrder(tuple(0, true), tuple(1, false));
    assertThat(outcome.builds()).isGreaterThan(1);
  }

  @Test
  void lands_what_in_order_can_land_and_keeps_main_green() {
    var busy =
        new WorldSettings(
            40,
            80,
            new BuildTime.LogNormal(30, 0.5, 5, 120),
            0.08,
            0.05,
            0,
            60,
            0,
            new TargetMix(12, 2, 0.6, 0.02),
            Authors.ALIKE);
    for (QueueSettings settings : new QueueSettings[] {SINGLE, PARALLEL}) {
      for (long seed = 1; seed <= 2; seed++) {
        World world = busy.world(seed);
        PolicyOutcome outcome = new Simulation(20, 60_000).run(world, new MainstayPolicy(settings));

        var landed = new BitSet();
        outcome.decisions().stream()
            .filter(Decision::landed)
            .forEach(end -> landed.set(end.change()));
        assertThat(landed).isEqualTo(world.landsInOrder());
        assertThat(outcome.redMillis()).isZero();
        assertThat(outcome)
            .isEqualTo(new Simulation(20, 60_000).run(world, new MainstayPolicy(settings)));
      }
    }
  }
}
