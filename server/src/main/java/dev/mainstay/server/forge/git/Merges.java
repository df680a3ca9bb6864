package dev.mainstay.server.forge.git;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Merges that were done, each remembered by the commits that went into it, in their order. */
final class Merges {
  private static final int MOST = 10_000;

  private final MergeBase bases;
  private final Function<String, Commit> commits;
  private final BiFunction<String, String, Optional<String>> git;
  private final Map<List<String>, Optional<String>> trees = new LinkedHashMap<>();

  /** {@code git} merges two commits by a process: the tree, or nothing where they conflict. */
  Merges(
      MergeBase bases,
      Function<String, Commit> commits,
      BiFunction<String, String, Optional<String>> git) {
    this.bases = bases;
    this.commits = commits;
    this.git = git;
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

  /**
   * The tree of both commits merged; where one of the two is known to hold the other, its own. Git
   * is not asked for a merge base only to merge: it finds that itself.
   */
  private Optional<String> merge(String ours, String theirs) {
    if (bases.find(ours, theirs) instanceof MergeBase.Answer.Shared(String base)) {
      if (base.equals(ours)) {
        return Optional.of(commits.apply(theirs).tree());
      }
      if (base.equals(theirs)) {
        return Optional.of(commits.apply(ours).tree());
      }
    }
    return git.apply(ours, theirs);
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
