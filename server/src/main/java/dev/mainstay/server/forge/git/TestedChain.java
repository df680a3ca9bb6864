package dev.mainstay.server.forge.git;

import dev.mainstay.server.forge.GitRepository.Head;
import dev.mainstay.server.forge.git.copy.Commit;
import dev.mainstay.server.forge.git.copy.GitCache;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The commits of a test branch, the oldest first: which head each is of, and what each head changed
 * there. They are ours, and marked.
 */
record TestedChain(List<Made> commits, String below) {
  private static final int MOST = 5_000;

  /** A commit, whose it is, and the trees before and after it. */
  record Made(String sha, String mark, String treeBefore, String tree) {}

  /** The commits that a tested commit ends in, down to what it shares with the target branch. */
  static Optional<TestedChain> of(GitCache cache, String tested, String onto) {
    return cache.has(tested)
        ? cache.mergeBase(onto, tested).flatMap(base -> between(cache, tested, base))
        : Optional.empty();
  }

  private static Optional<TestedChain> between(GitCache cache, String tested, String base) {
    var commits = new ArrayList<Made>();
    String sha = tested;
    while (!sha.equals(base)) {
      Commit commit = cache.knownCommit(sha);
      Optional<String> mark = LandingMark.tested(commit);
      Optional<String> parent = commit.parents().stream().findFirst();
      if (mark.isEmpty() || parent.isEmpty() || commits.size() >= MOST) {
        return Optional.empty();
      }
      String before = cache.knownCommit(parent.get()).tree();
      commits.add(new Made(sha, mark.get(), before, commit.tree()));
      sha = parent.get();
    }
    return Optional.of(new TestedChain(commits.reversed(), base));
  }

  /** The last commit of each of these heads, if they and nothing else are in it, in this order. */
  Optional<Map<Head, String>> tips(List<Head> heads) {
    Map<Head, String> tips = new HashMap<>();
    int at = 0;
    for (Head head : heads) {
      String mark = LandingMark.value(head);
      while (at < commits.size() && commits.get(at).mark().equals(mark)) {
        tips.put(head, commits.get(at).sha());
        at++;
      }
    }
    return at == commits.size() && tips.size() == heads.size()
        ? Optional.of(tips)
        : Optional.empty();
  }

  /** The change that a head made when it was tested; none where it brought nothing. */
  Optional<OwnDiff> diff(Head head) {
    String mark = LandingMark.value(head);
    List<Made> own = commits.stream().filter(c -> c.mark().equals(mark)).toList();
    return own.isEmpty()
        ? Optional.empty()
        : Optional.of(new OwnDiff(own.getFirst().treeBefore(), own.getLast().tree()));
  }
}
