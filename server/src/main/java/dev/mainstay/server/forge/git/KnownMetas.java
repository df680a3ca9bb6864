package dev.mainstay.server.forge.git;

import dev.mainstay.server.forge.GitRepository.Head;
import dev.mainstay.server.forge.git.copy.GitCache;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The {@code meta} references as they were at the last look, so that a landing need not ask. */
final class KnownMetas {
  private final Map<Integer, Optional<String>> metas = new ConcurrentHashMap<>();

  void saw(int pullRequest, Optional<String> meta) {
    metas.put(pullRequest, meta);
  }

  /**
   * The reference of a pull request; empty outside where it was never looked at, inside where it
   * has none.
   */
  Optional<Optional<String>> meta(int pullRequest) {
    return Optional.ofNullable(metas.get(pullRequest));
  }

  /** Those that were fetched and are not known yet. */
  void sawAllOf(List<Head> heads, GitCache cache) {
    for (Head head : heads) {
      int number = head.pr().number();
      if (meta(number).isEmpty()) {
        saw(number, cache.fetched("refs/pull/" + number + "/meta"));
      }
    }
  }

  void sawAll(Map<Integer, Optional<String>> all) {
    metas.keySet().retainAll(all.keySet());
    metas.putAll(all);
  }
}
