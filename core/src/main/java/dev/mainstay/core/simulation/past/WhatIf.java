package dev.mainstay.core.simulation.past;

import dev.mainstay.core.simulation.Score;
import dev.mainstay.core.simulation.Simulation;
import dev.mainstay.core.simulation.world.World;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Plays a world to whoever is tried. */
public final class WhatIf {
  /** How long main stays red once something broke it: nothing of the past tells. */
  private static final long REPAIR_MILLIS = 3_600_000;

  private WhatIf() {}

  /** Empty where {@code goesOn} said no before the end. */
  public static Optional<Score> play(World world, Trial trial, BooleanSupplier goesOn) {
    return new Simulation(trial.slots(), REPAIR_MILLIS)
        .run(world, trial.contender().policy().apply(world), goesOn)
        .map(outcome -> Score.of(List.of(outcome)));
  }
}
