package dev.mainstay.server.queue.run;

import dev.mainstay.server.queue.store.OpenQueue;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * A value for each queue, such as its view, kept for as long as the queue has the version it was
 * made of.
 */
public final class ByVersion<V> {
  private static final int MOST = 200;

  private record Made<V>(long version, V value) {}

  private final Function<OpenQueue, V> make;
  private final Map<Long, Made<V>> last = new LinkedHashMap<>(16, 0.75f, true);

  public ByVersion(Function<OpenQueue, V> make) {
    this.make = make;
  }

  public V of(OpenQueue queue) {
    synchronized (last) {
      Made<V> known = last.get(queue.id());
      if (known != null && known.version() == queue.version()) {
        return known.value();
      }
    }
    V value = make.apply(queue);
    synchronized (last) {
      last.put(queue.id(), new Made<>(queue.version(), value));
      if (last.size() > MOST) {
        last.remove(last.keySet().iterator().next());
      }
    }
    return value;
  }
}
