package dev.mainstay.server.forge.git.copy;

import com.github.benmanes.caffeine.cache.Cache;
import dev.mainstay.server.platform.Caches;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Merges that were done, each remembered by the commits that went into it, in their order. */
public final class Merges {
  private static final int MOST = 10_000;

  private final MergeBase bases;
  private final Function<String, Commit> commits;
  private final BiFunction<String, String, Optional<String>> git;
  private final Cache<List<String>, Optional<String>> trees = Caches.ofAtMost(MOST);

  /** {@code git} merges two commits by a process: the tree, or nothing where they conflict. */
  public Merges(
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
  public Optional<String> tree(List<String> merged, String ours, String theirs) {
    Optional<String> known = trees.getIfPresent(merged);
    if (known != null) {
      return known;
    }
    Optional<String> tree = merge(ours, theirs);
    trees.put(List.copyOf(merged), tree);
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

  void clear() {
    trees.invalidateAll();
  }
}
