package dev.mainstay.core.simulation.check;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/** What a commit contains. Two trees are the same when the same patches made them. */
record Tree(Set<Patch> patches) {
  static final Tree EMPTY = new Tree(Set.of());

  Tree {
    patches = Collections.unmodifiableSet(new LinkedHashSet<>(patches));
  }

  Tree with(Patch patch) {
    var more = new LinkedHashSet<>(patches);
    more.add(patch);
    return new Tree(more);
  }

  boolean has(Patch patch) {
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
