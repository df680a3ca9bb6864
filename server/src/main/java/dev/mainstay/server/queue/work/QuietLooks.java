package dev.mainstay.server.queue.work;

import com.github.benmanes.caffeine.cache.Cache;
import dev.mainstay.server.connection.ConnectionStore;
import dev.mainstay.server.platform.Caches;
import dev.mainstay.server.queue.store.OpenQueue;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Looks of this node that moved nobody, each with what it was compared with: while that is the same
 * and the repository unchanged, there is nothing to compare. A queue that changed is compared anew,
 * since it may have heard of a head that was there only for a moment.
 */
final class QuietLooks {
  private static final int MOST = 10_000;

  /** The side that a repository is compared with. */
  record Known(
      long connectionVersion,
      Instant connectedAt,
      Optional<String> ownersAt,
      Map<Long, Long> queueVersions) {
    static Known of(ConnectionStore.Row how, List<OpenQueue> queues) {
      return new Known(
          how.version(),
          how.connectedAt(),
          how.ownersAt(),
          queues.stream().collect(Collectors.toMap(OpenQueue::id, OpenQueue::version)));
    }
  }

  private record Quiet(Known known, String mark) {}

  private final Cache<Long, Quiet> looks = Caches.ofAtMost(MOST);

  /** The mark of the last look, where it moved nobody and nobody has changed since. */
  Optional<String> mark(long repositoryId, Known known) {
    return Optional.ofNullable(looks.getIfPresent(repositoryId))
        .filter(quiet -> quiet.known().equals(known))
        .map(Quiet::mark);
  }

  void remember(long repositoryId, Known known, String mark) {
    looks.put(repositoryId, new Quiet(known, mark));
  }

  void forget(long repositoryId) {
    looks.invalidate(repositoryId);
  }
}
