package dev.mainstay.core.simulation.check.play;

import java.util.List;

/**
 * The flaws of the changes, unknown to the queue: versions that break the tests by themselves,
 * pairs that only break them together (where their targets meet), and pairs that do not merge. A
 * version made on top of the other one of a pair has put the pair right.
 */
public record Flaws(List<Broken> broken, List<Pair> clashes, List<Pair> conflicts) {
  public static final Flaws NONE = new Flaws(List.of(), List.of(), List.of());

  /** This version of this pull request fails its tests, and all versions before it. */
  public record Broken(int pr, int upToVersion) {}

  /** Two pull requests, or one and a push past the queue (below zero). */
  public record Pair(int one, int other) {
    boolean joins(int a, int b) {
      return (one == a && other == b) || (one == b && other == a);
    }
  }

  public Flaws {
    broken = List.copyOf(broken);
    clashes = List.copyOf(clashes);
    conflicts = List.copyOf(conflicts);
  }

  boolean breaks(Patch patch) {
    return broken.stream()
        .anyMatch(b -> b.pr() == patch.number() && patch.version() <= b.upToVersion());
  }

  boolean clash(Patch a, Patch b) {
    return clashes.stream().anyMatch(p -> p.joins(a.number(), b.number()));
  }

  boolean conflict(Patch a, Patch b) {
    return conflicts.stream().anyMatch(p -> p.joins(a.number(), b.number()));
  }
}
