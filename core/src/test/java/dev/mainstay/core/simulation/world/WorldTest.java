package dev.mainstay.core.simulation.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.BitSet;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class WorldTest {
  private static final int MANY = 4000;

  private static WorldSettings settings(double flakeRate, TargetMix targets) {
    return new WorldSettings(
        120,
        MANY,
        new BuildTime.LogNormal(30, 0.5, 5, 120),
        0.1,
        0.2,
        0,
        30,
        flakeRate,
        targets,
        Authors.ALIKE);
  }

  private static final TargetMix ONE_OF_TWENTY = new TargetMix(20, 1, 0, 0);

  @Test
  void arrivals_failures_and_flakes_come_at_their_rates() {
    World world = settings(0.05, ONE_OF_TWENTY).world(1);

    double hours = world.changes().getLast().arrival() / 3_600_000.0;
    assertThat(MANY / hours).isCloseTo(120, within(6.0));
    assertThat(share(world, SimulatedChange::broken)).isCloseTo(0.1, within(0.02));
    assertThat(share(world, change -> world.flakes(change.id(), 3))).isCloseTo(0.05, within(0.015));
  }

  @Test
  void build_times_lie_around_the_median_and_within_the_cut() {
    World world = settings(0, ONE_OF_TWENTY).world(1);

    assertThat(share(world, change -> change.buildTime() < 30 * 60_000))
        .isCloseTo(0.5, within(0.03));
    assertThat(world.changes())
        .allMatch(c -> c.buildTime() >= 5 * 60_000 && c.buildTime() <= 120 * 60_000);
  }

  @Test
  void real_conflicts_come_at_their_rate_among_those_that_meet_within_the_window() {
    World world = settings(0, ONE_OF_TWENTY).world(1);
    int meeting = 0;
    int conflicting = 0;
    for (SimulatedChange later : world.changes()) {
      for (SimulatedChange earlier :
          world.changes().subList(Math.max(0, later.id() - 150), later.id())) {
        var other = new BitSet();
        other.set(earlier.id());
        boolean conflict = world.conflictsWithAny(later.id(), other);
        boolean near = later.arrival() - earlier.arrival() <= 30 * 60_000;
        if (near && later.meets(earlier)) {
          meeting++;
          conflicting += conflict ? 1 : 0;
        } else {
          assertThat(conflict).isFalse();
        }
      }
    }
    assertThat((double) conflicting / meeting).isCloseTo(0.2, within(0.02));
  }

  @Test
  void a_set_passes_when_nothing_in_it_is_broken_and_no_pair_conflicts() {
    var world =
        new World(
            List.of(change(0, false), change(1, true), change(2, false), change(3, false)),
            List.of(new World.Pair(0, 2)),
            World.Flakes.NEVER);

    assertThat(world.passes(set(0, 3), set())).isTrue();
    assertThat(world.passes(set(0, 1), set())).isFalse();
    assertThat(world.passes(set(0, 2), set())).isFalse();
    assertThat(world.passes(set(2), set(0))).isFalse();
    assertThat(world.landsInOrder()).isEqualTo(set(0, 3));
  }

  @Test
  void skew_makes_some_targets_popular_and_more_changes_meet() {
    World even = settings(0, new TargetMix(200, 1, 0, 0)).world(1);
    World skewed = settings(0, new TargetMix(200, 1, 1, 0)).world(1);
    World all = settings(0, new TargetMix(200, 1, 0, 1)).world(1);

    assertThat(skewed.shareMeetingSomethingInFlight())
        .isGreaterThan(even.shareMeetingSomethingInFlight() + 0.1);
    assertThat(all.shareMeetingSomethingInFlight()).isGreaterThan(0.99);
  }

  @Test
  void changes_touch_as_many_targets_as_asked_on_average() {
    World world = settings(0, new TargetMix(10_000, 4, 0, 0)).world(1);

    assertThat(world.changes().stream().mapToInt(c -> c.targets().size()).average().orElse(0))
        .isCloseTo(4, within(0.15));
  }

  @Test
  void a_roll_depends_on_its_question_alone() {
    var dice = new Dice(42);

    assertThat(dice.roll(Dice.Topic.BROKEN, 1, 2)).isEqualTo(dice.roll(Dice.Topic.BROKEN, 1, 2));
    assertThat(dice.roll(Dice.Topic.BROKEN, 1, 2)).isNotEqualTo(dice.roll(Dice.Topic.FLAKE, 1, 2));
    assertThat(dice.roll(Dice.Topic.BROKEN, 1, 2)).isNotEqualTo(dice.roll(Dice.Topic.BROKEN, 2, 1));
    assertThat(dice.roll(Dice.Topic.BROKEN, 1, 2))
        .isNotEqualTo(new Dice(43).roll(Dice.Topic.BROKEN, 1, 2));
  }

  @Test
  void build_times_are_read_as_users_write_them() {
    assertThat(BuildTime.parse("30")).isEqualTo(new BuildTime.Fixed(30));
    assertThat(BuildTime.parse("fixed:12.5")).isEqualTo(new BuildTime.Fixed(12.5));
    assertThat(BuildTime.parse("uniform:10,50")).isEqualTo(new BuildTime.Uniform(10, 50));
    assertThat(BuildTime.parse("lognormal:30,0.5,5,120"))
        .isEqualTo(new BuildTime.LogNormal(30, 0.5, 5, 120));
    assertThat(BuildTime.parse("LogNormal:30")).isEqualTo(new BuildTime.LogNormal(30, 0.5, 5, 120));
    assertThat(new BuildTime.LogNormal(30, 0.5, 5, 120)).hasToString("lognormal:30,0.5,5,120");
    for (String wrong :
        List.of(
            "",
            "fast",
            "fixed:",
            "fixed:0",
            "uniform:5",
            "uniform:9,3",
            "lognormal:30,0.5,40,50",
            "fixed:NaN",
            "weekly:3")) {
      assertThatIllegalArgumentException().isThrownBy(() -> BuildTime.parse(wrong));
    }
  }

  private static double share(World world, Predicate<SimulatedChange> wanted) {
    return world.changes().stream().filter(wanted).count() / (double) MANY;
  }

  private static SimulatedChange change(int id, boolean broken) {
    return new SimulatedChange(id, id, 1, broken, false, List.of());
  }

  private static BitSet set(int... ids) {
    var set = new BitSet();
    for (int id : ids) {
      set.set(id);
    }
    return set;
  }
}
