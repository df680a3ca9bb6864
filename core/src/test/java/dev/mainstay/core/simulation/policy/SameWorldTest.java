package dev.mainstay.core.simulation.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.mainstay.core.simulation.Comparison;
import dev.mainstay.core.simulation.Comparison.Row;
import dev.mainstay.core.simulation.Contender;
import dev.mainstay.core.simulation.Decision;
import dev.mainstay.core.simulation.PolicyOutcome;
import dev.mainstay.core.simulation.Simulation;
import dev.mainstay.core.simulation.world.Authors;
import dev.mainstay.core.simulation.world.BuildTime;
import dev.mainstay.core.simulation.world.SimulatedChange;
import dev.mainstay.core.simulation.world.TargetMix;
import dev.mainstay.core.simulation.world.World;
import dev.mainstay.core.simulation.world.WorldSettings;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Policies that face the same world differ only as they must. */
class SameWorldTest {
  private static final WorldSettings BUSY =
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

  private static final Simulation AMPLE = new Simulation(50, 60 * 60_000);

  private static PolicyOutcome run(String policy, World world) {
    return AMPLE.run(world, Policies.named(policy, BUSY).policy().apply(world));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "serial",
        "serial-lanes",
        "bors",
        "bors:4",
        "zuul",
        "zuul-lanes",
        "everything",
        "probable",
        "oracle"
      })
  void every_policy_lands_what_in_order_can_land(String policy) {
    for (long seed = 1; seed <= 3; seed++) {
      World world = BUSY.world(seed);
      var landed = new BitSet();
      run(policy, world).decisions().stream()
          .filter(Decision::landed)
          .forEach(end -> landed.set(end.change()));

      assertThat(landed).isEqualTo(world.landsInOrder());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"serial", "bors:4", "zuul", "zuul-lanes", "everything", "probable"})
  void a_run_is_the_same_whenever_it_is_repeated(String policy) {
    assertThat(run(policy, BUSY.world(7))).isEqualTo(run(policy, BUSY.world(7)));
    assertThat(run(policy, BUSY.world(7))).isNotEqualTo(run(policy, BUSY.world(8)));
  }

  @Test
  void with_ample_slots_nobody_beats_the_oracle() {
    List<Contender> rivals =
        List.of("serial", "serial-lanes", "bors", "zuul", "zuul-lanes", "everything", "probable")
            .stream()
            .map(name -> Policies.named(name, BUSY))
            .toList();
    var comparison = new Comparison(BUSY, AMPLE, List.of(1L, 2L, 3L));

    List<Row> rows = comparison.run(rivals, Policies.ORACLE, Comparison.Progress.SILENT).rows();

    assertThat(rows).hasSize(7);
    assertThat(rows).allSatisfy(row -> assertThat(row.ratio().p50()).isGreaterThanOrEqualTo(1));
    assertThat(rows).allSatisfy(row -> assertThat(row.ratio().p95()).isGreaterThanOrEqualTo(1));
    assertThat(rows).allSatisfy(row -> assertThat(row.ratio().p99()).isGreaterThanOrEqualTo(1));
  }

  @Test
  void a_serial_queue_decides_one_change_per_mean_build_time() {
    World world = BUSY.world(1);
    double meanMillis =
        world.changes().stream().mapToLong(SimulatedChange::buildTime).average().orElseThrow();

    PolicyOutcome outcome = run("serial", world);

    assertThat(outcome.spanMillis() / (double) world.changes().size())
        .isCloseTo(meanMillis, within(1.0));
  }

  @Test
  void the_queue_keeps_main_green_and_no_queue_does_not() {
    assertThat(run("zuul", BUSY.world(1)).redMillis()).isZero();
    assertThat(run("none", BUSY.world(1)).redMillis()).isPositive();
  }

  @Test
  void the_oracle_builds_every_change_once() {
    assertThat(run("oracle", BUSY.world(1)).builds()).isEqualTo(80);
    assertThat(run("oracle", BUSY.world(1)).usefulBuilds()).isEqualTo(80);
  }
}
