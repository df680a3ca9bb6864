package dev.mainstay.server.forge.git;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Merges that were done, each remembered by the commits that went into it, in their order. */
final class Merges {
  private static final int MOST = 10_000;

  private final GitCache cache;
  private final Map<List<String>, Optional<String>> trees = new LinkedHashMap<>();

  Merges(GitCache cache) {
    this.cache = cache;
  }

  /**
   * The tree of both commits merged, or nothing where they conflict. {@code merged} are all that
   * went into them: ours may be a commit that was made to be tested and is forgotten.
   */
  Optional<String> tree(List<String> merged, String ours, String theirs) {
    Optional<Optional<String>> known = find(merged);
    if (known.isPresent()) {
      return known.get();
    }
    Optional<String> tree = merge(ours, theirs);
    remember(merged, tree);
    return tree;
  }

  /** The tree of both commits merged; where one of the two holds the other, its own. */
  private Optional<String> merge(String ours, String theirs) {
    Optional<String> base = cache.mergeBase(ours, theirs);
    if (base.filter(ours::equals).isPresent()) {
      return Optional.of(cache.knownCommit(theirs).tree());
    }
    if (base.filter(theirs::equals).isPresent()) {
      return Optional.of(cache.knownCommit(ours).tree());
    }
    return cache.merge(ours, theirs, false);
  }

  private synchronized Optional<Optional<String>> find(List<String> merged) {
    return Optional.ofNullable(trees.get(merged));
  }

  private synchronized void remember(List<String> merged, Optional<String> tree) {
    if (trees.size() >= MOST) {
      trees.remove(trees.keySet().iterator().next());
    }
    trees.put(List.copyOf(merged), tree);
  }

  synchronized void clear() {
    trees.clear();
  }
}
