package dev.mainstay.core.simulation;

import dev.mainstay.core.simulation.world.World;
import java.util.BitSet;

/** The main branch: what landed, and how long it was red. */
final class Mainline {
  private final World world;
  private final long repairMillis;
  private final BitSet landed = new BitSet();
  private long redUntil;
  private long redMillis;

  Mainline(World world, long repairMillis) {
    this.world = world;
    this.repairMillis = repairMillis;
  }

  BitSet landed() {
    return landed;
  }

  /** A change would leave main green. */
  boolean wouldStayGreen(int change) {
    return !world.change(change).broken() && !world.conflictsWithAny(change, landed);
  }

  void land(int change, long now) {
    if (!wouldStayGreen(change)) {
      long from = Math.max(now, redUntil);
      redUntil = now + repairMillis;
      redMillis += redUntil - from;
    }
    landed.set(change);
  }

  /** The time for which main was red up to the given end. */
  long redMillis(long end) {
    return redMillis - Math.max(0, redUntil - end);
  }
}
