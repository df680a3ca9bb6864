package dev.mainstay.core.simulation.world;

/**
 * Seeded chance without a stream: every question has its own answer, whoever asks and in whatever
 * order. This is what lets different policies face the very same world.
 */
public record Dice(long seed) {

  /** A number in [0, 1) that belongs to this question alone. */
  public double roll(Topic topic, long first, long second) {
    long mixed = mix(mix(mix(mix(seed) + topic.name().hashCode()) + first) + second);
    return (mixed >>> 11) * 0x1.0p-53;
  }

  public boolean strikes(double rate, Topic topic, long first, long second) {
    return roll(topic, first, second) < rate;
  }

  /** A standard normal number, by the Box-Muller transform. */
  public double normal(Topic topic, long first) {
    double radius = Math.sqrt(-2 * Math.log(1 - roll(topic, first, 1)));
    return radius * Math.cos(2 * Math.PI * roll(topic, first, 2));
  }

  /** The finalizer of SplitMix64. */
  private static long mix(long value) {
    long z = value + 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  /** The question a roll decides. */
  public enum Topic {
    ARRIVAL,
    BUILD_TIME,
    BROKEN,
    CONFLICT,
    HIDDEN_CONFLICT,
    FLAKE,
    TARGET_COUNT,
    TARGET,
    TOUCHES_ALL,
    AUTHOR,
    AUTHOR_LEAN,
    SIZE
  }
}
