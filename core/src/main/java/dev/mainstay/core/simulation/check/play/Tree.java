package dev.mainstay.core.simulation.check.play;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/** The tree of a commit. Two trees are the same when the same patches made them. */
public record Tree(Set<Patch> patches) {
  public static final Tree EMPTY = new Tree(Set.of());

  public Tree {
    patches = Collections.unmodifiableSet(new LinkedHashSet<>(patches));
  }

  public Tree with(Patch patch) {
    var more = new LinkedHashSet<>(patches);
    more.add(patch);
    return new Tree(more);
  }

  public boolean has(Patch patch) {
    return patches.contains(patch);
  }

  /** Whichever version of this pull request is in it. */
  Optional<Patch> find(int number) {
    for (Patch patch : patches) {
      if (patch.number() == number) {
        return Optional.of(patch);
      }
    }
    return Optional.empty();
  }
}
