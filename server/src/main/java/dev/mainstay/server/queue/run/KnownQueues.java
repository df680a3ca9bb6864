package dev.mainstay.server.queue.run;

import com.github.benmanes.caffeine.cache.Cache;
import dev.mainstay.server.platform.Caches;
import dev.mainstay.server.queue.store.OpenQueue;
import dev.mainstay.server.queue.store.QueueName;
import dev.mainstay.server.queue.store.QueueStore;
import java.util.List;
import java.util.Optional;

/** Queues as this node saw them committed last. They may have changed since, or be gone. */
final class KnownQueues {
  private static final int MOST = 1_000;

  private final Cache<Long, OpenQueue> byId = Caches.ofAtMost(MOST);
  private final Cache<QueueName, Long> ids = Caches.ofAtMost(MOST);

  List<OpenQueue> all() {
    return List.copyOf(byId.asMap().values());
  }

  Optional<OpenQueue> find(long queueId) {
    return Optional.ofNullable(byId.getIfPresent(queueId));
  }

  Optional<OpenQueue> find(QueueName name) {
    return Optional.ofNullable(ids.getIfPresent(name)).flatMap(this::find);
  }

  /** The queue at the version that this row has, or at a later one. */
  Optional<OpenQueue> since(QueueStore.Row row) {
    return find(row.id()).filter(queue -> queue.version() >= row.version());
  }

  void keep(OpenQueue queue) {
    byId.asMap().merge(queue.id(), queue, (old, now) -> old.version() < now.version() ? now : old);
  }

  /** Remembers which queue a name means; none where there is no such queue. */
  void name(QueueName name, Optional<Long> queueId) {
    queueId.ifPresentOrElse(id -> ids.put(name, id), () -> ids.invalidate(name));
  }

  void forget(long queueId) {
    byId.invalidate(queueId);
  }
}
