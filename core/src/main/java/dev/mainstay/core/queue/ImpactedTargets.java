package dev.mainstay.core.queue;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The parts of the repository a change touches: all of them, or those named. */
public record ImpactedTargets(boolean all, Set<String> names) {
  public static final ImpactedTargets ALL = new ImpactedTargets(true, Set.of());
  public static final ImpactedTargets NONE = new ImpactedTargets(false, Set.of());

  public ImpactedTargets {
    names = Collections.unmodifiableSet(new LinkedHashSet<>(names));
    if (all && !names.isEmpty()) {
      throw new IllegalArgumentException("ALL names no targets");
    }
  }

  /** Exactly these. */
  public static ImpactedTargets of(Collection<String> names) {
    return new ImpactedTargets(false, new LinkedHashSet<>(names));
  }

  /** Exactly these. */
  public static ImpactedTargets of(String... names) {
    return of(List.of(names));
  }

  /** What either of them touches. */
  public ImpactedTargets and(ImpactedTargets other) {
    if (all || other.all) {
      return ALL;
    }
    var both = new LinkedHashSet<>(names);
    both.addAll(other.names);
    return of(both);
  }

  /** Nothing at all: it meets nobody, not even ALL. */
  public boolean isEmpty() {
    return !all && names.isEmpty();
  }

  /** It touches all that the other one touches. */
  public boolean covers(ImpactedTargets other) {
    return all || (!other.all && names.containsAll(other.names));
  }

  /** Two sets of targets meet where they touch a common part. */
  public boolean meets(ImpactedTargets other) {
    if (isEmpty() || other.isEmpty()) {
      return false;
    }
    return all || other.all || !Collections.disjoint(names, other.names);
  }
}
