package dev.mainstay.server.queue.run;

import dev.mainstay.server.queue.store.OpenQueue;
import dev.mainstay.server.queue.store.QueueName;
import dev.mainstay.server.queue.store.QueueStore;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Queues as this node saw them committed last. They may have changed since, or be gone. */
final class KnownQueues {
  private static final int MOST = 1_000;

  private final Map<Long, OpenQueue> byId = new LinkedHashMap<>(16, 0.75f, true);
  private final Map<QueueName, Long> ids = new HashMap<>();

  synchronized Optional<OpenQueue> find(long queueId) {
    return Optional.ofNullable(byId.get(queueId));
  }

  synchronized Optional<OpenQueue> find(QueueName name) {
    return Optional.ofNullable(ids.get(name)).flatMap(this::find);
  }

  /** The queue at the version that this row has, or at a later one. */
  Optional<OpenQueue> since(QueueStore.Row row) {
    return find(row.id()).filter(queue -> queue.version() >= row.version());
  }

  synchronized void keep(OpenQueue queue) {
    OpenQueue kept = byId.get(queue.id());
    if (kept == null || kept.version() < queue.version()) {
      byId.put(queue.id(), queue);
    }
    if (byId.size() > MOST) {
      forget(byId.keySet().iterator().next());
    }
  }

  /** Remembers which queue a name means; none where there is no such queue. */
  synchronized void name(QueueName name, Optional<Long> queueId) {
    queueId.ifPresentOrElse(id -> ids.put(name, id), () -> ids.remove(name));
  }

  synchronized void forget(long queueId) {
    byId.remove(queueId);
    ids.values().remove(queueId);
  }
}
