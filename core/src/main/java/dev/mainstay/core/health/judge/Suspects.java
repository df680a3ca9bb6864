package dev.mainstay.core.health.judge;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * The pull requests that the runs of all of some failures contain. While there is one, the failures
 * may be its own doing and say nothing about the test: nobody quarantines their own way in.
 */
final class Suspects {
  private Optional<Set<String>> common = Optional.empty();

  /** Adds failures whose runs contain these, none of which passed in the same job. */
  void add(Set<String> contained) {
    common.ifPresentOrElse(
        left -> left.retainAll(contained), () -> common = Optional.of(new HashSet<>(contained)));
  }

  boolean haveOne() {
    return common.isPresent() && !common.get().isEmpty();
  }
}
