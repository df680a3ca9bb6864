package dev.mainstay.core.simulation.world;

import java.util.List;

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
    List<Integer> targets) {

  public SimulatedChange {
    targets = List.copyOf(targets);
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
