package dev.mainstay.core.simulation.world;

import java.util.List;
import java.util.Optional;

/**
 * One pull request of the simulated world. Times are virtual milliseconds; targets are sorted.
 *
 * @param broken it fails on any base
 * @param touchesAll it meets every other change, whatever the targets
 */
public record SimulatedChange(
    int id,
    long arrival,
    long buildTime,
    boolean broken,
    boolean touchesAll,
    List<Integer> targets,
    Origin origin) {

  public SimulatedChange {
    targets = List.copyOf(targets);
  }

  /** One of which nobody tells who wrote it. */
  public SimulatedChange(
      int id,
      long arrival,
      long buildTime,
      boolean broken,
      boolean touchesAll,
      List<Integer> targets) {
    this(id, arrival, buildTime, broken, touchesAll, targets, Origin.UNTOLD);
  }

  /** The author of a change, and how many files it changes. */
  public record Origin(Optional<String> author, Optional<Integer> files) {
    public static final Origin UNTOLD = new Origin(Optional.empty(), Optional.empty());
  }

  /** Two changes meet, and may conflict, where a target is touched by both. */
  public boolean meets(SimulatedChange other) {
    if (touchesAll || other.touchesAll) {
      return true;
    }
    int mine = 0;
    int theirs = 0;
    while (mine < targets.size() && theirs < other.targets.size()) {
      int order = Integer.compare(targets.get(mine), other.targets.get(theirs));
      if (order == 0) {
        return true;
      }
      if (order < 0) {
        mine++;
      } else {
        theirs++;
      }
    }
    return false;
  }
}
