package dev.mainstay.core.simulation.check.play;

import java.util.HashMap;
import java.util.Map;

/**
 * Chance that hangs on what it is about and not on what was asked before: when one thing is taken
 * out of a scenario, the luck of everything else stays the same, so that failures shrink well.
 */
public final class Luck {
  /** The question a roll decides. */
  public enum Roll {
    LATENCY,
    LOSS,
    DOUBLING,
    LATENESS,
    CRASH,
    REPETITION,
    BUILD_FAILS,
    BUILD_TIME,
    SLOWNESS,
    FLAKE,
    CI_SILENCE,
    CI_START,
    NOISE,
    LANDING_FAILS,
    MERGEABILITY,
    TOUCHED,
    WEBHOOK,
    AMBUSH,
    SAMPLE,
    KNOWN_FLAKE,
    UPLOAD
  }

  private final long seed;
  private final Map<Long, Integer> rolled = new HashMap<>();

  public Luck(long seed) {
    this.seed = seed;
  }

  /** From 0 to just below 1. */
  double roll(Roll roll, long about) {
    long key = mix(mix(seed, roll.name().hashCode()), about);
    int times = rolled.merge(key, 1, Integer::sum);
    return (mix(key, times) >>> 11) * 0x1.0p-53;
  }

  public boolean happens(double chance, Roll roll, long about) {
    return chance > 0 && roll(roll, about) < chance;
  }

  /** Both ends included. */
  public long between(long least, long most, Roll roll, long about) {
    return least + (long) (roll(roll, about) * (most - least + 1));
  }

  public static long mix(long a, long b) {
    long z = a * 0x9E3779B97F4A7C15L + b + 0x632BE59BD9B4E019L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
