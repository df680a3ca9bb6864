package dev.mainstay.server.forge.git;

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

  void sawAll(Map<Integer, Optional<String>> all) {
    metas.keySet().retainAll(all.keySet());
    metas.putAll(all);
  }
}
