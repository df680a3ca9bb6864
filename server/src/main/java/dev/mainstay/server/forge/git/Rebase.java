package dev.mainstay.server.forge.git;

import dev.mainstay.server.forge.git.copy.Commit;
import dev.mainstay.server.forge.git.copy.GitCache;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Commits made anew on another commit, one by one, with their authors, times and messages. Merges
 * among them are left out: what they brought is on the target branch or comes by its own commits.
 * Commits that change nothing any more are left out, too.
 */
record Rebase(GitCache cache, Instant at, String mark) {
  private static final int MOST = 2000;

  /** The last of the new commits; nothing where one of them conflicts. */
  Optional<String> onto(String base, String head, List<String> without) {
    List<String> commits = cache.ownCommits(head, without, MOST + 1);
    if (commits.size() > MOST) {
      return Optional.empty();
    }
    String tip = base;
    for (String sha : commits) {
      Commit commit = cache.knownCommit(sha);
      String before = cache.knownCommit(tip).tree();
      Optional<String> tree = tree(before, sha, commit);
      if (tree.isEmpty()) {
        return Optional.empty();
      }
      if (!tree.get().equals(before)) {
        tip = cache.write(again(commit, tree.get(), tip));
      }
    }
    return Optional.of(tip);
  }

  /** Merges with a stand-in that has the new base's tree and the old parent: a cherry-pick. */
  private Optional<String> tree(String tipTree, String sha, Commit commit) {
    if (commit.parents().isEmpty()) {
      String standIn = cache.write(Commit.ours(tipTree, List.of(), at, ""));
      return cache.merge(standIn, sha, true);
    }
    String parent = commit.parents().getFirst();
    String parentTree = cache.knownCommit(parent).tree();
    if (parentTree.equals(tipTree)) {
      return Optional.of(commit.tree());
    }
    if (parentTree.equals(commit.tree())) {
      return Optional.of(tipTree);
    }
    String standIn = cache.write(Commit.ours(tipTree, List.of(parent), at, ""));
    return cache.merge(standIn, sha, false);
  }

  private Commit again(Commit commit, String tree, String parent) {
    var headers = new ArrayList<String>();
    commit.header("encoding").ifPresent(e -> headers.add("encoding " + e));
    headers.add(mark);
    return new Commit(
        tree, List.of(parent), commit.author(), Commit.us(at), headers, commit.message());
  }
}
