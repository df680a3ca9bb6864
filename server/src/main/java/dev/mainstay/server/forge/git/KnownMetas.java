package dev.mainstay.server.forge.git;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.GitRepository.Head;
import dev.mainstay.server.forge.git.copy.Commit;
import dev.mainstay.server.forge.git.copy.GitCache;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The texts of plain git, by its {@code meta} references as they were at the last look, so that a
 * landing need not ask.
 */
final class KnownMetas implements Texts {
  private final Map<Integer, Optional<String>> metas = new ConcurrentHashMap<>();

  void saw(int pullRequest, Optional<String> meta) {
    metas.put(pullRequest, meta);
  }

  @Override
  public boolean knows(int pullRequest) {
    return metas.containsKey(pullRequest);
  }

  @Override
  public PullRequestText of(PullRequestRef pr, Commit head, GitCache cache) {
    Optional<String> meta = metas.getOrDefault(pr.number(), Optional.empty());
    return PullRequestText.of(head, meta.flatMap(cache::commit));
  }

  @Override
  public void fetched(List<Head> heads, GitCache cache) {
    for (Head head : heads) {
      int number = head.pr().number();
      if (!knows(number)) {
        saw(number, cache.fetched("refs/pull/" + number + "/meta"));
      }
    }
  }

  void sawAll(Map<Integer, Optional<String>> all) {
    metas.keySet().retainAll(all.keySet());
    metas.putAll(all);
  }
}
