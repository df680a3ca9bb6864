package dev.mainstay.server.forge.git;

import dev.mainstay.server.forge.GitRepository.Head;
import dev.mainstay.server.forge.git.copy.Commit;
import dev.mainstay.server.forge.git.copy.GitCache;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Heads merged onto a base, one after the other. The trees of test branches and of what lands are
 * made so, however their history is written. A head that changes nothing has no commit.
 */
record MergeChain(List<Link> links, Optional<Broken> broken) {
  /** The tree after this head, the merge commit that holds it, and whether it brought anything. */
  record Link(Head head, String tree, String commit, boolean adds) {}

  /** The head that does not merge: not even with the base alone, or only with those before it. */
  record Broken(Head head, boolean withBase) {}

  /** Makes a merge commit of its tree, the commit before it and the head it merges. */
  interface Shape {
    Commit commit(Head head, String tree, List<String> parents);
  }

  static MergeChain of(GitCache cache, String base, List<Head> heads, Shape shape) {
    var links = new ArrayList<Link>();
    var merged = new ArrayList<String>(List.of(base));
    String tip = base;
    String before = cache.knownCommit(base).tree();
    for (Head head : heads) {
      String theirs = head.commit().value();
      merged.add(theirs);
      Optional<String> tree = cache.merges().tree(merged, tip, theirs);
      if (tree.isEmpty()) {
        boolean withBase =
            links.isEmpty() || cache.merges().tree(List.of(base, theirs), base, theirs).isEmpty();
        return new MergeChain(links, Optional.of(new Broken(head, withBase)));
      }
      boolean adds = !tree.get().equals(before);
      if (adds) {
        tip = cache.write(shape.commit(head, tree.get(), List.of(tip, theirs)));
      }
      before = tree.get();
      links.add(new Link(head, before, tip, adds));
    }
    return new MergeChain(links, Optional.empty());
  }
}
