package dev.mainstay.core.simulation.past;

import dev.mainstay.core.simulation.Score;
import dev.mainstay.core.simulation.Simulation;
import dev.mainstay.core.simulation.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Plays the past to several contenders, one after the other. */
public final class WhatIf {
  /** How long main stays red once something broke it: nothing of the past tells. */
  private static final long REPAIR_MILLIS = 3_600_000;

  private WhatIf() {}

  /** A trial, and its score; empty where there was no time left for it. */
  public record Played(Trial trial, Optional<Score> score) {}

  /** In order; nothing more is played once {@code goesOn} says no. */
  public static List<Played> play(World world, List<Trial> trials, BooleanSupplier goesOn) {
    var played = new ArrayList<Played>();
    for (Trial trial : trials) {
      var simulation = new Simulation(trial.slots(), REPAIR_MILLIS);
      Optional<Score> score =
          simulation
              .run(world, trial.contender().policy().apply(world), goesOn)
              .map(outcome -> Score.of(List.of(outcome)));
      played.add(new Played(trial, score));
    }
    return played;
  }
}
