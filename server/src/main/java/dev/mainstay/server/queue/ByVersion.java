package dev.mainstay.server.queue;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * What was made of queues lately: of each the last, which is right for as long as the version is.
 */
final class ByVersion<V> {
  private static final int MOST = 200;

  private record Made<V>(long version, V value) {}

  private final Function<OpenQueue, V> make;
  private final Map<Long, Made<V>> last = new LinkedHashMap<>(16, 0.75f, true);

  ByVersion(Function<OpenQueue, V> make) {
    this.make = make;
  }

  V of(OpenQueue queue) {
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
