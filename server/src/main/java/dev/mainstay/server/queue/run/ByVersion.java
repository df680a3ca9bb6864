package dev.mainstay.server.queue.run;

import com.github.benmanes.caffeine.cache.Cache;
import dev.mainstay.server.platform.Caches;
import dev.mainstay.server.queue.store.OpenQueue;
import java.util.function.Function;

/**
 * A value for each queue, such as its view, kept for as long as the queue has the version it was
 * made of.
 */
public final class ByVersion<V> {
  private static final int MOST = 200;

  private record Made<V>(long version, V value) {}

  private final Function<OpenQueue, V> make;
  private final Cache<Long, Made<V>> last = Caches.ofAtMost(MOST);

  public ByVersion(Function<OpenQueue, V> make) {
    this.make = make;
  }

  public V of(OpenQueue queue) {
    Made<V> known = last.getIfPresent(queue.id());
    if (known != null && known.version() == queue.version()) {
      return known.value();
    }
    V value = make.apply(queue);
    last.put(queue.id(), new Made<>(queue.version(), value));
    return value;
  }
}
