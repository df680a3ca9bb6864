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
  private final Plain plain;
  private final BiFunction<String, String, Optional<String>> git;
  private final Cache<List<String>, Optional<String>> trees = Caches.ofAtMost(MOST);

  /** Merges two trees that began from a third; nothing where git is to be asked. */
  public interface Plain {
    Optional<String> tree(String base, String ours, String theirs);
  }

  /** {@code git} merges two commits by a process: the tree, or nothing where they conflict. */
  public Merges(
      MergeBase bases,
      Function<String, Commit> commits,
      Plain plain,
      BiFunction<String, String, Optional<String>> git) {
    this.bases = bases;
    this.commits = commits;
    this.plain = plain;
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
   * The tree of both commits merged. Git is not asked for a merge base only to merge: it finds that
   * itself.
   */
  private Optional<String> merge(String ours, String theirs) {
    Optional<String> found =
        bases.find(ours, theirs) instanceof MergeBase.Answer.Shared(String base)
            ? plain.tree(treeOf(base), treeOf(ours), treeOf(theirs))
            : Optional.empty();
    return found.isPresent() ? found : git.apply(ours, theirs);
  }

  private String treeOf(String commit) {
    return commits.apply(commit).tree();
  }

  void clear() {
    trees.invalidateAll();
  }
}
